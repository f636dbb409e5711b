/// One open connection to a server, which carries text frames.
///
/// `WebSocketLink`, `NetworkStreamLink` and `MemoryLink` implement it; `ConnectionLoop` and `SocketIOClient` read it in one
/// task and write from any. `LinkSuiteTests` tries what this comment says.
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

    /// Call this when the server greets the client as nobody.
    ///
    /// - Throws: `refused` if the client is a person's: the session is over, and the world is open to everybody.
    func greetedAsNobody() async throws(LinkClosure)
}

extension StreamLink {
    package func greetedAsNobody() async throws(LinkClosure) {}
}

/// Why a connection couldn't be opened.
package enum OpenFailure: Error, Hashable, Sendable {
    /// The connection broke, or couldn't be made.
    case closed(LinkClosure)
    /// The server answered, and didn't upgrade the connection to the stream.
    case notUpgraded
}

/// Opens a connection.
package typealias LinkFactory = @Sendable () async throws(LinkClosure) -> any StreamLink
