public import YonderGeodesy
public import YonderPocket

// An app passes it to its `PocketSharing`; words are in `Word` (`PocketSignInTests`).
extension AppContext {
    /// The words of the notification that is shown while this device shares and the app isn't in view.
    ///
    /// - Parameter until: When the last share ends, or `nil` if one has no end.
    /// - Returns: The words.
    public func pocketNotice(until: Timestamp?) -> PocketNotice {
        let text = until.map { say(.appPocketUntil, ["time": dayText($0, at: now())]) }
        return PocketNotice(text: text ?? say(.appPocketUntilStop), stop: say(.sharingStop))
    }
}
