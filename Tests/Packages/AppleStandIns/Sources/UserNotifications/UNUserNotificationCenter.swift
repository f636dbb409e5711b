// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
import Synchronization

/// What stands for an app's notifications: it keeps what was added, as if the person saw it at once.
// Safe because all mutable state is in the mutex, but for the delegate, which is set at the start.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private struct State {
        var categories: Set<UNNotificationCategory> = []
        var delivered: [UNNotificationRequest] = []
        var options: UNAuthorizationOptions?
    }

    private static let app = UNUserNotificationCenter()
    private let state = Mutex(State())

    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    public override init() {}

    open class func current() -> UNUserNotificationCenter { app }

    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        state.withLock { $0.options = options }
        completionHandler(true, nil)
    }

    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        state.withLock { $0.categories = categories }
    }

    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        state.withLock { state in
            state.delivered.removeAll { $0.identifier == request.identifier }
            state.delivered.append(request)
        }
        completionHandler?(nil)
    }

    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {}

    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        state.withLock { $0.delivered.removeAll { identifiers.contains($0.identifier) } }
    }

    // MARK: For tests

    /// What the person sees.
    public var delivered: [UNNotificationRequest] { state.withLock(\.delivered) }

    /// The categories that were set last.
    public var categories: Set<UNNotificationCategory> { state.withLock(\.categories) }

    /// What permission was asked for, or `nil`.
    public var askedOptions: UNAuthorizationOptions? { state.withLock(\.options) }

    /// Taps a button of a notification, and calls `completion` when the delegate is done.
    public func tap(_ action: String, completion: @escaping @Sendable () -> Void) {
        let response = UNNotificationResponse(actionIdentifier: action)
        delegate?.userNotificationCenter(self, didReceive: response, withCompletionHandler: completion)
    }
}

public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    )
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static let badge = Self(rawValue: 1 << 0)
    public static let sound = Self(rawValue: 1 << 1)
    public static let alert = Self(rawValue: 1 << 2)
}

/// What stands for the answer to a notification.
// Safe because nothing of it changes.
open class UNNotificationResponse: NSObject, @unchecked Sendable {
    public let actionIdentifier: String

    /// Creates an answer, which Apple's systems alone can.
    public init(actionIdentifier: String) {
        self.actionIdentifier = actionIdentifier
    }
}
