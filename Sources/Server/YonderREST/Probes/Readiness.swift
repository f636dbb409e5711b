import YonderJSON
package import YonderModel

/// Whether a server is ready for requests, and the conditions for this.
///
/// `ServerProcess` makes one for each request for `/ready`, which `ProbeEndpoints` answers with 200 or 503 and the
/// reason. Load balancers and `yonder ready` decide by the status, which must stay; the reasons are for people
/// (`Documentation/operations.md`, `WebAndProbeTests`). A further condition is a property here and a line in
/// ``refusal``.
package struct Readiness: Hashable, Sendable {
    /// Why the store can't be read and written; `nil` for a store that can.
    ///
    /// Words for everybody: without a path, an address or a name of the operator's.
    package var storeTrouble: String?

    /// Whether the bus to the other servers carries frames; `nil` for a server that is alone.
    package var hasBus: Bool?

    /// Whether the server's time is near the database's; `nil` if the server uses its own clock.
    package var hasClock: Bool?

    /// Whether the server is about to stop.
    package var isStopping: Bool

    /// Creates the state of a server; by default it is ready, and alone.
    package init(
        storeTrouble: String? = nil,
        hasBus: Bool? = nil,
        hasClock: Bool? = nil,
        isStopping: Bool = false
    ) {
        self.storeTrouble = storeTrouble
        self.hasBus = hasBus
        self.hasClock = hasClock
        self.isStopping = isStopping
    }

    /// Why no request should be sent to the server; `nil` if the server is ready.
    ///
    /// A server whose bus is away is ready: acknowledged messages need the store alone, and those of other servers are
    /// read from there.
    package var refusal: SharingError? {
        if isStopping { return unready("The server is stopping") }
        if let storeTrouble { return unready(storeTrouble) }
        if hasClock == false { return unready("The server's time isn't the database's") }
        return nil
    }

    private func unready(_ reason: String) -> SharingError {
        SharingError(.unavailable, "\(reason); try again after retryAfter.", retryAfter: .seconds(1))
    }

    /// The answer of a server that is ready.
    var answer: RESTAnswer {
        .json { json in
            json.raw("{\"status\":\"ok\"")
            if let hasBus { json.raw(hasBus ? ",\"bus\":\"connected\"" : ",\"bus\":\"away\"") }
            json.raw("}")
        }
    }
}
