import Foundation
import Roost

/// Conditions on the fields of an object, as Realm documents them; written before the parser read them.
enum JobPredicates {
  typealias Case = PredicateCase<Job>

  static let comparisons: [Case] = [
    Case("priority > 5") { job, _ in job.priority > 5 },
    Case("priority >= 5") { job, _ in job.priority >= 5 },
    Case("priority => 5") { job, _ in job.priority >= 5 },
    Case("priority < 5") { job, _ in job.priority < 5 },
    Case("priority <= 5") { job, _ in job.priority <= 5 },
    Case("priority =< 5") { job, _ in job.priority <= 5 },
    Case("priority = 5") { job, _ in job.priority == 5 },
    Case("priority == -1") { job, _ in job.priority == -1 },
    Case("priority != 5") { job, _ in job.priority != 5 },
    Case("priority <> 5") { job, _ in job.priority != 5 },
    Case("3 < priority") { job, _ in 3 < job.priority },
    Case("priority > %@", 5) { job, _ in job.priority > 5 },
    Case("effort > 2.25") { job, _ in job.effort > 2.25 },
    Case("effort == %@", 3) { job, _ in job.effort == 3 },
    Case("size < %@", 4) { job, _ in job.size < 4 },
    Case("cost < %@", Decimal(20)) { job, _ in less(job.cost, 20) },
    Case("priority > effort as Int") { job, _ in job.priority > Int(job.effort) },
    Case("minutes > priority * 10") { job, _ in job.minutes > job.priority * 10 },
    Case("priority >= 2 * (2 - 1) + 2") { job, _ in job.priority >= 4 },
    Case("priority BETWEEN {2, 4}") { job, _ in (2...4).contains(job.priority) },
    Case("priority between { 2 , 4 }") { job, _ in (2...4).contains(job.priority) },
    Case("minutes BETWEEN {%@, %@}", 30, 60) { job, _ in (30...60).contains(job.minutes) },
    Case("minutes BETWEEN %@", [30, 60]) { job, _ in (30...60).contains(job.minutes) },
    Case("NOT minutes BETWEEN {$0, $1}", 30, 60) { job, _ in !(30...60).contains(job.minutes) },
    Case("priority IN {1, 3, 5}") { job, _ in [1, 3, 5].contains(job.priority) },
    Case("priority IN %@", [1, 3, 5]) { job, _ in [1, 3, 5].contains(job.priority) },
    Case("priority in {$0, $1}", 2, 9) { job, _ in [2, 9].contains(job.priority) },
    Case("NOT (priority IN {1, 3, 5})") { job, _ in ![1, 3, 5].contains(job.priority) },
    Case("priority IN {}") { _, _ in false },
    Case("TRUEPREDICATE") { _, _ in true },
    Case("FALSEPREDICATE") { _, _ in false },
    Case("isComplete == YES") { job, _ in job.isComplete },
    Case("isComplete == NO") { job, _ in !job.isComplete },
    Case("isComplete = TRUE") { job, _ in job.isComplete },
    Case("isComplete != false") { job, _ in job.isComplete },
    Case("isComplete == %@", true) { job, _ in job.isComplete },
    Case("state == 'busy'") { job, _ in job.state == .busy },
    Case("state != %@", JobState.done) { job, _ in job.state != .done },
    Case("token == %@", JobWorld.token(7)) { job, _ in job.token == JobWorld.token(7) },
    Case("due > %@", JobWorld.start + 864_000) { job, _ in
      less(JobWorld.start + 864_000, job.due)
    },
    Case("due BETWEEN {%@, %@}", JobWorld.start, JobWorld.start + 432_000) { job, _ in
      job.due.map { (JobWorld.start...JobWorld.start + 432_000).contains($0) } ?? false
    },
    Case("photo == %@", Data([1])) { job, _ in job.photo == Data([1]) },
    Case("%K > %@", "priority", 5) { job, _ in job.priority > 5 },
  ]

  static let nils: [Case] = [
    Case("assignee == nil") { job, _ in job.assignee == nil },
    Case("assignee = NULL") { job, _ in job.assignee == nil },
    Case("assignee == null") { job, _ in job.assignee == nil },
    Case("assignee != NIL") { job, _ in job.assignee != nil },
    Case("assignee == %@", nil) { job, _ in job.assignee == nil },
    Case("assignee != 'Ali'") { job, _ in job.assignee != "Ali" },
    Case("NOT assignee == 'Ali'") { job, _ in job.assignee != "Ali" },
    Case("assignee IN {'Ali', nil}") { job, _ in job.assignee == "Ali" || job.assignee == nil },
    Case("due < %@", JobWorld.start + 86_400) { job, _ in less(job.due, JobWorld.start + 86_400) },
    Case("project == nil") { job, _ in job.project == nil },
    Case("project != nil AND project.lead == nil") { job, world in
      world.project(job).map { $0.lead == nil } ?? false
    },
  ]

  static let logic: [Case] = [
    Case("minutes > 1 AND assignee == 'Ali'") { job, _ in job.minutes > 1 && job.assignee == "Ali"
    },
    Case("minutes > $0 && assignee == $1", 1, "Alex") { job, _ in
      job.minutes > 1 && job.assignee == "Alex"
    },
    Case("assignee == $0 OR assignee == $0 or priority == $1", "Ali", 4) { job, _ in
      job.assignee == "Ali" || job.priority == 4
    },
    Case("priority == 1 || priority == 2 AND isComplete == YES") { job, _ in
      job.priority == 1 || job.priority == 2 && job.isComplete
    },
    Case("(priority == 1 OR priority == 2) and isComplete == YES") { job, _ in
      (job.priority == 1 || job.priority == 2) && job.isComplete
    },
    Case("NOT (priority > 3 OR isComplete == YES)") { job, _ in
      !(job.priority > 3 || job.isComplete)
    },
    Case("! priority > 3 and not isComplete = yes") { job, _ in
      !(job.priority > 3) && !job.isComplete
    },
    Case("NOT NOT priority > 3") { job, _ in job.priority > 3 },
    Case("TRUEPREDICATE AND NOT FALSEPREDICATE AND priority > 3") { job, _ in job.priority > 3 },
  ]

  static let texts: [Case] = [
    Case("name == 'Alpha'") { job, _ in job.name == "Alpha" },
    Case("name == \"Alpha\"") { job, _ in job.name == "Alpha" },
    Case(#"name == 'O\'Neil'"#) { job, _ in job.name == "O'Neil" },
    Case(#"name == "say \"hi\"""#) { job, _ in job.name == "say \"hi\"" },
    Case(#"name == 'tab\there'"#) { job, _ in job.name == "tab\there" },
    Case("name == %@", "say \"hi\"") { job, _ in job.name == "say \"hi\"" },
    Case("name == %@", "' OR TRUEPREDICATE OR '") { _, _ in false },
    Case("name < 'b'") { job, _ in job.name < "b" },
    Case("name BEGINSWITH 'Al'") { job, _ in job.name.hasPrefix("Al") },
    Case("name BEGINSWITH[c] 'al'") { job, _ in job.name.c.hasPrefix("al") },
    Case("name beginswith[cd] 'zoe'") { job, _ in job.name.c.d.hasPrefix("zoe") },
    Case("name BEGINSWITH %@", "caf") { job, _ in job.name.hasPrefix("caf") },
    Case("name ENDSWITH 'a'") { job, _ in job.name.hasSuffix("a") },
    Case("name ENDSWITH[dc] %@", "E") { job, _ in job.name.c.d.hasSuffix("e") },
    Case("name CONTAINS 'ph'") { job, _ in job.name.contains("ph") },
    Case("name CONTAINS[c] 'PH'") { job, _ in job.name.c.contains("ph") },
    Case("name CONTAINS[d] 'Angstrom'") { job, _ in job.name.d.contains("Angstrom") },
    Case("name CONTAINS[cd] $0", "angstrom") { job, _ in job.name.c.d.contains("angstrom") },
    Case("name CONTAINS 'e'") { job, _ in job.name.contains("e") },
    Case("assignee CONTAINS 'l'") { job, _ in job.assignee?.contains("l") ?? false },
    Case("NOT assignee CONTAINS[c] 'A'") { job, _ in !(job.assignee?.c.contains("a") ?? false) },
    Case("name LIKE 'Al*'") { job, _ in job.name.hasPrefix("Al") },
    Case("name LIKE 'd?g'") { job, _ in ["d?g", "dog"].contains(job.name) },
    Case(#"name LIKE 'd\\?g'"#) { job, _ in job.name == "d?g" },
    Case("name LIKE[c] '*A'") { job, _ in job.name.c.hasSuffix("a") },
    Case("name LIKE[cd] %@", "caf?*") { job, _ in
      job.name.c.d.hasPrefix("caf") && job.name.count > 3
    },
    Case("name ==[c] 'alpha'") { job, _ in job.name.c == "alpha" },
    Case("name =[cd] 'cafe'") { job, _ in job.name.c.d == "cafe" },
    Case("name !=[c] %@", "ALPHA") { job, _ in job.name.c != "alpha" },
    Case("assignee !=[d] 'zoe'") { job, _ in job.assignee?.d != "zoe" },
    Case("assignee ==[c] nil") { job, _ in job.assignee == nil },
    Case("name ==[cd] assignee") { job, _ in
      job.assignee.map { job.name.c.d == $0.c.d } ?? false
    },
    Case("'Alpha' ==[c] name") { job, _ in job.name.c == "alpha" },
    Case("name IN {'dog', 'beta'}") { job, _ in ["dog", "beta"].contains(job.name) },
    Case("name IN %@", Set(["dog", "beta"])) { job, _ in ["dog", "beta"].contains(job.name) },
    Case("state BEGINSWITH 'b'") { job, _ in job.state == .busy },
  ]

  static let links: [Case] = [
    Case("project.name BEGINSWITH[c] 'a'") { job, world in
      world.project(job)?.name.c.hasPrefix("a") ?? false
    },
    Case("project.budget > minutes") { job, world in
      less(job.minutes, world.project(job)?.budget)
    },
    Case("project.isOpen == YES AND project.lead == assignee") { job, world in
      world.project(job).map { $0.isOpen && $0.lead == job.assignee } ?? false
    },
    Case("project == %@", 7) { job, _ in job.project?.id == 7 },
    Case("project == %@", Link<Project>(id: 7)) { job, _ in job.project?.id == 7 },
    Case("project IN %@", [7, 8, 9]) { job, _ in
      job.project.map { (7...9).contains($0.id) } ?? false
    },
    Case("%K == %@", "project.lead", "Ali") { job, world in world.project(job)?.lead == "Ali" },
    Case("place.city == 'Delft'") { job, _ in job.place.city == "Delft" },
    Case("place.city ==[c] 'DELFT' AND place.zip > 4") { job, _ in
      job.place.city.c == "delft" && less(4, job.place.zip)
    },
    Case("place.zip == NULL") { job, _ in job.place.zip == nil },
  ]
}
