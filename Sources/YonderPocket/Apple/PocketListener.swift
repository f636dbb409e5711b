#if canImport(CoreLocation) && canImport(UIKit) && canImport(UserNotifications) && (os(iOS) || os(Linux))
import CoreLocation
import Foundation
import UIKit
import UserNotifications
import YonderLocation

/// Hears what the system reports, and passes it on as events; separate from ``ApplePocketSystem`` so that the delegates' methods
/// aren't part of its interface.
///
/// Core Location calls the thread that made its manager, which is the main one, and UIKit posts on the main thread.
final class PocketListener: NSObject, CLLocationManagerDelegate, UNUserNotificationCenterDelegate {
    private let send: @MainActor @Sendable (PocketSystemEvent) -> Void
    private var observers: [any NSObjectProtocol] = []

    init(_ send: @escaping @MainActor @Sendable (PocketSystemEvent) -> Void) {
        self.send = send
        super.init()
        observe(UIApplication.didBecomeActiveNotification, as: .cameToView)
        observe(UIApplication.didEnterBackgroundNotification, as: .leftView)
        observe(UIApplication.protectedDataDidBecomeAvailableNotification, as: .dataBecameReadable)
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    private func observe(_ name: Notification.Name, as event: PocketSystemEvent) {
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
            [send] _ in
            MainActor.assumeIsolated { send(event) }
        }
        observers.append(observer)
    }

    private func tell(_ event: PocketSystemEvent) {
        MainActor.assumeIsolated { [send] in send(event) }
    }

    // MARK: - Core Location

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        tell(.authorization(LocationAuthorization(manager.authorizationStatus)))
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        tell(.moved)
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        tell(.moved)
    }

    // MARK: - UserNotifications

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let isStop = response.actionIdentifier == PocketNotification.stop
        // No document says on which thread the system calls. The stop goes on under the background task that its event begins.
        DispatchQueue.main.async { [send] in
            if isStop { MainActor.assumeIsolated { send(.stopTapped) } }
            completionHandler()
        }
    }
}
#endif
