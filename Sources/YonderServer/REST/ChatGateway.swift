import YonderGeodesy
import YonderModel

/// The exchange as REST uses it: what is written goes through it, so that everyone connected is told.
struct ChatGateway: Sendable {
    /// Takes a submission and answers after its commit.
    let submit: @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance

    /// Starts a chat, or answers the one there is.
    let start: @Sendable (ChatStart, Timestamp) async throws(SharingError) -> ChatStart.Outcome

    /// Hands a message on that nobody keeps.
    let pass: @Sendable (MessageDraft, ChatID, UserID) async throws(SharingError) -> Void

    /// Tells who sees a user that they are called something else.
    let changed: @Sendable (UserID) async throws(SharingError) -> Void

    init(
        submit: @escaping @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance,
        start: @escaping @Sendable (ChatStart, Timestamp) async throws(SharingError) -> ChatStart.Outcome,
        pass: @escaping @Sendable (MessageDraft, ChatID, UserID) async throws(SharingError) -> Void,
        changed: @escaping @Sendable (UserID) async throws(SharingError) -> Void
    ) {
        self.submit = submit
        self.start = start
        self.pass = pass
        self.changed = changed
    }
}
