internal import Dispatch

/// A queue that tasks run on while they work with a store: the thread or actor they come from is free meanwhile.
///
/// What runs there is the task itself, so that it sees when it was cancelled.
final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ label: String, isConcurrent: Bool = false) {
    queue = DispatchQueue(label: label, attributes: isConcurrent ? .concurrent : [])
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
