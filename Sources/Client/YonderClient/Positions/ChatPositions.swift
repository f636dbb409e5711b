package import YonderGeodesy
import YonderLink
public import YonderModel
public import YonderRequests

/// Every position that a chat keeps and the caller may read: *View all locations*.
///
/// While ``follow(_:)`` runs, positions are read page by page, newest first, and changes arrive by the client's stream. The
/// newest 200 000 are held, in columns of 52 bytes a position, about 10 MB; ``earlier()`` reads the stretch before in their
/// place. What may no longer be read is erased at once: recalled and expired positions, those of expiring shares that ended,
/// and those that the chat no longer keeps. Nothing is written to disk, and all of it is gone with this object.
///
/// `AllPositions` of the app models makes one for a chat's map; an app may itself. Its owner calls ``follow(_:)`` in a task,
/// reads after each of ``revisions``, and calls the others at any time. A question that fails is asked again after `wait`,
/// unless asking can't help, which ends ``follow(_:)``. What is held and asked is decided in `PositionStretch`.
///
/// ``capacity`` may change with the memory that it takes. That erased positions go at once must stay (decision 15,
/// `PositionTests`, `PositionStretchTests`).
public actor ChatPositions {
    /// The most positions held at once.
    public static let capacity = 200_000

    /// How often expired positions are looked for.
    private static let tick = Duration.seconds(1)

    /// How long to wait before a question is asked again that failed.
    private static let wait = Duration.seconds(3)

    private let chat: ChatID
    private let requests: RESTClient
    private let clock: any Clock<Duration>
    private let deviceTime: @Sendable () -> Timestamp

    /// How far the server's clock is ahead of the device's.
    private var offset = Duration.zero
    private let revision = CurrentValue(0)
    private let (asks, asking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private var stretch: PositionStretch
    private var created: Timestamp
    private var keeping: PositionKeeping
    private var isFollowing = false

    /// Creates an empty one; ``follow(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - chat: The chat.
    ///   - requests: Reads the pages, as the same person as the client that is followed.
    public init(of chat: Chat, requests: RESTClient) {
        self.init(of: chat, requests: requests, capacity: Self.capacity)
    }

    /// Creates one with other bounds.
    package init(
        of chat: Chat,
        requests: RESTClient,
        capacity: Int,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = TimeOfDay.now
    ) {
        self.chat = chat.id
        self.requests = requests
        (self.clock, deviceTime) = (clock, now)
        (created, keeping) = (chat.created, chat.positions)
        stretch = PositionStretch(capacity: capacity)
    }

    /// Reads the positions and keeps them current until the task is canceled; call this once.
    ///
    /// Without it no change arrives, so all positions are let go when it ends.
    ///
    /// - Parameter client: A client that runs, of the same person.
    /// - Throws: `unknownChat` or `notParticipant` if the caller may not read the chat, or has left it; the error that ended the client.
    public func follow(_ client: SharingClient) async throws(SharingError) {
        precondition(!isFollowing, "Positions are followed once.")
        isFollowing = true
        defer { letGo() }
        let updates = await client.watch(PositionFeed(of: chat))
        let result = await withTaskGroup(of: Result<Void, SharingError>?.self) { group in
            group.addTask { await self.read(updates) }
            group.addTask { await self.answerQuestions() }
            group.addTask { await self.keepTime(of: client) }
            let result = await group.next() ?? nil
            group.cancelAll()
            return result
        }
        try result?.get()
    }

    /// The number of positions that can be read.
    public var count: Int { stretch.columns.readable.reduce(0, +) }

    /// The positions that can be read, in the order of their numbers.
    ///
    /// A copy of all; ``position(_:)`` finds one.
    public var positions: [HeldPosition] {
        expire()
        return (0..<stretch.columns.count).compactMap { stretch.columns[$0] }
    }

    /// The position of a message, or `nil` if it isn't held or may no longer be read.
    public func position(_ number: Int64) -> HeldPosition? {
        expire()
        return stretch.columns.index(of: number).flatMap { stretch.columns[$0] }
    }

    /// Since when positions are held, and why there are none before.
    public var reach: PositionReach {
        expire()
        return stretch.reach(at: now(), keeping: keeping, created: created)
    }

    /// Whether the newest positions are held, and new ones are appended; otherwise it is an earlier stretch.
    public var isNewest: Bool { stretch.isNewest }

    /// Whether there are older positions than those held, for ``earlier()``.
    public var hasEarlier: Bool { stretch.hasEarlier }

    /// Replaces the positions by the stretch before them; nothing if there is none.
    public func earlier() {
        stretch.earlier()
        changed()
    }

    /// Replaces an earlier stretch by the newest positions.
    public func newest() {
        stretch.newest()
        changed()
    }

    /// The chat as it is now; call this after it changed, as its owner may keep positions for another time.
    public func update(_ chat: Chat) {
        (created, keeping) = (chat.created, chat.positions)
        expire()
    }

    /// Erases a person's positions, and reads again those that are kept; call this when an expiring share of the person's is
    /// over by the clock, as the server's message of its end can't arrive without a connection.
    public func shareEnded(of person: UserID) {
        if stretch.shareEnded(of: person) { changed() }
    }

    /// A number that grows with each change of the positions; a slow reader receives only the newest.
    public nonisolated var revisions: AsyncStream<Int> { revision.stream }

    /// The server's time.
    private func now() -> Timestamp { deviceTime() + offset }

    /// Erases each second what has expired by the server's clock.
    private func keepTime(of client: SharingClient) async -> Result<Void, SharingError>? {
        while !Task.isCancelled {
            offset = await client.serverTime - deviceTime()
            expire()
            try? await clock.sleep(for: Self.tick)
        }
        return nil
    }

    private func letGo() {
        stretch.letGo()
        changed()
    }

    private func changed() {
        revision.set(stretch.revision)
        asking.yield()
    }

    private func expire() {
        stretch.expire(at: now(), keeping: keeping)
        revision.set(stretch.revision)
    }

    private func read(_ updates: LiveUpdates<Int64, Message>) async -> Result<Void, SharingError>? {
        do throws(SharingError) {
            for try await update in updates {
                switch update {
                case .list(let through): stretch.begin(through: through)
                case .change(let message): _ = stretch.receive(message)
                }
                changed()
            }
            return nil
        } catch {
            return .failure(error)
        }
    }

    private func answerQuestions() async -> Result<Void, SharingError>? {
        for await _ in asks {
            while !Task.isCancelled, let question = stretch.next() {
                if let error = await answer(question) { return .failure(error) }
            }
        }
        return nil
    }

    /// Asks the server.
    ///
    /// - Returns: An error after which asking again can't help.
    private func answer(_ question: PositionStretch.Question) async -> SharingError? {
        do throws(SharingError) {
            let page = try await requests.messages(in: chat, conditions(of: question))
            stretch.answered(question, page.messages, first: page.first, previous: page.previous)
            changed()
            return nil
        } catch {
            stretch.failed(question)
            if error.endsSubscription { return error }
            try? await clock.sleep(for: error.retryAfter ?? Self.wait)
            return nil
        }
    }

    private func conditions(of question: PositionStretch.Question) -> MessageConditions {
        var conditions = MessageConditions()
        conditions.tag = .location
        conditions.before = question.before
        conditions.sender = question.sender
        conditions.limit = question.limit
        // What the chat keeps no longer is passed over by the server.
        conditions.from = keeping.period.map { now() - $0 }
        return conditions
    }
}
