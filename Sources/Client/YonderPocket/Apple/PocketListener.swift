#if canImport(CoreLocation) && canImport(UIKit) && canImport(UserNotifications) && (os(iOS) || os(Linux))
import CoreLocation
import Foundation
import UIKit
import UserNotifications
import YonderLocation

/// Receives the calls of Core Location, UIKit and UserNotifications, and sends each as a `PocketSystemEvent`.
///
/// ``ApplePocketSystem`` owns one, as the delegate of its manager and of the notifications; a class of its own, so that the
/// delegates' methods aren't part of the public interface. No method decides or fails, and each call is sent, also one that
/// repeats another.
///
/// Core Location calls on the thread that made its manager, which is the main one, and UIKit posts on the main thread:
/// `assumeIsolated` ends the process if either doesn't hold. UserNotifications calls on a thread that Apple doesn't
/// document, so its event is sent on the main queue. A further event of the phone takes a case of `PocketSystemEvent` and of
/// `PocketEvent`, and a test in `ApplePocketSystemTests`.
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

    private func report(_ event: PocketSystemEvent) {
        MainActor.assumeIsolated { [send] in send(event) }
    }

    // MARK: - Core Location

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        report(.authorization(LocationAuthorization(manager.authorizationStatus)))
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        report(.moved)
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        report(.moved)
    }

    // MARK: - UserNotifications

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let isStop = response.actionIdentifier == PocketNotification.stop
        // Apple doesn't document the thread of this call, so the event is sent on the main queue. The background task that
        // the event begins covers the stop.
        DispatchQueue.main.async { [send] in
            if isStop { MainActor.assumeIsolated { send(.stopTapped) } }
            completionHandler()
        }
    }
}
#endif
