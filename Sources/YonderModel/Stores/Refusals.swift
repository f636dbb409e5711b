extension SharingError {
    /// A key that came before with something else.
    package static var keyReused: SharingError {
        SharingError(.keyReused, "This key was used for something else.")
    }

    /// An outbox that takes no more.
    package static var outboxFull: SharingError {
        SharingError(.tooMany, "Too many messages wait to be sent.")
    }

    /// A chat that isn't there, or is none of the caller's business.
    package static var unknownChat: SharingError {
        SharingError(.unknownChat, "No such chat.")
    }

    /// A user that isn't there.
    package static var unknownUser: SharingError {
        SharingError(.unknownUser, "No such user.")
    }

    /// A message that isn't there, or that the caller may not see.
    package static func unknownMessage(_ number: Int64) -> SharingError {
        SharingError(.unknownMessage, "No message \(number) here.")
    }

    /// A login name that somebody has.
    package static var nameTaken: SharingError {
        SharingError(.nameTaken, "Somebody has this name already.")
    }

    /// An invitation that is no longer good.
    package static var invitationUsed: SharingError {
        SharingError(.invitationUsed, "This invitation was used, or is too old.")
    }

    /// A sign-in link that is no longer good.
    package static var linkUsed: SharingError {
        SharingError(.invalidCredentials, "This link was used, or is too old.")
    }
}
