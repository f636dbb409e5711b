/// A call to the store that waits to be written.
///
/// `CommitQueue` counts and weighs by it; each store has a type of its own. Both numbers must not change while a request
/// waits.
package protocol QueuedRequest: Sendable {
    /// The number of submissions.
    var count: Int { get }

    /// The estimated memory in bytes.
    var weight: Int { get }
}
