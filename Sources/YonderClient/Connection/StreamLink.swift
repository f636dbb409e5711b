/// One open connection to a server, made of text frames.
package protocol StreamLink: Sendable {
    /// The frames that came, at least one; waits for it.
    ///
    /// - Throws: Why there will be no more.
    func next() async throws(LinkClosure) -> [[UInt8]]

    /// Sends a frame; never waits. What can't be sent any more is dropped: ``next()`` says so.
    func write(_ text: [UInt8])

    /// Whether the other side takes what it is sent.
    var isWritable: Bool { get }

    /// Closes it; ``next()`` ends.
    func close()
}

/// Makes connections.
package typealias LinkFactory = @Sendable () async throws(LinkClosure) -> any StreamLink
