internal import Dispatch

/// A queue that tasks run on while they work with a store, so that their own thread or actor is free meanwhile.
///
/// The task itself runs there, so it observes its cancellation.
package final class QueueExecutor: TaskExecutor {
  /// The queue of the `async` reads of all stores, none of which waits for another.
  static let readers = QueueExecutor("roost.read", isConcurrent: true)

  private let queue: DispatchQueue

  package init(_ label: String, isConcurrent: Bool = false) {
    queue = DispatchQueue(label: label, attributes: isConcurrent ? .concurrent : [])
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    // The queue runs each job once, as an executor must.
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
