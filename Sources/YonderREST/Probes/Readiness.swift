import YonderJSON
package import YonderModel

/// Whether a server should be sent requests, and what it depends on.
package struct Readiness: Hashable, Sendable {
    /// Whether the store can be read and written.
    package var hasStore: Bool

    /// Whether the other servers over the same store are heard; `nil` for a server that is alone.
    package var hasBus: Bool?

    /// Whether the server's time is near the database's; `nil` if it is its own.
    package var hasClock: Bool?

    /// Whether the server is about to stop.
    package var isStopping: Bool

    /// Creates what a server found out about itself; by default all is well, and it is alone.
    package init(
        hasStore: Bool = true,
        hasBus: Bool? = nil,
        hasClock: Bool? = nil,
        isStopping: Bool = false
    ) {
        self.hasStore = hasStore
        self.hasBus = hasBus
        self.hasClock = hasClock
        self.isStopping = isStopping
    }

    /// Why nothing should be sent to the server, or `nil` if it can be.
    ///
    /// A server without its bus is ready: what it promises needs the store alone, and others' messages come from there.
    package var refusal: SharingError? {
        if isStopping { return unready("The server is stopping") }
        if !hasStore { return unready("The store doesn't answer") }
        if hasClock == false { return unready("The server's time isn't the database's") }
        return nil
    }

    private func unready(_ reason: String) -> SharingError {
        SharingError(.unavailable, "\(reason); try again after retryAfter.", retryAfter: .seconds(1))
    }

    /// What a server that is ready answers.
    var answer: RESTAnswer {
        .json { json in
            json.raw("{\"status\":\"ok\"")
            if let hasBus { json.raw(hasBus ? ",\"bus\":\"connected\"" : ",\"bus\":\"away\"") }
            json.raw("}")
        }
    }
}
