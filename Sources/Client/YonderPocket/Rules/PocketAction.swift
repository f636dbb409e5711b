public import YonderGeodesy
public import YonderModel

/// An action that ``PocketRules`` decides on, and ``PocketSharing`` performs, once, in the order of the list.
///
/// Some are answered by a later event: `readRecord` by `read`, `keep` and `removeRecord` by `recordNotKept` if they fail,
/// `flush` by `sent`, `stop` by `stopsKept`. The others have no answer. A further action needs its case in `PocketSharing`
/// and, if the system performs it, a function of `PocketSystem`.
///
/// `PocketRulesTests` and `Phone` of the tests perform them on a simulated phone.
public enum PocketAction: Hashable, Sendable {
    /// Read the record, and call ``PocketRules/handle(_:at:)`` with it.
    case readRecord
    /// Keep this record.
    case keep(PocketRecord)
    /// Remove the record.
    case removeRecord

    /// Begin the activity session, under which the app isn't suspended.
    case beginSession
    /// End the activity session.
    case endSession
    /// Ask Core Location for positions.
    case startUpdates
    /// Ask for positions no more.
    case stopUpdates
    /// Ask for significant changes and visits, which launch the app after its process ended.
    case watchMoves
    /// Ask for them no more.
    case ignoreMoves

    /// Begin a background task.
    case beginTask
    /// End the background task.
    case endTask
    /// Send the outbox.
    case flush

    /// Send positions into these shares again; comes before ``startUpdates``.
    case takeUp([PocketShare])
    /// Stop the person's shares in these chats, as the button does.
    case stop(Set<ChatID>)

    /// Ask for permission to show notifications, unless the person was asked before.
    case askToNotify
    /// Show the notification.
    ///
    /// - Parameter until: When the last share ends, or `nil` if one has no end.
    case notify(until: Timestamp?)
    /// Remove the notification.
    case removeNotice
}
