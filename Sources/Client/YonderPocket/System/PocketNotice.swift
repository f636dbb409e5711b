/// The words of the notification that is shown while a share runs and the app isn't in view.
///
/// `AppContext.pocketNotice(until:)` makes it in the person's language, and `PocketSystem.show` shows it
/// (`PocketSignInTests`).
public struct PocketNotice: Hashable, Sendable {
    /// That the person shares, and until when.
    public let text: String

    /// The button that stops.
    public let stop: String

    /// Creates the words.
    public init(text: String, stop: String) {
        (self.text, self.stop) = (text, stop)
    }
}
