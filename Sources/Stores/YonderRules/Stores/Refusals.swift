package import YonderModel

// The refusals that more than one store or rule throws, so that all say the same. Refusals of one place belong there. The
// codes must stay, as clients decide by them (`Documentation/errors.md`); the messages are for people, and may be changed.
// Rules, stores of both databases and endpoints throw them; `RefusalStatus` gives each code its HTTP status.
// A refusal that is used in one place alone may be moved there.
extension SharingError {
    /// More images than one person may have that nothing names.
    package static var tooManyLooseImages: SharingError {
        SharingError(
            .tooMany,
            "You have sent \(StoredImage.looseLimit) images that no message or profile uses, the most that are allowed; use one first."
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
    package static func unknownMessage(_ number: Int64?) -> SharingError {
        let name = number.map(String.init) ?? "without a number"
        return SharingError(.unknownMessage, "The chat has no message \(name) that you may read.")
    }

    /// The participant's role, which this version doesn't know, lets them read.
    package static var onlyReads: SharingError {
        SharingError(.notAllowed, "Your role in this chat lets you read it, and nothing else.")
    }

    /// The login name belongs to another account.
    package static var nameTaken: SharingError {
        SharingError(.nameTaken, "login: this name is taken; choose another one.")
    }

    /// The change would leave the server without an operator.
    package static var lastOperator: SharingError {
        SharingError(.lastOperator, "This is the last operator; make another user an operator first.")
    }

    /// An account that an operator has disabled.
    package static var accountDisabled: SharingError {
        SharingError(.accountDisabled, "This account is disabled; an operator can enable it.")
    }

    /// A session or token that ended while a change by it was under way.
    package static var signInEnded: SharingError {
        SharingError(.notSignedIn, "Your sign-in ended before this was done; sign in, and send it again.")
    }

    /// A key of signed requests that was removed while a change by it was under way.
    package static var signingKeyEnded: SharingError {
        SharingError(.invalidCredentials, "The key that signed this was removed before it was done.")
    }

    /// An account that changed while its password was checked.
    package static var signInOvertaken: SharingError {
        SharingError(
            .invalidCredentials,
            "The account changed while the password was checked; sign in again."
        )
    }

    /// A caller who is no operator, or is one no longer.
    package static var operatorsOnly: SharingError {
        SharingError(.notAllowed, "Only an operator may do this.")
    }

    /// A token for accounts, for a user who is no operator.
    package static var operatorsTokenOnly: SharingError {
        SharingError(.notAllowed, "Only an operator's token may change other people's accounts.")
    }

    /// A user who blocks as many as they may.
    package static var tooManyBlocks: SharingError {
        SharingError(.tooMany, "A user blocks at most \(Block.limit) others; unblock one first.")
    }

    /// A store that hasn't answered for so long that permissions may have changed meanwhile.
    package static var silentStore: SharingError {
        SharingError(
            .unavailable,
            "The server can't reach its database, so it doesn't know who is in this chat; try again.",
            retryAfter: .seconds(5)
        )
    }

    /// A message for the one-to-one chat of two users of whom one blocks the other.
    package static var closedChat: SharingError {
        SharingError(.closedChat, "This chat takes no more messages.")
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
        SharingError(
            .tooMany,
            "You have \(Invitation.openLimit) open invitations, the most that are allowed; wait until one is used or expires."
        )
    }

    /// The user has the most credentials that are allowed.
    package static var tooManyCredentials: SharingError {
        SharingError(
            .tooMany,
            "You have \(Credential.limit) links, sessions and tokens, the most that are allowed; end one first."
        )
    }

    /// An id that another signing key has.
    package static var signingKeyTaken: SharingError {
        SharingError(.nameTaken, "id: a key with this id exists already.")
    }

    /// The server has the most signing keys that are allowed.
    package static var tooManySigningKeys: SharingError {
        SharingError(
            .tooMany,
            "The server has \(SigningKey.limit) keys, the most that are allowed; remove one first."
        )
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

    /// An identifier for a new object that another object has.
    package static var objectTaken: SharingError {
        SharingError(.nameTaken, "id: another object has this id; create the object again.")
    }

    /// The action is reserved to operators.
    package static var ownersOnly: SharingError {
        SharingError(.notAllowed, "Only an operator may change entities and objects.")
    }
}
