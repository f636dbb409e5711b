/// A call to the store that waits to be written.
package protocol QueuedRequest: Sendable {
    /// The number of submissions.
    var count: Int { get }

    /// The estimated memory in bytes.
    var weight: Int { get }
}
