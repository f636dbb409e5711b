import LocationTestSupport
import TestSupport
import Testing
import YonderClient
import YonderGeodesy
import YonderHub
import YonderLocation
import YonderModel
import YonderOutbox
import YonderPocket
import YonderStorage

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct PocketDayTests {
    @Test func `a day in a pocket: nothing recorded is lost, and nothing is sent that was stopped`()
        async throws
    {
        let clock = DayClock()
        try await withFolder { folder in
            try await TestServer.running(folder: folder + "/server", now: { clock.now }) {
                @MainActor server in
                let (ada, _, chat) = try await server.pair()
                let phone = PocketPhone(server, ada, in: chat, folder: folder + "/outbox", clock: clock)
                var player = PocketDayPlayer(phone)
                try await player.play()

                // As many as the day has between its start and the stop, without the five before the unlock.
                #expect(phone.recorded.count == 198)
                #expect(try await phone.sent().map(\.timestamp) == phone.recorded.map(\.timestamp))
                #expect(
                    try await phone.sent().map(\.coordinate) == phone.recorded.map(\.coordinate.inSixDecimals)
                )
                let share = try #require(try await server.store.shares().first { $0.chat == chat })
                let end = try #require(share.end)
                #expect(end.ending == .stopped && end.time <= player.stopTime + .seconds(1))
                #expect(end.time >= player.stopTime - .seconds(1))
                #expect(phone.record.record == nil)
                let seconds = phone.notices.values.map(\.second)
                #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 >= 3_600 }, "\(seconds)")
                #expect(seconds.count >= 4)
                #expect(
                    phone.notices.values.allSatisfy {
                        $0.text.hasPrefix("You share your position until ")
                    }
                )
            }
        }
    }
}

extension PocketDayTests {
    @Test func `the button's stop ends the pocket at once, and no later process takes the share up`()
        async throws
    {
        try await withPhone { phone, _ in
            try await phone.running { process in
                try await phone.share(in: process)
                phone.send(PocketUpdate(position: phone.position(47.141, 9.521)), to: process)
                try await phone.waitUntilKept(in: process)
                process.model.stop(in: phone.chat)
                #expect(phone.record.record == nil && !process.system.hasSession)
                try await wait { process.model.row(in: phone.chat).state == .off }
            }
            try await phone.running { process in
                #expect(process.pocket.wanted.isEmpty && !process.system.hasSession)
                try await wait { process.model.connection.text == nil }
                #expect(process.model.row(in: phone.chat).state == .off)
                try await phone.waitUntilSent(in: process)
            }
            #expect(phone.recorded.count == 1)
            #expect(try await phone.sent().count == 1)
        }
    }

    @Test func `a share that ended while no process ran ends on the phone when the server's list comes`()
        async throws
    {
        try await withPhone { phone, server in
            try await phone.running { process in try await phone.share(in: process) }
            let tablet = try Connections().client(server.url, token: phone.person.token)
            try await running(tablet) { _ = try await tablet.stopShares() }
            phone.clock.waits.advance(by: .seconds(60))
            phone.line.cut()
            try await phone.running { process in
                #expect(process.system.hasSession)
                while !process.system.isFollowed { await Task.yield() }
                process.system.send(PocketUpdate(position: phone.position(47.142, 9.522)))
                while try await process.store.entries().isEmpty { await Task.yield() }
                phone.line.mend()
                try await wait { process.model.row(in: phone.chat).state == .off }
                #expect(process.model.row(in: phone.chat).problem.hasSuffix(" ended."))
                #expect(phone.record.record == nil && !process.system.hasSession)
                try await phone.waitUntilSent(in: process)
            }
            #expect(try await phone.sent().isEmpty)
        }
    }

    private func withPhone(
        _ body: @escaping @MainActor @Sendable (PocketPhone, TestServer) async throws -> Void
    ) async throws {
        let clock = DayClock()
        try await withFolder { folder in
            try await TestServer.running(folder: folder + "/server", now: { clock.now }) {
                @MainActor server in
                let (ada, _, chat) = try await server.pair()
                let phone = PocketPhone(server, ada, in: chat, folder: folder + "/outbox", clock: clock)
                try await body(phone, server)
            }
        }
    }
}

extension PocketPhone {
    /// A position of this moment.
    fileprivate func position(_ latitude: Double, _ longitude: Double) -> Position? {
        Coordinate(latitude: latitude, longitude: longitude).map {
            Position(coordinate: $0, timestamp: clock.now)
        }
    }

    /// Begins to share, with the app in view.
    fileprivate func share(in process: Process) async throws {
        process.system.send(.cameToView)
        process.model.share(in: chat, for: .eight)
        try await wait { process.model.row(in: self.chat).state == .finding }
        while !process.system.isFollowed, !Task.isCancelled { await Task.yield() }
    }
}

/// Plays the day: each process is a part of it.
@MainActor private struct PocketDayPlayer {
    private let phone: PocketPhone
    private var rest: ArraySlice<PocketDay.Entry>
    private var isCut = false
    private(set) var stopTime: Timestamp

    init(_ phone: PocketPhone) {
        self.phone = phone
        stopTime = phone.clock.start
        let vaduz = Coordinate(latitude: 47.141, longitude: 9.521)
        rest = vaduz.map { PocketDay(from: phone.clock.start, at: $0).entries[...] } ?? []
    }

    mutating func play() async throws {
        var player = self
        try await phone.running { process in
            try await player.phone.share(in: process)
            try await player.play(in: process)
        }
        while let launch = player.rest.popFirst() {
            guard case .launched(let isLocked) = launch.moment else { continue }
            await player.phone.pass(to: launch.second, in: nil)
            player.phone.record.isLocked = isLocked
            try await player.phone.running { process in
                process.system.send(.moved)
                if !player.isCut { try await player.waitForConnection(of: process) }
                if !process.pocket.wanted.isEmpty { await waitForUpdates(of: process) }
                try await player.play(in: process)
            }
        }
        self = player
    }

    /// Plays the day until the process is ended.
    private mutating func play(in process: PocketPhone.Process) async throws {
        while let entry = rest.popFirst() {
            await phone.pass(to: entry.second, in: process)
            if entry.moment == .processEnded { return try await phone.waitUntilKept(in: process) }
            try await play(entry.moment, in: process)
        }
        try await phone.waitUntilSent(in: process)
        while try await !process.store.stops().isEmpty { await Task.yield() }
    }

    private mutating func play(_ moment: PocketDay.Moment, in process: PocketPhone.Process) async throws {
        switch moment {
        case .fix(let position): phone.send(PocketUpdate(position: position), to: process)
        case .rest(let position):
            // The position of the last fix once more, which is sent once.
            process.system.send(PocketUpdate(position: position, isStationary: true))
        case .noFix: phone.send(PocketUpdate(position: nil, failure: .positionUnavailable), to: process)
        case .comeToView: process.system.send(.cameToView)
        case .leaveView: process.system.send(.leftView)
        case .lineCut:
            // What was recorded before is sent or waits: the rest of the day shows that none of it is lost.
            isCut = true
            phone.line.cut()
        case .lineMended:
            isCut = false
            phone.line.mend()
            try await waitForConnection(of: process)
        case .unlocked:
            phone.record.isLocked = false
            process.system.send(.dataBecameReadable)
            await waitForUpdates(of: process)
        case .stopTapped:
            // A stop holds at once, also for a fix that waits to be recorded.
            try await phone.waitUntilKept(in: process)
            stopTime = phone.clock.now
            process.system.send(.stopTapped)
            while phone.record.record != nil, !Task.isCancelled { await Task.yield() }
        case .processEnded, .launched: break
        }
    }

    /// Waits until the process has a connection: while its greeting is under way, a clock that is moved would be taken for a wrong one.
    private func waitForConnection(of process: PocketPhone.Process) async throws {
        try await wait { process.model.connection.state == .connected }
    }

    /// Waits until the process asks for positions.
    private func waitForUpdates(of process: PocketPhone.Process) async {
        while !process.system.isFollowed, !Task.isCancelled { await Task.yield() }
    }
}

extension Coordinate {
    /// The coordinate as it is sent.
    fileprivate var inSixDecimals: Coordinate {
        Coordinate(latitude: (latitude * 1e6).rounded() / 1e6, longitude: (longitude * 1e6).rounded() / 1e6)
            ?? self
    }
}
