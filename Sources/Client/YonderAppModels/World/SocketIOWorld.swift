import YonderGeodesy
public import YonderModel
public import YonderSocketIOClient

// `PersonModels` uses it first, and `StreamWorld` where this one is refused; `WorldModel` runs and calls it. Only ``run(_:)``
// throws: the error with which the server refuses the client. An event that isn't the world's is ignored. Names of events and
// the text of a position must stay, as other projects' clients and servers speak them (`SocketIOWorldTests`,
// `Documentation/socket-io.md`).
extension WorldChannel {
    /// Creates a channel over Socket.IO, as the first app of a world of pins had it.
    ///
    /// Socket.IO carries no sign-in. A server whose world is off, or open to its members alone, refuses the client with `worldClosed`.
    ///
    /// - Parameter makeClient: Makes a client of the world's server, which the channel runs; hiding the caller ends its connection, as
    ///   the world has no other way to take a pin away.
    public init(socketIO makeClient: @escaping @Sendable () throws(SharingError) -> SocketIOClient) {
        let world = SocketIOWorld(makeClient)
        self.init(
            run: { (receive) async throws(SharingError) in try await world.run(receive) },
            show: { await world.show($0) },
            hide: { await world.hide() }
        )
    }
}

/// The world over connections of its own, one after another.
private actor SocketIOWorld {
    private let makeClient: @Sendable () throws(SharingError) -> SocketIOClient
    private var client: SocketIOClient?

    init(_ makeClient: @escaping @Sendable () throws(SharingError) -> SocketIOClient) {
        self.makeClient = makeClient
    }

    func show(_ place: Coordinate) async {
        // Without a connection nothing is sent; the model repeats the call at the next one.
        try? await client?.emit("location", "\(SixDecimals(place.latitude)),\(SixDecimals(place.longitude))")
    }

    func hide() async {
        await client?.disconnect()
    }

    func run(_ receive: @escaping WorldChannel.Receive) async throws(SharingError) {
        while !Task.isCancelled {
            let client = try makeClient()
            self.client = client
            let error = await Self.follow(client, receive)
            self.client = nil
            await receive(.disconnected)
            if let error { throw error }
        }
    }

    /// Runs a client and passes its events on, until it leaves or is refused.
    private nonisolated static func follow(
        _ client: SocketIOClient,
        _ receive: @escaping WorldChannel.Receive
    ) async -> SharingError? {
        let events = client.on("connect", "disconnect", "join", "update", "disappear")
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in events {
                    if let event = WorldChannel.Event(event) { await receive(event) }
                }
            }
            defer { group.cancelAll() }
            do throws(SharingError) {
                try await client.run()
                return nil
            } catch {
                return error.code == .notAllowed ? SharingError(.worldClosed, error.message) : error
            }
        }
    }
}

extension WorldChannel.Event {
    /// Reads an event of the world or the client's own; `nil` for one that isn't as the world sends it.
    init?(_ event: SocketIOEvent) {
        switch (event.name, event.string) {
        // After a connection has opened, the server sends a `join` for each other member.
        case ("connect", _): self = .connected([:])
        case ("disconnect", _): self = .disconnected
        case ("join", let id?): self = .joined(id)
        case ("disappear", let id?): self = .left(id)
        case ("update", let text?): self.init(update: text)
        default: return nil
        }
    }

    /// Reads `<id>:<latitude>,<longitude>`.
    private init?(update: String) {
        let parts = update.split(separator: ":", maxSplits: 1)
        let numbers = parts.last?.split(separator: ",").map { Double($0) } ?? []
        guard parts.count == 2, numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self = .moved(String(parts[0]), place)
    }
}
