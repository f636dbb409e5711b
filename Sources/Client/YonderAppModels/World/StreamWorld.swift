public import YonderClient
import YonderGeodesy
import YonderModel

// `PersonModels` uses it after `SocketIOWorld`, where that is refused because the world is open to members alone;
// `WorldModel` runs and calls it. Only ``run(_:)`` throws: the error with which the server refuses the client, such as
// `worldClosed`. Without a connection a place isn't kept, as the model sends it again. That hiding ends the connection must
// stay: the pin stands as long as its connection (`WorldModelTests`, decision 33).
extension WorldChannel {
    /// Creates a channel over the stream: the same pins and ids as over Socket.IO.
    ///
    /// - Parameter makeClient: Makes a client for the world alone, which the channel runs; hiding the caller ends its connection, as
    ///   the world has no other way to take a pin away.
    public init(makeClient: @escaping @Sendable () -> SharingClient) {
        let world = StreamWorld(makeClient)
        self.init(
            run: { (receive) async throws(SharingError) in try await world.run(receive) },
            show: { await world.show($0) },
            hide: { await world.hide() }
        )
    }
}

/// The world over connections of its own, one after another.
private actor StreamWorld {
    private let makeClient: @Sendable () -> SharingClient
    private var client: SharingClient?

    /// Ends the connection of now, and lets the next one begin.
    private var end: AsyncStream<Void>.Continuation?

    init(_ makeClient: @escaping @Sendable () -> SharingClient) {
        self.makeClient = makeClient
    }

    func show(_ place: Coordinate) async {
        await client?.movePin(to: place)
    }

    func hide() {
        end?.finish()
    }

    func run(_ receive: @escaping WorldChannel.Receive) async throws(SharingError) {
        while !Task.isCancelled {
            let client = makeClient()
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            (self.client, self.end) = (client, end)
            let error = await Self.follow(client, until: ends, receive)
            await receive(.disconnected)
            if let error { throw error }
        }
    }

    /// Runs a client and passes on what happens, until it is refused or the stream ends.
    private nonisolated static func follow(
        _ client: SharingClient,
        until ends: AsyncStream<Void>,
        _ receive: @escaping WorldChannel.Receive
    ) async -> SharingError? {
        await withTaskGroup(of: SharingError?.self) { group in
            group.addTask { await refusal { () async throws(SharingError) in try await client.run() } }
            group.addTask {
                await refusal { () async throws(SharingError) in try await read(client, receive) }
            }
            group.addTask {
                for await isConnected in client.connections where !isConnected {
                    await receive(.disconnected)
                }
                return nil
            }
            group.addTask {
                for await _ in ends {}
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    private nonisolated static func refusal(
        of work: () async throws(SharingError) -> Void
    ) async -> SharingError? {
        do throws(SharingError) {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    private nonisolated static func read(
        _ client: SharingClient,
        _ receive: WorldChannel.Receive
    ) async throws(SharingError) {
        var updates = await client.world().makeAsyncIterator()
        while let update = try await updates.next() {
            switch update {
            case .list(let world): await receive(.connected(world.people))
            case .change(.moved(let id, let place?)): await receive(.moved(id, place))
            case .change(.moved(let id, nil)): await receive(.joined(id))
            case .change(.left(let id)): await receive(.left(id))
            }
        }
    }
}
