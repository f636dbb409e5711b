package import NIOCore

/// The transport of a session: one WebSocket, used from its event loop.
///
/// Every call comes from ``eventLoop``, and the session gets its events there. While it isn't writable it reads
/// nothing from its peer, so a peer that sends requests without reading answers can't make the outbox grow.
package protocol SessionTransport: AnyObject {
    /// The loop that the connection belongs to.
    var eventLoop: any EventLoop { get }

    /// Whether fewer bytes than the outbox's bound are unsent.
    var isWritable: Bool { get }

    /// Queues finished WebSocket frames, header included; sends nothing yet.
    func write(_ frames: ByteBuffer)

    /// Sends what is queued.
    func flush()

    /// Sends a close frame, then closes.
    func close(_ code: UInt16, _ reason: String)

    /// Passes no more messages to the session until ``resumeReceiving()``; pings are still answered.
    ///
    /// Messages that arrive meanwhile are kept, in order, up to a bound; beyond that nothing is read from the peer.
    func pauseReceiving()

    /// Passes the held messages to the session, and continues to read.
    func resumeReceiving()
}
