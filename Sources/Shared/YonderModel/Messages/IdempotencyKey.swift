/// The key with which a request can be sent twice and counts once.
///
/// Clients check a key before they keep a message, the server again. A key out of bounds is refused before anything is
/// stored. The length stands in `Documentation/stream.md` (`ClientFrameTests`).
public enum IdempotencyKey {
    /// Refuses a key that has no character or over 64, counted as Unicode scalars.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`.
    public static func check(_ key: String) throws(SharingError) {
        // Counting bytes takes less time, and a text has at least as many of these as characters.
        if (1...64).contains(key.utf8.count) { return }
        guard (1...64).contains(key.unicodeScalars.count) else {
            throw SharingError(.invalidField, "key must have 1 to 64 characters.")
        }
    }
}
