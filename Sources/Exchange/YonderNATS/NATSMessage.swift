package import NIOCore

/// A message from another client.
package struct NATSMessage: Hashable, Sendable {
    package let subject: String

    /// The subject on which the publisher awaits an answer, or `nil`.
    package let reply: String?
    package let payload: ByteBuffer
}
