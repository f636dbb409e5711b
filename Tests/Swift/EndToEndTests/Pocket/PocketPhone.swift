import Foundation
import LocationTestSupport
import TestSupport
import Testing
import YonderClient
import YonderGeodesy
import YonderHub
import YonderLocation
import YonderModel
import YonderRules
import YonderOutbox
import YonderPocket
import YonderRequests
import YonderStorage

@testable import YonderAppModels

/// A simulated phone: it keeps the outbox's folder and the pocket's record, and starts processes of the app, whose memory is lost at their end.
@MainActor final class PocketPhone {
    /// A process of the app.
    @MainActor struct Process {
        let system: MemoryPocketSystem
        let pocket: PocketSharing
        let model: SharingModel
        let store: SQLiteOutboxStore
    }

    let server: TestServer
    let person: Person
    let chat: ChatID
    let clock: DayClock
    let line = Line()

    /// The record on disk.
    let record = MemoryPocketRecordStore()

    /// The fixes that Core Location gave to the app while it shared.
    private(set) var recorded: [Position] = []

    /// The notifications that were shown, each with the second of the clock.
    let notices = Recorder<ShownNotice>()

    /// A notification that was shown.
    struct ShownNotice: Sendable {
        let second: Int
        let text: String
    }

    private let folder: String
    private let user: User

    init(_ server: TestServer, _ person: Person, in chat: ChatID, folder: String, clock: DayClock) {
        (self.server, self.person, self.chat, self.folder, self.clock) = (server, person, chat, folder, clock)
        user = User(id: person.id, name: "Ada")
    }

    private var context: AppContext {
        AppContext(languages: ["en"], timeZone: .gmt, clock: clock.waits, now: { [clock] in clock.now })
    }

    /// Runs a process beside `body`, and ends it without a warning: its memory is gone, its outbox and its record stay.
    func running(_ body: @MainActor (Process) async throws -> Void) async throws {
        let store = try SQLiteOutboxStore.open(folder: folder)
        let requests = try RESTClient(server: server.url, token: person.token)
        let client = line.client(of: requests, outbox: store, now: { [clock] in clock.now })
        let system = MemoryPocketSystem()
        let pocket = PocketSharing(
            on: system,
            record: record,
            notice: { [context, clock, notices] until in
                let notice = context.pocketNotice(until: until)
                // Without an end it is the button that is registered: every share of the day has an end.
                if until != nil { notices.record(ShownNotice(second: clock.seconds, text: notice.text)) }
                return notice
            },
            now: { [clock] in clock.now }
        )
        let model = SharingModel(
            of: SignedInUser(user, requests: requests, client: client),
            from: LocationProvider(source: MemorySource()),
            pocket: pocket,
            context
        )
        pocket.launch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await client.run() }
            group.addTask { await model.run() }
            defer { group.cancelAll() }
            try await body(Process(system: system, pocket: pocket, model: model, store: store))
        }
        try store.close()
    }

    // MARK: - The phone's day

    /// Moves the clock to a second of the day, five minutes at a time, so that the model's own clock ticks meanwhile.
    func pass(to second: Int, in process: Process?) async {
        while clock.seconds < second {
            if process != nil { await clock.waits.waitForSleepers() }
            clock.waits.advance(by: .seconds(min(300, second - clock.seconds)))
            if process != nil { await clock.waits.waitForSleepers() }
        }
    }

    /// Gives an update to the app; one that is under way at a stop doesn't count as recorded.
    func send(_ update: PocketUpdate, to process: Process) {
        let isShared = !process.pocket.wanted.isEmpty
        if process.system.send(update), isShared, let position = update.position { recorded.append(position) }
    }

    /// Waits until what was recorded is in the outbox, or at the server.
    func waitUntilKept(in process: Process) async throws {
        while true {
            let waiting = try await process.store.entries().compactMap {
                $0.draft.data?.position(at: clock.now)?.timestamp
            }
            let kept = Set(waiting).union(try await sent().map(\.timestamp))
            if kept.isSuperset(of: recorded.map(\.timestamp)) { return }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits until the server has everything.
    func waitUntilSent(in process: Process) async throws {
        while try await !process.store.entries().isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The positions at the server, by their numbers.
    func sent() async throws -> [Position] {
        var positions: [Position] = []
        var last: Int64 = 0
        while true {
            let page = try await server.store.messages(
                after: last,
                MessageFilter(chat: chat),
                limit: 1_000,
                reader: person.id,
                now: clock.now
            )
            positions += page.messages.compactMap {
                $0.tag == .location ? $0.data?.position(at: clock.now) : nil
            }
            last = page.messages.last?.number ?? last
            if page.isComplete || page.messages.isEmpty { return positions }
        }
    }
}

/// The one clock of a server and of a phone, which a test moves by hand.
final class DayClock: Sendable {
    let waits = ManualClock()
    let start = Timestamp(milliseconds: Timestamp.now.milliseconds / 1_000 * 1_000)

    var now: Timestamp { start + waits.now.offset }

    var seconds: Int { Int(waits.now.offset.components.seconds) }
}
