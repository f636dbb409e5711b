public import YonderLocation

/// The part of a phone's system that a share in a pocket needs.
///
/// `ApplePocketSystem` is iOS; ``MemoryPocketSystem`` is a simulated phone. Neither decides: ``PocketRules`` does, and
/// ``PocketSharing`` calls the functions, on the main actor, ``setReceiver(_:)`` first. No function fails: what the system
/// refuses has no effect. An event may be sent from within a call. A further function needs both implementations, and an
/// action.
///
/// Which events an app gets while it isn't in view is iOS's (`Documentation/location-apps.md`); `PocketSharingTests` runs a
/// simulated phone, `make test-apple` the other one against stand-ins.
@MainActor public protocol PocketSystem: AnyObject, Sendable {
    /// The permission to read the position.
    var authorization: LocationAuthorization { get }

    /// Sets the receiver of events, which is called on the main actor, at once where an event happens there.
    func setReceiver(_ receive: @escaping @MainActor (PocketSystemEvent) -> Void)

    /// Begins the activity session under which the app isn't suspended, and which the system shows to the person.
    func beginSession()

    /// Ends the activity session.
    func endSession()

    /// Asks for positions, and gives each update to `receive`, one after another.
    ///
    /// An update waits until `receive` has returned for the one before. Returns when the task is canceled, or when the
    /// system ends the updates.
    func follow(_ receive: @MainActor (PocketUpdate) async -> Void) async

    /// Asks for significant changes and visits, for which the system launches the app.
    func watchMoves()

    /// Asks for them no more.
    func ignoreMoves()

    /// Begins a background task; does nothing while one is open.
    func beginTask()

    /// Ends the background task; does nothing without one.
    func endTask()

    /// Registers the button of the notification; called at each launch, as a notification of an earlier process may be shown
    /// still.
    func registerStop(_ title: String)

    /// Asks the person for permission to show notifications, unless they were asked before.
    func askToNotify()

    /// Shows the notification in place of the last one, if the person permits notifications.
    func show(_ notice: PocketNotice)

    /// Removes the notification.
    func removeNotice()
}

/// An event of the phone's system.
public enum PocketSystemEvent: Hashable, Sendable {
    /// The app came to view.
    case cameToView
    /// The app left view.
    case leftView
    /// The permission to read the position is this one.
    case authorization(LocationAuthorization)
    /// The device's files became readable.
    case dataBecameReadable
    /// A significant change, or a visit.
    case moved
    /// The background task is about to end.
    case taskExpired
    /// The person tapped *Stop* in the notification.
    case stopTapped

    var event: PocketEvent {
        switch self {
        case .cameToView: .cameToView
        case .leftView: .leftView
        case .authorization(let authorization): .authorization(authorization)
        case .dataBecameReadable: .dataBecameReadable
        case .moved: .moved
        case .taskExpired: .taskExpired
        case .stopTapped: .stopTapped
        }
    }
}
