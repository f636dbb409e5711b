extension SharingError {
    /// A key that came before with something else.
    package static var keyReused: SharingError {
        SharingError(.keyReused, "This key was used for something else.")
    }

    /// An outbox that takes no more.
    package static var outboxFull: SharingError {
        SharingError(.tooMany, "Too many messages wait to be sent.")
    }

    /// More images than one person may have that nothing names.
    package static var tooManyLooseImages: SharingError {
        SharingError(
            .tooMany,
            "You have sent \(StoredImage.looseLimit) images that no message and no profile names."
        )
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

    /// The login name belongs to another account.
    package static var nameTaken: SharingError {
        SharingError(.nameTaken, "Somebody has this name already.")
    }

    /// The change would leave the server without an operator.
    package static var lastOperator: SharingError {
        SharingError(.lastOperator, "This is the last operator; make somebody else an operator first.")
    }

    /// An account that an operator has disabled.
    package static var accountDisabled: SharingError {
        SharingError(.accountDisabled, "This account is disabled; an operator can enable it.")
    }

    /// An invitation that is no longer good.
    package static var invitationUsed: SharingError {
        SharingError(.invitationUsed, "This invitation was used, or is too old.")
    }

    /// A sign-in link that is no longer good.
    package static var linkUsed: SharingError {
        SharingError(.invalidCredentials, "This link was used, or is too old.")
    }

    /// The user has the most open invitations that are allowed.
    package static var tooManyInvitations: SharingError {
        SharingError(.tooMany, "You have \(Invitation.openLimit) open invitations.")
    }

    /// The user has the most credentials that are allowed.
    package static var tooManyCredentials: SharingError {
        SharingError(.tooMany, "You have \(Credential.limit) links, sessions and tokens.")
    }

    /// An id that another signing key has.
    package static var signingKeyTaken: SharingError {
        SharingError(.nameTaken, "There is a key of this id already.")
    }

    /// The server has the most signing keys that are allowed.
    package static var tooManySigningKeys: SharingError {
        SharingError(.tooMany, "There are \(SigningKey.limit) keys.")
    }

    /// A store that takes no more for now.
    package static var storeBusy: SharingError {
        SharingError(.unavailable, "Too much is waiting to be stored.", retryAfter: .seconds(1))
    }

    /// A store that can't read or write.
    package static var storeFailed: SharingError {
        SharingError(.unavailable, "The store can't be reached.", retryAfter: .seconds(1))
    }
}

extension SharingError {
    /// An entity that isn't there, or is none of the caller's business.
    package static var unknownEntity: SharingError {
        SharingError(.unknownEntity, "No such entity.")
    }

    /// An object that isn't there.
    package static var unknownObject: SharingError {
        SharingError(.unknownObject, "No such object.")
    }

    /// The action is reserved to operators.
    package static var ownersOnly: SharingError {
        SharingError(.notAllowed, "Only owners may do this.")
    }
}
