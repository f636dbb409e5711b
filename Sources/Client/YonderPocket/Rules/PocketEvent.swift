public import YonderLocation
public import YonderModel

/// An event that ``PocketRules`` decides on.
///
/// The phone's system sends those of `PocketSystemEvent`, the models those of shares and sign-ins, by way of
/// ``PocketSharing``, which itself sends the rest. Any may come at any time and again. A further event needs its case in
/// ``PocketRules/handle(_:at:)``, and a step in `PocketState` of the tests.
///
/// `PocketRulesTests` tries each event, `PocketRulesInvariantTests` random days of them.
public enum PocketEvent: Hashable, Sendable {
    /// The process began: opened by the person, or launched by the system for a significant change or a visit.
    case launched
    /// The device was unlocked for the first time since its start.
    case dataBecameReadable
    /// The record was read.
    case read(PocketReading)

    /// The app came to view.
    case cameToView
    /// The app left view.
    case leftView
    /// The permission to read the position is this one.
    case authorization(LocationAuthorization)
    /// Time has passed; call this every 15 seconds while the app runs.
    case timePassed
    /// The system reports a significant change or a visit.
    case moved

    /// The person shares from this phone in a chat, or the share's end was changed.
    case shareStarted(PocketShare, User)
    /// This phone shares no more in a chat, or in none if it is `nil`: the person stopped, or the share is over.
    case shareEnded(ChatID?)
    /// The person tapped *Stop* in the notification.
    case stopTapped
    /// The outbox has the stops of these chats.
    case stopsKept(Set<ChatID>)
    /// A person signed in, or a later process found their session: the id, and the address of the server.
    case signedIn(UserID, server: String)
    /// The person signed out, or the server ended their session.
    case signedOut

    /// The record couldn't be written or removed.
    case recordNotKept

    /// A fix has arrived; it isn't in the outbox yet.
    case fixArrived
    /// The fix is in the outbox.
    case recorded
    /// The server has everything that was in the outbox, or the client ended.
    case sent
    /// The system is about to end the background task.
    case taskExpired
    /// Core Location ended the updates.
    case updatesEnded
}
