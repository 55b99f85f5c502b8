import Roost

/// Recipes as two releases of an app know them, and as a program does that knows all parts.
enum RecipeReleases {
  /// A recipe as a first release knows it.
  enum First {
    struct Tool: Embedded, Hashable {
      var name: String
      static let fields = Fields(Tool.init, Part("name", \.name))
    }
    struct Step: Embedded, Hashable {
      var name: String
      var minutes: Int
      var tools: [Tool]
      static let fields = Fields(
        Step.init, Part("name", \.name), Part("minutes", \.minutes, .default(0)),
        Part("tools", \.tools))
    }
    struct Recipe: Model, Equatable {
      let id: Int
      var steps: [Step]
      var tags: Set<Tool>
      var prices: [String: Step]
      var spare: [Step]?
      static let schema = Schema(
        Recipe.init, Key("id", \.id), Field("steps", \.steps), Field("tags", \.tags),
        Field("prices", \.prices), Field("spare", \.spare))
    }
  }

  /// The same with parts that a second release added: one that may be nil, one with a default, a struct; and without one.
  enum Second {
    struct Place: Embedded, Hashable {
      var shelf: Int
      static let fields = Fields(Place.init, Part("shelf", \.shelf))
    }
    struct Tool: Embedded, Hashable {
      var place: Place?
      var name: String
      static let fields = Fields(Tool.init, Part("place", \.place), Part("name", \.name))
    }
    struct Step: Embedded, Hashable {
      var note: String?
      var name: String
      var heat: Int
      var tools: [Tool]
      static let fields = Fields(
        Step.init, Part("note", \.note), Part("name", \.name), Part("heat", \.heat, .default(3)),
        Part("tools", \.tools))
    }
    struct Recipe: Model, Equatable {
      let id: Int
      var steps: [Step]
      var tags: Set<Tool>
      var prices: [String: Step]
      var spare: [Step]?
      static let schema = Schema(
        Recipe.init, Key("id", \.id), Field("steps", \.steps), Field("tags", \.tags),
        Field("prices", \.prices), Field("spare", \.spare))
    }
  }

  /// All that is known of them.
  enum Whole {
    struct Step: Embedded, Hashable {
      var name: String
      var minutes: Int?
      var heat: Int?
      var note: String?
      var tools: [Second.Tool]
      static let fields = Fields(
        Step.init, Part("name", \.name), Part("minutes", \.minutes), Part("heat", \.heat),
        Part("note", \.note), Part("tools", \.tools))
    }
    struct Recipe: Model, Equatable {
      let id: Int
      var steps: [Step]
      var tags: Set<Second.Tool>
      var prices: [String: Step]
      var spare: [Step]?
      static let schema = Schema(
        Recipe.init, Key("id", \.id), Field("steps", \.steps), Field("tags", \.tags),
        Field("prices", \.prices), Field("spare", \.spare))
    }
  }
}

extension RecipeReleases.First {
  /// It has a struct of several columns, one of them a list whose elements get parts.
  struct Crate: Model, Equatable {
    struct Content: Embedded, Equatable {
      var label: String
      var tools: [Tool]
      static let fields = Fields(Content.init, Part("label", \.label), Part("tools", \.tools))
    }
    let id: Int
    var content: Content
    static let schema = Schema(Crate.init, Key("id", \.id), Field("content", \.content))
  }
}

extension RecipeReleases.Second {
  struct Crate: Model, Equatable {
    struct Content: Embedded, Equatable {
      var label: String
      var tools: [Tool]
      static let fields = Fields(Content.init, Part("label", \.label), Part("tools", \.tools))
    }
    let id: Int
    var content: Content
    static let schema = Schema(Crate.init, Key("id", \.id), Field("content", \.content))
  }
}
