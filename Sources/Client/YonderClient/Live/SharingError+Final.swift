import YonderModel

extension SharingError {
    /// The codes after which subscribing again can't help: those that `Documentation/errors.md` lists.
    static let finalCodes: Set<Code> = [
        .accountDisabled,
        .duplicateSubscription,
        .invalidCredentials,
        .invalidField,
        .invalidFrame,
        .invalidJSON,
        .missingField,
        .notAllowed,
        .notParticipant,
        .notSignedIn,
        .tooLarge,
        .unknownChat,
        .unknownEntity,
        .unknownField,
        .unknownQuery,
        .worldClosed,
    ]

    /// Whether a subscription that the server refuses with this error, or ends, is over.
    var endsSubscription: Bool { Self.finalCodes.contains(code) }
}
