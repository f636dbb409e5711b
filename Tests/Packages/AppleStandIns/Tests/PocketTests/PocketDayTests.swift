import CoreLocation
import Foundation
import LocationTestSupport
import Testing
import UserNotifications
import YonderGeodesy
import YonderLocation
import YonderModel
import YonderPocket

/// Core Location's readers, activity sessions and the posts of UIKit belong to the process, so one test runs at a time.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct PocketDayTests {
    @Test
    func `the day, played by Core Location, UIKit and UserNotifications, is recorded while it is shared`()
        async throws
    {
        let start = Timestamp(milliseconds: 1_764_150_000_000)
        let place = try #require(Coordinate(latitude: 47.141, longitude: 9.521))
        let store = MemoryPocketRecordStore()
        var player = AppleDayPlayer(PocketDay(from: start, at: place), store, from: start)
        try await player.play()

        #expect(player.recorded.count == 198)
        #expect(player.recorded == player.expected)
        #expect(player.stops.count == 1 && store.record == nil)
        #expect(CLBackgroundActivitySession.validCount == 0 && CLLocationUpdate.readerCount == 0)
        #expect(player.noticeTimes.count >= 4)
        #expect(zip(player.noticeTimes, player.noticeTimes.dropFirst()).allSatisfy { $1 - $0 >= 3_600 })
    }
}

/// Plays the day through the stand-ins of Apple's frameworks, to an app that notes what it records.
@MainActor private struct AppleDayPlayer {
    private let store: MemoryPocketRecordStore
    private let start: Timestamp
    private var rest: ArraySlice<PocketDay.Entry>
    private var app: AppleApp
    private(set) var recorded: [Coordinate] = []
    private(set) var expected: [Coordinate] = []
    private(set) var stops: [Set<ChatID>] = []
    private(set) var noticeTimes: [Int] = []

    init(_ day: PocketDay, _ store: MemoryPocketRecordStore, from start: Timestamp) {
        (self.store, self.start, rest) = (store, start, day.entries[...])
        app = AppleApp(store, from: start)
    }

    mutating func play() async throws {
        app.pocket.launch()
        app.comeToView()
        app.pocket.shareStarted(AppleApp.share, of: AppleApp.user)
        while true {
            try await playProcess()
            guard let launch = rest.popFirst(), case .launched(let isLocked) = launch.moment else { return }
            store.isLocked = isLocked
            app = AppleApp(store, from: start)
            app.second = launch.second
            app.pocket.launch()
        }
    }

    private mutating func playProcess() async throws {
        var player = self
        try await app.running {
            await player.settle()
            while let entry = player.rest.popFirst(), entry.moment != .processEnded {
                player.pass(to: entry.second)
                await player.play(entry.moment)
            }
            await player.settle()
        }
        self = player
        recorded += app.recorded
        stops += app.stops
        noticeTimes += app.notifications.addTimes
    }

    private mutating func play(_ moment: PocketDay.Moment) async {
        switch moment {
        case .fix(let position):
            if !app.pocket.wanted.isEmpty { expected.append(position.coordinate) }
            CLLocationUpdate.send(CLLocationUpdate(location: CLLocation(position)))
        case .rest(let position):
            // Noted by the app as one more update without a new place.
            CLLocationUpdate.send(CLLocationUpdate(location: nil, stationary: true))
            while !app.pocket.isResting, !Task.isCancelled { await Task.yield() }
            #expect(app.recorded.last == position.coordinate)
        case .noFix: CLLocationUpdate.send(CLLocationUpdate(locationUnavailable: true))
        case .comeToView: app.comeToView()
        case .leaveView: app.leaveView()
        case .unlocked:
            store.isLocked = false
            app.unlock()
            await settle()
        case .stopTapped:
            // A stop holds at once, also for a fix that waits to be recorded.
            await settle()
            await app.tapStop()
            await settle()
        case .lineCut, .lineMended, .processEnded, .launched: break
        }
    }

    /// Moves the clock by a minute at most, as the models' clock ticks.
    private mutating func pass(to second: Int) {
        while app.second < second {
            app.second = min(second, app.second + 60)
            app.pocket.timePassed()
        }
    }

    /// Waits until the app reads Core Location's updates if it shares, and doesn't otherwise, and has recorded what was sent.
    private func settle() async {
        let count = app.pocket.wanted.isEmpty ? 0 : 1
        while CLLocationUpdate.readerCount != count || app.taskCount > 0
            || app.recorded.count < expected.count - recorded.count
        {
            if Task.isCancelled { return }
            await Task.yield()
        }
    }
}
