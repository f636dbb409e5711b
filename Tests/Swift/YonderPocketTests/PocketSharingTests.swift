import Testing
import YonderGeodesy
import YonderLocation
import YonderModel

@testable import YonderPocket

@Suite(.timeLimit(.minutes(20))) @MainActor struct PocketSharingTests {
    @Test func `each fix is recorded in order, under a task that ends when it is sent`() async throws {
        let app = try App()
        app.pocket.launch()
        app.system.send(.cameToView)
        try await app.running {
            app.pocket.shareStarted(app.phone.share(), of: app.phone.user)
            await app.wait { app.system.isFollowed }
            for number in 0..<50 { #expect(app.system.send(app.update(number))) }
            await app.wait { app.recorded.count == 50 && !app.system.hasTask }
            #expect(app.recorded == (0..<50).map { app.update($0).position })
            #expect(app.system.send(PocketUpdate(position: nil, isStationary: true)))
            await app.wait { app.pocket.isResting }
            app.pocket.shareEnded()
            await app.wait { !app.system.isFollowed }
            #expect(!app.system.hasSession && app.store.record == nil)
        }
    }

    @Test func `the next process begins its session at once, and takes the share up before a fix`()
        async throws
    {
        let store = MemoryPocketRecordStore(try Phone.sharing().record())
        let app = try App(store)
        app.pocket.launch()
        #expect(app.system.calls == [.beginSession, .beginTask, .ignoreMoves])
        #expect(app.system.stopTitle == "Stop")
        try await app.running {
            await app.wait { app.system.isFollowed }
            await app.wait { app.works.count == 2 }
            #expect(app.works.contains(.takeUp(app.phone.share())) && app.works.contains(.send))
            app.system.send(app.update(1))
            await app.wait { app.recorded.count == 1 }
        }
    }

    @Test func `stop in the notification is performed once there is an app to perform it`() async throws {
        let store = MemoryPocketRecordStore(try Phone.sharing().record())
        let app = try App(store)
        app.pocket.launch()
        app.system.send(.stopTapped)
        #expect(!app.system.hasSession && store.record?.wanted == [])
        #expect(store.record?.stopping == [app.phone.share().chat])
        try await app.running {
            await app.wait { store.record == nil && !app.system.hasTask }
            #expect(app.works.contains(.stop([app.phone.share().chat])))
            #expect(!app.works.contains(.takeUp(app.phone.share())))
        }
    }

    @Test func `a record that was locked at the launch is taken up after the unlock`() async throws {
        let store = MemoryPocketRecordStore(try Phone.sharing().record())
        store.isLocked = true
        let app = try App(store)
        app.pocket.launch()
        #expect(app.pocket.isLocked && app.system.calls.isEmpty)
        try await app.running {
            store.isLocked = false
            app.system.send(.dataBecameReadable)
            await app.wait { app.system.isFollowed }
            #expect(app.works.contains(.takeUp(app.phone.share())))
        }
    }

    @Test func `updates that the system ended are read again`() async throws {
        let app = try App()
        app.pocket.launch()
        app.system.send(.cameToView)
        try await app.running {
            app.pocket.shareStarted(app.phone.share(), of: app.phone.user)
            await app.wait { app.system.isFollowed }
            app.system.endUpdates()
            await app.wait { !app.system.isFollowed }
            while !app.system.isFollowed, !Task.isCancelled {
                app.pocket.timePassed()
                await Task.yield()
            }
        }
    }

    @Test func `a record that can't be kept is removed rather than left as it was`() throws {
        let app = try App()
        app.pocket.launch()
        app.system.send(.cameToView)
        app.store.isLocked = true
        app.pocket.shareStarted(app.phone.share(), of: app.phone.user)
        #expect(app.store.record == nil && app.system.hasSession)
    }
}

/// An app over a simulated phone, whose work is noted.
@MainActor private final class App {
    enum Work: Equatable {
        case takeUp(PocketShare)
        case send
        case stop(Set<ChatID>)
    }

    let phone: Phone
    let system = MemoryPocketSystem()
    let store: MemoryPocketRecordStore
    let pocket: PocketSharing
    private(set) var works: [Work] = []
    private(set) var recorded: [Position?] = []

    init(_ store: MemoryPocketRecordStore = MemoryPocketRecordStore()) throws {
        phone = try Phone()
        self.store = store
        let now = phone.minute(1)
        pocket = PocketSharing(
            on: system,
            record: store,
            notice: { _ in PocketNotice(text: "You share", stop: "Stop") },
            now: { now }
        )
    }

    func update(_ number: Int) -> PocketUpdate {
        let coordinate = Coordinate(latitude: 47, longitude: 9 + Double(number) / 1_000)
        return PocketUpdate(
            position: coordinate.map { Position(coordinate: $0, timestamp: phone.minute(number)) }
        )
    }

    func running(_ body: @MainActor () async throws -> Void) async throws {
        let work = PocketWork(
            takeUp: { self.works.append(.takeUp($0)) },
            record: { update in
                await Task.yield()
                if update.position != nil { self.recorded.append(update.position) }
            },
            send: { self.works.append(.send) },
            stop: {
                self.works.append(.stop($0))
                return $0
            }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.pocket.run(work) }
            defer { group.cancelAll() }
            try await body()
        }
    }

    func wait(until isTrue: () -> Bool) async {
        while !isTrue(), !Task.isCancelled { await Task.yield() }
    }
}
