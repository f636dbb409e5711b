public import YonderGeodesy
public import YonderModel

/// Shows what is in the visible part of a map as its user moves it: one ``RegionQuery``, its clock, and whoever is asked.
///
/// It works while ``run()`` runs, in a task of the caller's.
public actor RegionBrowser<Item: Locatable> {
    /// Asks a server for what is in a region, and for how many at most.
    public typealias Ask =
        @Sendable (_ region: Region, _ limit: Int) async throws(SharingError) -> RegionAnswer<Item>

    /// What there is to show.
    public enum Event: Hashable, Sendable {
        /// Show this, in place of what was shown.
        case show(RegionAnswer<Item>)
        /// The server couldn't be asked; what is shown stays.
        case failure(SharingError)
    }

    /// What is to be done while it runs.
    ///
    /// The newest wait is the only one, and the query bounds the questions.
    private struct Chores {
        var wake: (after: Duration, turn: Int)?
        var questions: [RegionQuery<Item>.Question] = []
    }

    /// What there is to show; the newest sixteen if nobody reads.
    public nonisolated let events: AsyncStream<Event>

    private let continuation: AsyncStream<Event>.Continuation
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let ask: Ask
    private var query: RegionQuery<Item>
    private var chores = Chores()

    /// Which of the waits is the newest.
    private var turn = 0

    /// Prepares it; ``run()`` lets it work.
    ///
    /// - Parameters:
    ///   - query: Decides.
    ///   - clock: Measures time.
    ///   - ask: Asks the server, as ``SharingClient/findPlaces(of:field:in:limit:)`` does.
    public init(
        _ query: RegionQuery<Item>,
        clock: any Clock<Duration> = ContinuousClock(),
        ask: @escaping Ask
    ) {
        self.query = query
        self.clock = clock
        self.ask = ask
        stopwatch = Stopwatch(clock)
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The map shows another region.
    public func look(at region: Region) {
        perform(query.look(at: region, at: stopwatch.elapsed()))
    }

    /// Asks about the same region again, whatever is kept.
    public func refresh() {
        perform(query.again(at: stopwatch.elapsed()))
    }

    /// Forgets what is kept of this query, because something was changed there; what is shown stays.
    public func forget() {
        query.cache.forget(query.source)
    }

    /// Waits and asks, until the task is canceled.
    public func run() async {
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
        continuation.finish()
    }

    private func perform(_ actions: [RegionQuery<Item>.Action]) {
        for action in actions {
            switch action {
            case .wait(let until):
                turn += 1
                chores.wake = (until - stopwatch.elapsed(), turn)
            case .ask(let question): chores.questions.append(question)
            case .show(let answer, _): continuation.yield(.show(answer))
            case .fail(let error, _): continuation.yield(.failure(error))
            }
        }
        signal.yield()
    }

    private func take() -> Chores {
        defer { chores = Chores() }
        return chores
    }

    private func wake(after wait: Duration, turn: Int) async {
        try? await clock.sleep(for: wait)
        guard turn == self.turn, !Task.isCancelled else { return }
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
