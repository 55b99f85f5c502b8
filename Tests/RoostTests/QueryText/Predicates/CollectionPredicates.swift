import Foundation
import Roost

/// Conditions on lists, dictionaries and related objects, as Realm documents them; written before the parser read them.
enum CollectionPredicates {
  typealias JobCase = PredicateCase<Job>
  typealias ProjectCase = PredicateCase<Project>

  static let elements: [JobCase] = [
    JobCase("ANY labels == 'blue'") { job, _ in job.labels.contains("blue") },
    JobCase("SOME labels = %@", "blue") { job, _ in job.labels.contains("blue") },
    JobCase("any labels ==[c] 'BLUE'") { job, _ in job.labels.contains { $0.c == "blue" } },
    JobCase("ANY labels CONTAINS 'e'") { job, _ in job.labels.contains { $0.contains("e") } },
    JobCase("ANY labels BEGINSWITH[cd] 'CRE'") { job, _ in
      job.labels.contains { $0.c.d.hasPrefix("cre") }
    },
    JobCase("ANY labels IN {'red', 'late'}") { job, _ in
      job.labels.contains { ["red", "late"].contains($0) }
    },
    JobCase("ANY labels IN %@", ["red", "late"]) { job, _ in
      job.labels.contains { ["red", "late"].contains($0) }
    },
    JobCase("NONE labels == 'blue'") { job, _ in !job.labels.contains("blue") },
    JobCase("ALL labels == 'blue'") { job, _ in job.labels.allSatisfy { $0 == "blue" } },
    JobCase("NOT ANY labels == 'blue'") { job, _ in !job.labels.contains("blue") },
    JobCase("'red' IN labels") { job, _ in job.labels.contains("red") },
    JobCase("%@ IN labels", "red") { job, _ in job.labels.contains("red") },
    JobCase("labels CONTAINS 'red'") { job, _ in job.labels.contains("red") },
    JobCase("labels.@count == 2") { job, _ in job.labels.count == 2 },
    JobCase("labels.@size > 1") { job, _ in job.labels.count > 1 },
    JobCase("labels[SIZE] == 0") { job, _ in job.labels.isEmpty },
    JobCase("ANY ratings > 4") { job, _ in job.ratings.contains { $0 > 4 } },
    JobCase("ALL ratings BETWEEN {2, 4}") { job, _ in
      job.ratings.allSatisfy { (2...4).contains($0) }
    },
    JobCase("ANY ratings == priority") { job, _ in job.ratings.contains(job.priority) },
    JobCase("NONE ratings > $0", 2) { job, _ in !job.ratings.contains { $0 > 2 } },
    JobCase("ratings.@max == 5") { job, _ in job.ratings.max() == 5 },
    JobCase("ratings.@min < 2") { job, _ in less(job.ratings.min(), 2) },
    JobCase("ratings.@sum >= 9") { job, _ in job.ratings.sum >= 9 },
    JobCase("ratings.@avg > 3.5") { job, _ in less(3.5, job.ratings.average) },
    JobCase("ratings.@max == nil") { job, _ in job.ratings.isEmpty },
    JobCase("attributes['kind'] == 'bug'") { job, _ in job.attributes["kind"] == "bug" },
    JobCase(#"attributes["kind"] != nil"#) { job, _ in job.attributes["kind"] != nil },
    JobCase("attributes[%@] ==[c] %@", "kind", "BUG") { job, _ in
      job.attributes["kind"]?.c == "bug"
    },
    JobCase("attributes['kind'] IN {'bug', 'x'}") { job, _ in
      job.attributes["kind"].map { ["bug", "x"].contains($0) } ?? false
    },
    JobCase("attributes['kind'] BEGINSWITH 'ch'") { job, _ in
      job.attributes["kind"]?.hasPrefix("ch") ?? false
    },
    JobCase("ANY attributes.@keys == 'owner'") { job, _ in job.attributes["owner"] != nil },
    JobCase("'owner' IN attributes.@allKeys") { job, _ in job.attributes["owner"] != nil },
    JobCase("ANY attributes.@values == %@", "chore") { job, _ in
      job.attributes.values.contains("chore")
    },
    JobCase("NONE attributes.@allValues == 'bug'") { job, _ in
      !job.attributes.values.contains("bug")
    },
    JobCase("ANY attributes == 'x'") { job, _ in job.attributes.values.contains("x") },
    JobCase("attributes.@count > 1 AND attributes.@keys.@count < 3") { job, _ in
      job.attributes.count == 2
    },
  ]

  static let related: [JobCase] = [
    JobCase("ANY blockers.isComplete == NO") { job, world in
      world.blockers(job).contains { !$0.isComplete }
    },
    JobCase("ALL blockers.priority > 2") { job, world in
      world.blockers(job).allSatisfy { $0.priority > 2 }
    },
    JobCase("NONE blockers.name CONTAINS[c] 'a'") { job, world in
      !world.blockers(job).contains { $0.name.c.contains("a") }
    },
    JobCase("ANY blockers.priority > priority") { job, world in
      world.blockers(job).contains { $0.priority > job.priority }
    },
    JobCase("ANY blockers.labels == 'blue'") { job, world in
      world.blockers(job).contains { $0.labels.contains("blue") }
    },
    JobCase("ANY blockers.project.lead == 'Ali'") { job, world in
      world.blockers(job).contains { world.project($0)?.lead == "Ali" }
    },
    JobCase("ANY blockers.blockers.minutes > 100") { job, world in
      world.blockers(job).contains { world.blockers($0).contains { $0.minutes > 100 } }
    },
    JobCase("ALL blockers.labels != 'late'") { job, world in
      world.blockers(job).allSatisfy { $0.labels.allSatisfy { $0 != "late" } }
    },
    JobCase("ANY blockers.attributes['kind'] == 'bug'") { job, world in
      world.blockers(job).contains { $0.attributes["kind"] == "bug" }
    },
    JobCase("ANY blockers == %@", 12) { job, _ in job.blockers.contains(12) },
    JobCase("ANY blockers IN %@", [12, 13, 14]) { job, _ in
      job.blockers.contains { (12...14).contains($0) }
    },
    JobCase("blockers.@count == 0") { job, _ in job.blockers.isEmpty },
    JobCase("blockers.@sum.minutes > 150") { job, world in
      world.blockers(job).map(\.minutes).sum > 150
    },
    JobCase("blockers.@max.priority < priority") { job, world in
      less(world.blockers(job).map(\.priority).max(), job.priority)
    },
    JobCase("blockers.@min.place.zip == 1") { job, world in
      world.blockers(job).compactMap(\.place.zip).min() == 1
    },
    JobCase("project.tasks.@count > 2") { job, world in
      less(2, world.project(job)?.tasks.count)
    },
    JobCase("ANY project.tasks.priority > priority") { job, world in
      world.project(job).map { world.tasks($0).contains { $0.priority > job.priority } } ?? false
    },
    JobCase("@links.Job.blockers.@count > 1") { job, world in
      world.jobs.values.filter { $0.blockers.contains(job.id) }.count > 1
    },
    JobCase("ANY @links.Job.blockers.isComplete == YES") { job, world in
      world.jobs.values.contains { $0.isComplete && $0.blockers.contains(job.id) }
    },
    JobCase("SUBQUERY(blockers, $b, $b.isComplete == NO AND $b.priority > 2).@count > 0") {
      job, world in
      world.blockers(job).contains { !$0.isComplete && $0.priority > 2 }
    },
    JobCase("SUBQUERY(blockers, $b, $b.minutes > minutes).@count >= 2") { job, world in
      world.blockers(job).filter { $0.minutes > job.minutes }.count >= 2
    },
    JobCase("SUBQUERY(project.tasks, $t, $t.minutes < minutes).@count == 1") { job, world in
      world.project(job).map { world.tasks($0).filter { $0.minutes < job.minutes }.count == 1 }
        ?? false
    },
    JobCase(
      "SUBQUERY(blockers, $b, SUBQUERY($b.blockers, $c, $c.priority > $b.priority).@count > 0).@count = 1"
    ) { job, world in
      world.blockers(job).filter { outer in
        world.blockers(outer).contains { $0.priority > outer.priority }
      }.count == 1
    },
  ]

  static let projects: [ProjectCase] = [
    ProjectCase("ANY tasks.isComplete == true") { project, world in
      world.tasks(project).contains { $0.isComplete }
    },
    ProjectCase("ANY tasks.assignee == 'Alex'") { project, world in
      world.tasks(project).contains { $0.assignee == "Alex" }
    },
    ProjectCase("ALL tasks.isComplete == %@", true) { project, world in
      world.tasks(project).allSatisfy { $0.isComplete }
    },
    ProjectCase("NONE tasks.assignee IN {'Ali', 'Jamie'}") { project, world in
      !world.tasks(project).contains { ["Ali", "Jamie"].contains($0.assignee ?? "") }
    },
    ProjectCase("ANY tasks.assignee == nil") { project, world in
      world.tasks(project).contains { $0.assignee == nil }
    },
    ProjectCase("ANY tasks.due BETWEEN {%@, %@}", JobWorld.start, JobWorld.start + 172_800) {
      project, world in
      world.tasks(project).contains { task in
        task.due.map { (JobWorld.start...JobWorld.start + 172_800).contains($0) } ?? false
      }
    },
    ProjectCase("tasks.@avg.priority > 5") { project, world in
      less(5, world.tasks(project).map(\.priority).average)
    },
    ProjectCase("tasks.@avg.effort < 3.5") { project, world in
      let efforts = world.tasks(project).map(\.effort)
      return !efforts.isEmpty && efforts.reduce(0, +) / Double(efforts.count) < 3.5
    },
    ProjectCase("tasks.@max.priority < 5") { project, world in
      less(world.tasks(project).map(\.priority).max(), 5)
    },
    ProjectCase("tasks.@min.priority > 5") { project, world in
      less(5, world.tasks(project).map(\.priority).min())
    },
    ProjectCase("tasks.@count > 5 OR tasks.@count BETWEEN {1, 2}") { project, _ in
      project.tasks.count > 5 || (1...2).contains(project.tasks.count)
    },
    ProjectCase("tasks.@sum.minutes > %@", 100) { project, world in
      world.tasks(project).map(\.minutes).sum > 100
    },
    ProjectCase("tasks.@sum.minutes > budget") { project, world in
      less(project.budget, world.tasks(project).map(\.minutes).sum)
    },
    ProjectCase("tasks.@max.due == nil") { project, world in
      world.tasks(project).compactMap(\.due).isEmpty
    },
    ProjectCase("%K.@sum.minutes > 100 AND ANY %K < 3", "tasks", "tasks.priority") {
      project, world in
      world.tasks(project).map(\.minutes).sum > 100
        && world.tasks(project).contains { $0.priority < 3 }
    },
    ProjectCase(
      "SUBQUERY(tasks, $task, $task.isComplete == %@ AND $task.assignee == %@).@count > 0",
      false, "Alex"
    ) { project, world in
      world.tasks(project).contains { !$0.isComplete && $0.assignee == "Alex" }
    },
    ProjectCase("SUBQUERY(tasks, $x, ANY $x.labels == 'red').@count > 1") { project, world in
      world.tasks(project).filter { $0.labels.contains("red") }.count > 1
    },
    ProjectCase("points['speed'] > 4") { project, _ in less(4, project.points["speed"]) },
    ProjectCase("points.@max >= 7 AND ANY points.@keys BEGINSWITH 's'") { project, _ in
      (project.points.values.max() ?? 0) >= 7 && project.points.keys.contains { $0.hasPrefix("s") }
    },
    ProjectCase("ANY @links.Job.project.priority > 9") { project, world in
      world.assigned(project).contains { $0.priority > 9 }
    },
    ProjectCase("@links.Job.project.@avg.minutes > 60") { project, world in
      less(60, world.assigned(project).map(\.minutes).average)
    },
  ]

  /// Conditions on the objects of an inverse under its name.
  static let inverses: [ProjectCase] = [
    ProjectCase("assigned.@count > 5") { project, world in world.assigned(project).count > 5 },
    ProjectCase("ANY assigned.assignee == lead") { project, world in
      world.assigned(project).contains { $0.assignee == project.lead }
    },
    ProjectCase("SUBQUERY(assigned, $a, $a.minutes > budget).@count == 0") { project, world in
      !world.assigned(project).contains { less(project.budget, $0.minutes) }
    },
    ProjectCase("ALL assigned.isComplete == NO AND NONE tasks.isComplete == YES") {
      project, world in
      world.assigned(project).allSatisfy { !$0.isComplete }
        && !world.tasks(project).contains { $0.isComplete }
    },
  ]
}
