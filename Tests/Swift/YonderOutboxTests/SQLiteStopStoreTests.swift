import TestSupport
import Testing
import YonderClient
import YonderGeodesy
import YonderModel
import YonderOutbox

struct SQLiteStopStoreTests {
    private let folder = TemporaryFolder()

    private static func stop(_ id: String, at seconds: Int, user: UserID? = nil) -> UnsentStop {
        UnsentStop(
            id: id,
            user: user,
            chat: user.map { _ in ChatID.random() },
            share: user.map { _ in ShareID.random() },
            time: Timestamp(milliseconds: 1_764_000_000_000) + .seconds(seconds),
            before: Timestamp(milliseconds: 1_764_000_000_500) + .seconds(seconds)
        )
    }

    @Test
    func `stops are there after the outbox was opened again, by the time of the tap, until they are removed`()
        async throws
    {
        let user = UserID.random()
        let stops = [Self.stop("\0", at: 1, user: user), Self.stop("a", at: 2)]
        var store = try SQLiteOutboxStore.open(folder: folder.path)
        for stop in stops.reversed() { try await store.keep(stop) }
        #expect(try await store.user() == nil)
        try await store.setUser(.random())
        try await store.setUser(user)
        try store.close()

        store = try SQLiteOutboxStore.open(folder: folder.path)
        #expect(try await store.stops() == stops)
        #expect(try await store.user() == user)
        try await store.remove(stop: "\0")
        try await store.remove(stop: "b")
        var changed = stops[1]
        changed.user = user
        try await store.keep(changed)
        #expect(try await store.stops() == [changed])
        #expect(try await store.entries().isEmpty)
        try store.close()
    }

    @Test func `no more than a thousand stops are kept, and each can be changed`() async throws {
        let store = try SQLiteOutboxStore.open(folder: folder.path)
        for number in 0..<UnsentStop.limit { try await store.keep(Self.stop("\(number)", at: number)) }
        try await store.keep(Self.stop("7", at: 7))
        let error = await #expect(throws: SharingError.self) { try await store.keep(Self.stop("a", at: 0)) }
        #expect(error?.code == .tooMany)
        try store.close()
    }

    @Test func `a closed outbox refuses a stop`() async throws {
        let store = try SQLiteOutboxStore.open(folder: folder.path)
        try store.close()
        let error = await #expect(throws: SharingError.self) { try await store.keep(Self.stop("a", at: 0)) }
        #expect(error?.code == .unavailable)
    }
}
