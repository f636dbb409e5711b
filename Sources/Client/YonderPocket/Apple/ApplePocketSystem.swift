#if canImport(CoreLocation) && canImport(UIKit) && canImport(UserNotifications) && (os(iOS) || os(Linux))
public import CoreLocation
import Foundation
public import UIKit
public import UserNotifications
public import YonderLocation

/// iOS, over Core Location, UIKit and UserNotifications.
///
/// An app makes one at its launch, for its ``PocketSharing``, which alone calls the functions below, on the main actor and
/// as ``PocketRules`` decides. The app needs `location` among its `UIBackgroundModes`. *When in use* is enough; with
/// *always* the system also launches the app for significant changes and visits.
///
/// Nothing here throws. Live updates that fail end with an update without a position; a notification or a task that iOS
/// refuses is left out without a report. Beginning twice is beginning once, and so is ending.
///
/// The manager and the notifications must keep their delegate: an app that sets another one loses significant changes,
/// visits and *Stop*. How iOS is called may be changed here alone; `ApplePocketSystemTests` (`make test-apple`) tries it
/// against stand-ins. When it is called must be changed in ``PocketRules``, for the simulated phone
/// (``MemoryPocketSystem``), too.
@MainActor public final class ApplePocketSystem: PocketSystem {
    private let manager: CLLocationManager
    private let application: UIApplication
    private let notifications: UNUserNotificationCenter
    private let categories: Set<UNNotificationCategory>
    private let configuration: CLLocationUpdate.LiveConfiguration

    private var receive: @MainActor (PocketSystemEvent) -> Void = { _ in }
    private var listener: PocketListener?
    private var session: CLBackgroundActivitySession?
    private var task = UIBackgroundTaskIdentifier.invalid

    /// Creates the system of a process, and becomes the delegate of its manager and of the notifications.
    ///
    /// - Parameters:
    ///   - manager: The manager for the permission, significant changes and visits. Pausing is switched off on it: under *when in
    ///     use*, a pause ends access to positions until the app is opened.
    ///   - application: The app.
    ///   - notifications: The app's notifications.
    ///   - categories: The app's own categories of notifications, which are set together with the pocket's.
    ///   - configuration: How Core Location weighs accuracy against the battery.
    public init(
        manager: CLLocationManager = CLLocationManager(),
        application: UIApplication = .shared,
        notifications: UNUserNotificationCenter = .current(),
        categories: Set<UNNotificationCategory> = [],
        configuration: CLLocationUpdate.LiveConfiguration = .default
    ) {
        self.manager = manager
        self.application = application
        self.notifications = notifications
        self.categories = categories
        self.configuration = configuration
        manager.pausesLocationUpdatesAutomatically = false
        let listener = PocketListener { [weak self] in self?.receive($0) }
        self.listener = listener
        manager.delegate = listener
        notifications.delegate = listener
    }

    /// The permission to read the position.
    public var authorization: LocationAuthorization { LocationAuthorization(manager.authorizationStatus) }

    /// Sets the receiver of events, in place of an earlier one; events before the first call are lost.
    public func setReceiver(_ receive: @escaping @MainActor (PocketSystemEvent) -> Void) {
        self.receive = receive
    }

    // MARK: - Positions

    /// Begins an activity session, unless one runs; the system shows it, and ends it with the process.
    public func beginSession() {
        session = session ?? CLBackgroundActivitySession()
    }

    /// Ends the activity session, if one runs.
    public func endSession() {
        session?.invalidate()
        session = nil
    }

    /// Reads Core Location's live updates, until the task is canceled or Core Location ends them; one call at a time.
    public func follow(_ receive: @MainActor (PocketUpdate) async -> Void) async {
        do {
            for try await update in CLLocationUpdate.liveUpdates(configuration) {
                await receive(PocketUpdate(update))
            }
        } catch {
            // The rules ask again at the next event.
            if !Task.isCancelled { await receive(PocketUpdate(position: nil, failure: .positionUnavailable)) }
        }
    }

    /// Asks for significant changes and visits.
    public func watchMoves() {
        manager.startMonitoringSignificantLocationChanges()
        manager.startMonitoringVisits()
    }

    /// Asks for significant changes and visits no more.
    public func ignoreMoves() {
        manager.stopMonitoringSignificantLocationChanges()
        manager.stopMonitoringVisits()
    }

    // MARK: - Background tasks

    /// Begins a background task, unless one is open; before iOS ends it, the receiver gets `taskExpired`, and must call
    /// ``endTask()``.
    public func beginTask() {
        guard task == .invalid else { return }
        task = application.beginBackgroundTask(withName: "yonder.pocket") { [weak self] in
            self?.receive(.taskExpired)
        }
    }

    /// Ends the background task, if one is open.
    public func endTask() {
        guard task != .invalid else { return }
        application.endBackgroundTask(task)
        task = .invalid
    }

    // MARK: - The notification

    /// Registers the button together with the app's own categories, in place of all categories that were registered before.
    public func registerStop(_ title: String) {
        let category = PocketNotification.makeCategory(stop: title)
        notifications.setNotificationCategories(categories.union([category]))
    }

    /// Asks for permission to show notifications without a sound.
    public func askToNotify() {
        notifications.requestAuthorization(options: [.alert]) { _, _ in }
    }

    /// Shows the notification; the system drops it if the person doesn't permit notifications.
    public func show(_ notice: PocketNotice) {
        notifications.add(PocketNotification.makeRequest(notice), withCompletionHandler: nil)
    }

    /// Removes the notification, shown or not.
    public func removeNotice() {
        notifications.removePendingNotificationRequests(withIdentifiers: [PocketNotification.id])
        notifications.removeDeliveredNotifications(withIdentifiers: [PocketNotification.id])
    }
}
#endif
