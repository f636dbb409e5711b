import Synchronization
import YonderClient
import YonderModel

/// An outbox in memory that keeps stops, too, unless it fails or never answers.
final class KeptOutbox: OutboxStore, StopStore {
    enum Disk: Sendable {
        case good, full, silent
    }

    private struct State {
        var stops: [String: UnsentStop] = [:]
        var user: UserID?
        var calls = 0
    }

    private let outbox = MemoryOutboxStore()
    private let disk: Disk
    private let state = Mutex(State())

    init(_ disk: Disk = .good) {
        self.disk = disk
    }

    /// The stops that are kept, by the time of the tap.
    var kept: [UnsentStop] { state.withLock { $0.stops.values.sorted { $0.time < $1.time } } }

    /// How often a stop was to be kept.
    var calls: Int { state.withLock(\.calls) }

    func append(_ draft: MessageDraft, to chat: ChatID, key: String) async throws(SharingError) -> OutboxEntry
    {
        try await outbox.append(draft, to: chat, key: key)
    }

    func remove(key: String, from chat: ChatID) async throws(SharingError) {
        try await outbox.remove(key: key, from: chat)
    }

    func entries() async throws(SharingError) -> [OutboxEntry] { try await outbox.entries() }

    func keep(_ stop: UnsentStop) async throws(SharingError) {
        state.withLock { $0.calls += 1 }
        try await answer()
        state.withLock { $0.stops[stop.id] = stop }
    }

    func remove(stop id: String) async throws(SharingError) {
        try await answer()
        state.withLock { $0.stops[id] = nil }
    }

    func stops() async throws(SharingError) -> [UnsentStop] { kept }

    func setUser(_ user: UserID) async throws(SharingError) {
        try await answer()
        state.withLock { $0.user = user }
    }

    func user() async throws(SharingError) -> UserID? { state.withLock(\.user) }

    private func answer() async throws(SharingError) {
        switch disk {
        case .good: break
        case .full: throw SharingError(.unavailable, "The disk is full.")
        case .silent: await Self.waitUntilCanceled()
        }
    }

    private static func waitUntilCanceled() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        continuation.finish()
    }
}
