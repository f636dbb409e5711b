package import NIOCore

/// A message from another client.
///
/// `NATSClient` passes each to the handler of its subscription, on the event loop, in the order of arrival.
package struct NATSMessage: Hashable, Sendable {
    package let subject: String

    /// The subject on which the publisher awaits an answer, or `nil`.
    package let reply: String?
    package let payload: ByteBuffer
}
