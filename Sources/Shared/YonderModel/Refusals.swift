// The stores and outboxes of both kinds throw these, so that each says the same. Codes are promised
// (`Documentation/errors.md`); sentences may change.
extension SharingError {
    /// The refusal of a request whose key an earlier request of the sender had, with another content.
    package static var keyReused: SharingError {
        SharingError(
            .keyReused,
            "key: you have used this key for another request in this chat; choose a new one."
        )
    }

    /// An outbox that takes no more.
    package static var outboxFull: SharingError {
        SharingError(.tooMany, "The outbox is full; wait until messages are sent.")
    }

    /// A store that takes no more for now.
    package static var storeBusy: SharingError {
        SharingError(
            .unavailable,
            "The store's queue is full; send the same again after retryAfter.",
            retryAfter: .seconds(1)
        )
    }

    /// A store that can't read or write.
    package static var storeFailed: SharingError {
        SharingError(
            .unavailable,
            "The store can't be read or written now; try again after retryAfter.",
            retryAfter: .seconds(1)
        )
    }
}
