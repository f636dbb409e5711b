/// What a ``NATSClient`` reports to its owner, on its event loop.
///
/// `NATSSession` reports them, `NATSBus` passes them on as events of the bus and logs them. Each change comes once, in
/// its order (`NATSClientTests`).
package enum NATSEvent: Hashable, Sendable {
    /// The server has every subscription; `again` for every connection but the first.
    ///
    /// After `again`, messages of other clients may be missing.
    case connected(again: Bool)

    /// There is no connection any more; the client goes on trying.
    case disconnected(NATSError)

    /// An attempt to connect failed; the client goes on trying.
    case failed(NATSError)

    /// So many messages weren't sent: too many waited, one was too large, or a connection ended in the middle.
    case dropped(Int)

    /// The server complained and goes on.
    case complained(NATSError)
}
