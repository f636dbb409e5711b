// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
import Synchronization

/// What stands for an app: its background tasks, and the notifications that UIKit posts of it.
///
/// A test makes one, posts the notifications itself, and lets tasks expire by ``expireTasks()``.
@MainActor open class UIApplication: NSObject {
    public static let shared = UIApplication()

    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification"
    )
    public nonisolated static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification"
    )
    public nonisolated static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable"
    )

    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    private nonisolated let tasks = Mutex((last: 0, open: [Int: (@MainActor @Sendable () -> Void)?]()))

    public nonisolated override init() {}

    public nonisolated func beginBackgroundTask(
        withName taskName: String? = nil,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks.withLock { tasks in
            tasks.last += 1
            tasks.open[tasks.last] = .some(handler)
            return UIBackgroundTaskIdentifier(rawValue: tasks.last)
        }
    }

    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        _ = tasks.withLock { $0.open.removeValue(forKey: identifier.rawValue) }
    }

    /// How many background tasks are open.
    public var taskCount: Int { tasks.withLock { $0.open.count } }

    /// Calls the handler of every open task; a task that its handler doesn't end stays open, for which a phone ends the app.
    public func expireTasks() {
        for handler in tasks.withLock({ Array($0.open.values) }) { handler?() }
    }
}

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// Objective-C's protocol has optional methods; here each has an empty one.
///
/// SwiftUI makes a delegate, which takes an initializer here.
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    init()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
}
