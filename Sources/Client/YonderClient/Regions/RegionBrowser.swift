public import YonderGeodesy
public import YonderModel

/// Shows the items in the visible part of a map while its user moves it: drives one ``RegionQuery`` with a
/// clock and a server.
///
/// Works while ``run()`` runs, in a task of the caller's.
///
/// An app's model makes one for a map (`PlacesModel`), passes each region that the map shows, from any task, and draws the
/// events in their order. Nothing throws: a question that fails is an event, and the answer shown stays. What to
/// ask, to wait for and to keep is decided by ``RegionQuery``, the same as on the page (`RegionQueryFixtureTests`).
///
/// The sixteen events may change. That the newest answer is the last event must stay (`RegionUpdatesTests`, `MailboxTests`).
public actor RegionBrowser<Item: Locatable> {
    /// Asks a server for the items in a region, up to a limit.
    public typealias Ask =
        @Sendable (_ region: Region, _ limit: Int) async throws(SharingError) -> RegionAnswer<Item>

    /// An event for the map view.
    public enum Event: Hashable, Sendable {
        /// Show this answer, in place of the previous one.
        case show(RegionAnswer<Item>)
        /// The server couldn't be reached; the answer shown stays.
        case failure(SharingError)
    }

    /// The waits and questions to start while the browser runs.
    ///
    /// Only the newest wait counts, and the query bounds the number of questions.
    private struct Chores {
        var wake: (after: Duration, turn: Int)?
        var questions: [RegionQuery<Item>.Question] = []
    }

    /// The events for the map view; the newest sixteen are kept for a slow reader.
    ///
    /// A stream ends with ``run()``, or when its reader is canceled; the next one begins with what wasn't read.
    public nonisolated var events: AsyncStream<Event> { mailbox.stream }

    private nonisolated let mailbox = Mailbox<Event>(capacity: 16)
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let ask: Ask
    private var query: RegionQuery<Item>
    private var chores = Chores()

    /// Signals to ``run()`` that there are chores.
    private var signal: AsyncStream<Void>.Continuation?

    /// The number of the newest run.
    private var runs = 0

    /// The number of the newest wait.
    private var turn = 0

    /// Creates a browser; ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - query: Decides what to ask and what to show.
    ///   - clock: The clock for waits.
    ///   - ask: Asks the server, as ``SharingClient/findObjects(of:field:in:limit:)`` does.
    public init(
        _ query: RegionQuery<Item>,
        clock: any Clock<Duration> = ContinuousClock(),
        ask: @escaping Ask
    ) {
        self.query = query
        self.clock = clock
        self.ask = ask
        stopwatch = Stopwatch(clock)
    }

    /// Call this when the map shows another region.
    public func look(at region: Region) {
        perform(query.look(at: region, at: stopwatch.elapsed()))
    }

    /// Asks the server about the same region again, ignoring the cache.
    public func refresh() {
        perform(query.again(at: stopwatch.elapsed()))
    }

    /// Removes this query's answers from the cache after a change; the answer shown stays.
    public func forget() {
        query.cache.forget(query.source)
    }

    /// Performs waits and questions until the task is canceled; may be called again then.
    public func run() async {
        // A stream whose reader was canceled has ended, so each run has its own.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signal = signal
        runs += 1
        let number = runs
        mailbox.reopen()
        signal.yield()
        await perform(signals)
        if number == runs { mailbox.end() }
    }

    private func perform(_ signals: AsyncStream<Void>) async {
        await withDiscardingTaskGroup { group in
            for await _ in signals {
                let chores = take()
                if let wake = chores.wake {
                    group.addTask { await self.wake(after: wake.after, turn: wake.turn) }
                }
                for question in chores.questions {
                    group.addTask { await self.ask(question) }
                }
            }
            group.cancelAll()
        }
    }

    private func perform(_ actions: [RegionQuery<Item>.Action]) {
        for action in actions {
            switch action {
            case .wait(let until):
                turn += 1
                chores.wake = (until - stopwatch.elapsed(), turn)
            case .ask(let question): chores.questions.append(question)
            case .show(let answer, _): mailbox.put(.show(answer))
            case .fail(let error, _): mailbox.put(.failure(error))
            }
        }
        signal?.yield()
    }

    private func take() -> Chores {
        defer { chores = Chores() }
        return chores
    }

    private func wake(after wait: Duration, turn: Int) async {
        try? await clock.sleep(for: wait)
        guard turn == self.turn else { return }
        // The next run wakes the query.
        guard !Task.isCancelled else { return chores.wake = (.zero, turn) }
        perform(query.wake(at: stopwatch.elapsed()))
    }

    private func ask(_ question: RegionQuery<Item>.Question) async {
        do throws(SharingError) {
            let answer = try await ask(question.region, question.limit)
            perform(
                query.answered(question.number, answer.items, total: answer.total, at: stopwatch.elapsed())
            )
        } catch {
            perform(query.failed(question.number, error, at: stopwatch.elapsed()))
        }
    }
}
