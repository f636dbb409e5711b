/// One open connection to a server, which carries text frames.
package protocol StreamLink: Sendable {
    /// Waits for the next frames, and returns one or more.
    ///
    /// - Throws: The reason why the connection ended.
    func next() async throws(LinkClosure) -> [[UInt8]]

    /// Queues a frame to be sent; never waits. After the connection ended, frames are dropped and ``next()``
    /// throws.
    func write(_ text: [UInt8])

    /// Whether the connection can accept more frames now.
    var isWritable: Bool { get }

    /// Closes the connection, so that ``next()`` throws.
    func close()
}

/// Opens a connection.
package typealias LinkFactory = @Sendable () async throws(LinkClosure) -> any StreamLink
