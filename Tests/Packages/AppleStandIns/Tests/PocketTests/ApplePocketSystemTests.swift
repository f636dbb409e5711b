import CoreLocation
import Foundation
import Testing
import UserNotifications
import YonderGeodesy
import YonderLocation
import YonderModel

@testable import YonderPocket

private struct Ended: Error {}

extension PocketDayTests {
    @Test func `an app in view begins a session and the updates, and asks to show notifications`()
        async throws
    {
        let app = AppleApp(MemoryPocketRecordStore())
        #expect(!app.manager.pausesLocationUpdatesAutomatically)
        #expect(!app.manager.allowsBackgroundLocationUpdates)
        app.pocket.launch()
        #expect(CLBackgroundActivitySession.validCount == 0)
        app.comeToView()
        try await app.running {
            app.pocket.shareStarted(AppleApp.share, of: AppleApp.user)
            #expect(CLBackgroundActivitySession.validCount == 1)
            #expect(app.notifications.askedOptions == [.alert])
            await wait { CLLocationUpdate.readerCount == 1 }
            #expect(CLLocationUpdate.configuration == .default)

            app.leaveView()
            #expect(app.notifications.delivered.map(\.content.title) == ["You share"])
            #expect(
                Set(app.notifications.categories.map(\.identifier)) == ["other", "yonder.pocket.sharing"]
            )
            app.comeToView()
            #expect(app.notifications.delivered.count == 1)

            app.pocket.shareEnded()
            #expect(app.notifications.delivered.isEmpty)
            #expect(CLBackgroundActivitySession.validCount == 0)
            await wait { CLLocationUpdate.readerCount == 0 }
        }
    }

    @Test func `an update's location, rest and failures become those of the pocket`() throws {
        let location = CLLocation(
            Position(
                coordinate: try #require(Coordinate(latitude: 47, longitude: 9)),
                timestamp: AppleApp.share.started
            )
        )
        let update = PocketUpdate(CLLocationUpdate(location: location, stationary: true))
        #expect(update.position?.timestamp == AppleApp.share.started && update.isStationary)
        #expect(update.failure == nil)
        let failures = [
            CLLocationUpdate(authorizationDenied: true), CLLocationUpdate(authorizationDeniedGlobally: true),
            CLLocationUpdate(authorizationRestricted: true), CLLocationUpdate(locationUnavailable: true),
        ]
        #expect(
            failures.map { PocketUpdate($0).failure } == [
                .notAuthorized, .servicesDisabled, .notAuthorized, .positionUnavailable,
            ]
        )
    }

    @Test func `the permission decides, and always asks for significant changes and visits, too`()
        async throws
    {
        let app = AppleApp(MemoryPocketRecordStore(), status: .notDetermined)
        app.pocket.launch()
        app.comeToView()
        try await app.running {
            app.pocket.shareStarted(AppleApp.share, of: AppleApp.user)
            #expect(CLBackgroundActivitySession.validCount == 0)
            app.manager.change(to: .authorizedWhenInUse)
            #expect(CLBackgroundActivitySession.validCount == 1 && app.manager.calls.isEmpty)
            app.manager.change(to: .authorizedAlways)
            #expect(app.manager.calls == ["watch changes", "watch visits"])
            app.manager.change(to: .denied)
            #expect(CLBackgroundActivitySession.validCount == 0)
            #expect(app.manager.calls.suffix(2) == ["ignore changes", "ignore visits"])
        }
    }

    @Test func `a significant change and a visit begin a background task`()
        async throws
    {
        let store = MemoryPocketRecordStore()
        let app = AppleApp(store)
        app.pocket.launch()
        app.pocket.shareStarted(AppleApp.share, of: AppleApp.user)
        let delegate = try #require(app.manager.delegate)
        delegate.locationManager(app.manager, didUpdateLocations: [])
        #expect(app.taskCount == 1)
        app.expireTasks()
        #expect(app.taskCount == 0)
        let visit = CLVisit(
            arrivalDate: .now,
            departureDate: .distantFuture,
            coordinate: CLLocationCoordinate2D(latitude: 47, longitude: 9),
            horizontalAccuracy: 50
        )
        delegate.locationManager(app.manager, didVisit: visit)
        #expect(app.taskCount == 1)
    }

    @Test func `updates that end with an error are read again at the next event`() async throws {
        let app = AppleApp(MemoryPocketRecordStore())
        app.pocket.launch()
        app.comeToView()
        try await app.running {
            app.pocket.shareStarted(AppleApp.share, of: AppleApp.user)
            await wait { CLLocationUpdate.readerCount == 1 }
            CLLocationUpdate.end(Ended())
            await wait { app.failures == [.positionUnavailable] && CLLocationUpdate.readerCount == 0 }
            while CLLocationUpdate.readerCount == 0 {
                app.pocket.timePassed()
                await Task.yield()
            }
        }
    }

    @Test func `another button of a notification stops nothing`() async throws {
        let app = AppleApp(MemoryPocketRecordStore())
        app.pocket.launch()
        app.pocket.shareStarted(AppleApp.share, of: AppleApp.user)
        await withCheckedContinuation { continuation in
            app.notifications.tap("another") { continuation.resume() }
        }
        #expect(app.pocket.wanted == [AppleApp.share])
    }

    private func wait(until isTrue: () -> Bool) async {
        while !isTrue(), !Task.isCancelled { await Task.yield() }
    }
}
