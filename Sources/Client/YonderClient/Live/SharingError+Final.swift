import YonderModel

// `Subscriptions` ends a query after one of these, and asks again after any other; `ChatPositions` does so with its pages.
// The list must be that of the guide and of the page (`FinalCodes` of the tests): a code too many would end a map for good,
// one too few would ask for ever.
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
