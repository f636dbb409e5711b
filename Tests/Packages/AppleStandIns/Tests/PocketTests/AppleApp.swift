import CoreLocation
import Foundation
import UIKit
import UserNotifications
import YonderGeodesy
import YonderLocation
import YonderModel

@testable import YonderPocket

// UIKit's users are in this file, which doesn't import Testing: the two together would need a module of Apple's that Linux hasn't.

/// A process of an app on the stand-ins of Apple's frameworks, which notes its work.
@MainActor final class AppleApp {
    static let user = User(id: .random(), name: "Mia Hasler")
    static let share = PocketShare(
        id: .random(),
        chat: .random(),
        started: Timestamp(milliseconds: 1_764_150_000_000),
        until: nil
    )

    let manager: StatusManager
    private let application = UIApplication()
    let notifications: NotedNotifications
    let system: ApplePocketSystem
    let pocket: PocketSharing
    private(set) var recorded: [Coordinate] = []
    private(set) var failures: [LocationError.Code] = []
    private(set) var stops: [Set<ChatID>] = []
    private(set) var taken: [PocketShare] = []

    /// The seconds since the day began.
    var second: Int {
        get { time.second }
        set { time.second = newValue }
    }
    private let time: AppTime

    init(
        _ store: any PocketRecordStore,
        from start: Timestamp = share.started,
        status: CLAuthorizationStatus = .authorizedWhenInUse
    ) {
        let time = AppTime()
        self.time = time
        manager = StatusManager(status)
        notifications = NotedNotifications { time.second }
        system = ApplePocketSystem(
            manager: manager,
            application: application,
            notifications: notifications,
            categories: [UNNotificationCategory(identifier: "other", actions: [], intentIdentifiers: [])]
        )
        pocket = PocketSharing(
            on: system,
            record: store,
            notice: { _ in PocketNotice(text: "You share", stop: "Stop") },
            now: { start + .seconds(time.second) }
        )
    }

    /// Runs the pocket beside `body`, and ends the process without a warning.
    func running(_ body: @MainActor () async throws -> Void) async throws {
        let work = PocketWork(
            takeUp: { self.taken.append($0) },
            record: { update in
                if let position = update.position { self.recorded.append(position.coordinate) }
                if let failure = update.failure { self.failures.append(failure) }
            },
            send: {},
            stop: {
                self.stops.append($0)
                return $0
            }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.pocket.run(work) }
            defer { group.cancelAll() }
            try await body()
        }
        // The system ends what the process had.
        system.endSession()
    }

    func comeToView() { post(UIApplication.didBecomeActiveNotification) }

    func leaveView() { post(UIApplication.didEnterBackgroundNotification) }

    func unlock() { post(UIApplication.protectedDataDidBecomeAvailableNotification) }

    private func post(_ name: Notification.Name) {
        NotificationCenter.default.post(name: name, object: application)
    }

    /// How many background tasks are open.
    var taskCount: Int { application.taskCount }

    /// Lets the open background tasks expire.
    func expireTasks() { application.expireTasks() }

    /// Taps *Stop*, and waits until the app has heard of it.
    func tapStop() async {
        await withCheckedContinuation { continuation in
            let stop = notifications.categories.flatMap(\.actions).first { $0.title == "Stop" }
            notifications.tap(stop?.identifier ?? "") { continuation.resume() }
        }
    }
}

/// The seconds of an app's clock.
final class AppTime: @unchecked Sendable {
    // Safe because only the main actor's tests read and write it.
    var second = 0
}

/// A manager with a permission, which notes what it is asked for.
final class StatusManager: CLLocationManager {
    private var status: CLAuthorizationStatus
    private(set) var calls: [String] = []

    init(_ status: CLAuthorizationStatus) {
        self.status = status
    }

    override var authorizationStatus: CLAuthorizationStatus { status }

    func change(to status: CLAuthorizationStatus) {
        self.status = status
        delegate?.locationManagerDidChangeAuthorization(self)
    }

    override func startMonitoringSignificantLocationChanges() { calls.append("watch changes") }

    override func stopMonitoringSignificantLocationChanges() { calls.append("ignore changes") }

    override func startMonitoringVisits() { calls.append("watch visits") }

    override func stopMonitoringVisits() { calls.append("ignore visits") }
}

/// Notifications that note when each was added.
final class NotedNotifications: UNUserNotificationCenter, @unchecked Sendable {
    // Safe because only the main actor's tests use it.
    private(set) var addTimes: [Int] = []
    private let time: () -> Int

    init(_ time: @escaping () -> Int) {
        self.time = time
    }

    override func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        addTimes.append(time())
        super.add(request, withCompletionHandler: completionHandler)
    }
}

extension CLLocation {
    convenience init(_ position: Position) {
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: position.coordinate.latitude,
                longitude: position.coordinate.longitude
            ),
            altitude: 0,
            horizontalAccuracy: 5,
            verticalAccuracy: -1,
            timestamp: Date(timeIntervalSince1970: Double(position.timestamp.milliseconds) / 1_000)
        )
    }
}
