public import YonderGeodesy
public import YonderModel

/// Shares a source's positions through a client, with any number of audiences.
///
/// An app, or `SharingModel`, has one for its client: it runs ``run(from:)`` in a task and starts and ends audiences at any
/// time, also twice. Only ``end(with:)`` throws. A position that can't be put into the outbox is dropped and logged; the next
/// one is tried again. Which audiences get which fix is decided in `Sharing` (`SharingTests`, `Documentation/sharing.md`).
/// That the source is released after the last audience must stay.
public actor LocationSharing {
    private let client: SharingClient
    private var sharing = Sharing()

    /// Signals to ``run(from:)`` that a source is needed; only the newest signal counts.
    private var start: AsyncStream<Void>.Continuation?
    private var stop: AsyncStream<Void>.Continuation?

    /// Creates a sharing through a client; ``run(from:)`` supplies the positions.
    public init(over client: SharingClient) {
        self.client = client
    }

    /// The audiences with which the position is shared now.
    public var audiences: Set<Sharing.Audience> { sharing.audiences }

    /// Begins to share with an audience, which gets the last fix at once if there is one.
    public func start(with audience: Sharing.Audience) async {
        let due = sharing.start(with: audience)
        start?.yield()
        await client.deliver(due)
    }

    /// Ends sending to an audience; after the last one, the source is released.
    ///
    /// The caller's shares in a chat go on without positions, until the server ends them; ``end(with:)`` ends them, too.
    public func stop(with audience: Sharing.Audience) async {
        sharing.stop(with: audience)
        if audience == .world { await client.removePin() }
        if !sharing.isOn { stop?.finish() }
    }

    /// Ends sending to an audience, and every share of the caller's there.
    ///
    /// Doesn't wait for the server: ``SharingClient/waitingStops`` lists the stop until the server has it. Begin a share with
    /// ``SharingClient/startShare(in:_:)`` before sharing again in the chat; the server refuses positions without one.
    ///
    /// - Throws: `tooMany` if ``UnsentStop/limit`` stops wait for the server.
    public func end(with audience: Sharing.Audience) async throws(SharingError) {
        await stop(with: audience)
        if case .chat(let chat) = audience { try await client.postStop(in: chat) }
    }

    /// Reads positions from a source while sharing is on, until the source ends or the task is canceled.
    ///
    /// May be called again then.
    ///
    /// - Parameter source: Opens the source; called each time sharing begins after it was off.
    public func run<Source: AsyncSequence & Sendable>(
        from source: @escaping @Sendable () -> Source
    ) async where Source.Element == Position, Source.Failure == Never {
        // A stream whose reader was canceled has ended, so each run has its own.
        let (starts, start) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.start = start
        if sharing.isOn { start.yield() }
        for await _ in starts {
            guard sharing.isOn else { continue }
            guard await follow(source()) else { return }
        }
    }

    /// Reads a source while sharing is on; `false` if the source has ended.
    private func follow<Source: AsyncSequence & Sendable>(
        _ source: Source
    ) async -> Bool where Source.Element == Position, Source.Failure == Never {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        self.stop = stop
        defer { self.stop = nil }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await fix in source { await self.take(fix) }
                return false
            }
            group.addTask {
                for await _ in stops {}
                return true
            }
            let wasStopped = await group.next() ?? false
            group.cancelAll()
            return wasStopped
        }
    }

    /// Sends a fix to every audience; returns when it is in the outbox.
    package func take(_ fix: Position) async {
        await client.deliver(sharing.take(fix))
    }
}
