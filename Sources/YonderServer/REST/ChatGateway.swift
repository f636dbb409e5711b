import YonderGeodesy
import YonderModel

/// The exchange as REST uses it: what is written goes through it, so that everyone connected is told.
struct ChatGateway: Sendable {
    /// Takes a submission and answers after its commit.
    let submit: @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance

    /// Starts a chat, or answers the one there is.
    let start: @Sendable (ChatStart, Timestamp) async throws(SharingError) -> ChatStart.Outcome

    /// Hands a message on that nobody keeps.
    let pass: @Sendable (MessageDraft, ChatID, UserID, _ source: Int64?) async throws(SharingError) -> Void

    /// Notes how far somebody has read.
    let read: @Sendable (ReadMark) async throws(SharingError) -> ReadPosition

    /// Has the others know, or not know, how far a user has read.
    let showReads: @Sendable (UserID, Bool) async throws(SharingError) -> Void

    /// Tells who sees a user that they are called something else.
    let changed: @Sendable (UserID) async throws(SharingError) -> Void

    init(
        submit: @escaping @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance,
        start: @escaping @Sendable (ChatStart, Timestamp) async throws(SharingError) -> ChatStart.Outcome,
        pass:
            @escaping @Sendable (MessageDraft, ChatID, UserID, _ source: Int64?)
            async throws(SharingError) -> Void,
        read: @escaping @Sendable (ReadMark) async throws(SharingError) -> ReadPosition,
        showReads: @escaping @Sendable (UserID, Bool) async throws(SharingError) -> Void,
        changed: @escaping @Sendable (UserID) async throws(SharingError) -> Void
    ) {
        self.submit = submit
        self.start = start
        self.pass = pass
        self.read = read
        self.showReads = showReads
        self.changed = changed
    }
}
