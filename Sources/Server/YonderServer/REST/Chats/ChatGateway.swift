import YonderRules
import YonderGeodesy
import YonderModel

/// The exchange's operations for REST: every write goes through it, so that all connected clients are
/// notified.
///
/// `ServerAssembly` makes one from the exchange, and endpoints call it, on any thread; tests put functions of their own
/// in its place. Errors are those of the exchange. An endpoint that wrote to the store by itself would leave viewers
/// with an older state.
struct ChatGateway: Sendable {
    /// Submits an action, and returns the answer after its commit.
    let submit: @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance

    /// Starts a chat, or returns the existing one.
    let start: @Sendable (ChatStart, Timestamp, Warrant) async throws(SharingError) -> ChatStart.Outcome

    /// Sends an unkept message to the connected subscribers.
    let pass:
        @Sendable (MessageDraft, ChatID, UserID, _ signIn: SecretHash?) async throws(SharingError) -> Void

    /// Stores how far a participant has read, and returns the position after its commit.
    let read: @Sendable (ReadMark) async throws(SharingError) -> ReadPosition

    /// Sets whether the other participants may see how far a user has read, and notifies them.
    let showReads: @Sendable (UserID, Bool) async throws(SharingError) -> Void

    /// Counts what people do by the hour and the day.
    let personal: PersonLedger

    /// Whether a participant of a one-to-one chat blocks the other one.
    let isClosed: @Sendable (ChatID) -> Bool

    /// Notifies the clients that see a user of the user's changed name.
    let changed: @Sendable (UserID) async throws(SharingError) -> Void

    /// Notifies two users that they are contacts now, or no longer.
    let contactsChanged: @Sendable (UserID, UserID) -> Void
}
