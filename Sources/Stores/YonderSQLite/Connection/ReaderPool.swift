import Dispatch
import Synchronization
import YonderModel

/// Connections that read one database, each lent to one caller at a time.
///
/// Callers are served in the order in which they came. While ``waitingLimit`` of them wait, further ones are refused.
///
/// `DatabasePool` has one, and lends a reader for each read. If a reader can't be opened, its caller gets the error; if no
/// other reader is open, all waiting callers get that error, too. Above ``waitingLimit`` a caller is refused as busy. Two
/// rules must stay: callers are served in their order, and each gets exactly one answer (`DatabasePoolTests`,
/// `LongReadTests`). `SQLiteFile` sets the number of readers.
final class ReaderPool: Sendable {
    typealias Work = @Sendable (Result<Database, any Error>) -> Void

    /// The most callers that wait.
    static let waitingLimit = 10_000

    private struct State {
        var idle: [DatabaseQueue] = []
        var count = 0
        var waiting: [Work] = []
        var isClosed = false
    }

    private enum Step {
        case use(DatabaseQueue)
        case open
        case wait
        case refuse(any Error)
    }

    private let path: String
    private let settings: DatabaseSettings
    private let limit: Int
    private let state = Mutex(State())
    private let opening = DispatchQueue(label: "yonder.readers")
    private let active = DispatchGroup()

    /// Creates it without a connection.
    init(path: String, settings: DatabaseSettings, limit: Int) {
        var settings = settings
        settings.isReadOnly = true
        (self.path, self.settings, self.limit) = (path, settings, limit)
    }

    /// Calls `work` with a reader, on the reader's queue; or with the reason why there is none.
    func lend(_ work: @escaping Work) {
        switch state.withLock({ step(&$0, work) }) {
        case .use(let reader): run(work, on: reader)
        case .open: opening.async { [self] in open(for: work) }
        case .wait: break
        case .refuse(let error): work(.failure(error))
        }
    }

    private func step(_ state: inout State, _ work: @escaping Work) -> Step {
        guard !state.isClosed else { return .refuse(DatabaseError.closed) }
        guard state.waiting.count < Self.waitingLimit else { return .refuse(SharingError.storeBusy) }
        active.enter()
        if let reader = state.idle.popLast() { return .use(reader) }
        guard state.count < limit else {
            state.waiting.append(work)
            return .wait
        }
        state.count += 1
        return .open
    }

    private func open(for work: @escaping Work) {
        do {
            run(work, on: try DatabaseQueue(path: path, settings: settings))
        } catch {
            // Without any reader, no end of a read would serve those that wait.
            let refused = state.withLock { state in
                state.count -= 1
                defer { if state.count == 0 { state.waiting = [] } }
                return state.count == 0 ? [work] + state.waiting : [work]
            }
            for work in refused {
                work(.failure(error))
                active.leave()
            }
        }
    }

    private func run(_ work: @escaping Work, on reader: DatabaseQueue) {
        reader.enqueue { [self] database in
            work(database)
            giveBack(reader)
            active.leave()
        }
    }

    private func giveBack(_ reader: DatabaseQueue) {
        let next: Work? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(reader)
            return nil
        }
        if let next { run(next, on: reader) }
    }

    /// Closes every connection, after the work that has begun or waits; later work is refused.
    func close() throws {
        state.withLock { $0.isClosed = true }
        active.wait()
        let readers = state.withLock { state in
            defer { (state.idle, state.count) = ([], 0) }
            return state.idle
        }
        for reader in readers { try reader.close() }
    }
}
