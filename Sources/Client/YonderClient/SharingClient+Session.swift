import YonderLink
public import YonderModel
public import YonderRequests

// A client of the person who is signed in.
extension SharingClient {
    /// Creates a client of the person for whom a ``YonderRequests/RESTClient`` asks, with the same session or token.
    ///
    /// The session is read at each connection: without a session the client ends with `notSignedIn`, and so does one
    /// whose session the server ended. After the next sign-in create another one.
    ///
    /// - Parameters:
    ///   - person: The client that signed in.
    ///   - outbox: Stores unsent messages, and unsent stops if it is a ``StopStore``; the default outbox in memory loses both when
    ///     the process ends.
    ///   - settings: The client's settings; the certificates are those of `person`.
    public init(
        _ person: RESTClient,
        outbox: any OutboxStore = MemoryOutboxStore(),
        settings: ClientSettings = ClientSettings()
    ) {
        self.init(outbox: outbox, settings: settings, connect: person.links.stream(as: person.identity))
    }
}
