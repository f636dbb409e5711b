import YonderLink
public import YonderModel
public import YonderRequests

// A client of the person who is signed in: what ties the stream to a `RESTClient` belongs here. Creating it can't fail; it
// must share the `RESTClient`'s session, or a sign-out would leave a stream open.
extension SharingClient {
    /// Creates a client of the person for whom a ``YonderRequests/RESTClient`` asks, with the same session or token.
    ///
    /// An app creates one after each sign-in, as `SignInModel` does, and runs ``run()`` until the person signs out. Creating
    /// one neither connects nor throws, as `person` has a valid address. The session is read at each connection: without a
    /// session ``run()`` throws `notSignedIn`, and so does that of a client whose session the server ended; the device's
    /// session is then forgotten (`RESTClientTests`). After the next sign-in create another one.
    ///
    /// - Parameters:
    ///   - person: The client that signed in.
    ///   - outbox: Stores unsent messages, and unsent stops if it is a ``StopStore``; the default outbox in memory loses
    ///     both when the process ends.
    ///   - settings: The client's settings; the certificates are those of `person`.
    public init(
        _ person: RESTClient,
        outbox: any OutboxStore = MemoryOutboxStore(),
        settings: ClientSettings = ClientSettings()
    ) {
        self.init(outbox: outbox, settings: settings, connect: person.links.stream(as: person.identity))
    }
}
