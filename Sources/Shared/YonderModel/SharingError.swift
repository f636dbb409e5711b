/// A refusal: the same value on both ends of the wire.
///
/// Rules, stores and endpoints of the server throw it, frames and answers carry it, and the client's operations throw it
/// again; a client also makes its own, such as `unavailable`. Programs decide by ``code`` alone, so a code that a release
/// had must stay, with its meaning (`Documentation/errors.md`, which `Scripts/check-docs` compares). Messages may be
/// changed; `Scripts/check-words` says how one is built.
///
/// A further code is a constant here, a line of the guide, a status in `RefusalStatus`, and words on the page and in `Word`,
/// if people see it.
public struct SharingError: Error, Hashable, Sendable {
    /// The kind of refusal: the only part that a program may decide by.
    public var code: Code

    /// The reason, for a person to read or for a developer's log.
    public var message: String

    /// How long to wait before trying again, or `nil` if trying again can't help.
    public var retryAfter: Duration?

    /// Creates a refusal.
    public init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    /// The kinds of refusal.
    ///
    /// Open-ended: a newer server's code survives an older client.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The value in JSON.
        public let rawValue: String

        /// Creates a code from its value in JSON, which may be unknown to this version.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The value in JSON.
        public var description: String { rawValue }
    }
}

extension SharingError.Code {
    // What was sent can't be read.

    /// The frame or body is not what its place asks for.
    public static let invalidFrame = Self("invalidFrame")
    /// Not JSON, nested deeper than 32, a key twice in one object, or not UTF-8.
    public static let invalidJSON = Self("invalidJSON")
    /// A field that this version doesn't know, or that the entity doesn't have.
    public static let unknownField = Self("unknownField")
    /// A field that must be there is not.
    public static let missingField = Self("missingField")
    /// A field's value has the wrong type or lies outside its range.
    public static let invalidField = Self("invalidField")
    /// More bytes than allowed.
    public static let tooLarge = Self("tooLarge")
    /// The file doesn't have the format that was announced.
    public static let invalidFile = Self("invalidFile")
    /// A row of a file can't be read; the others can.
    public static let invalidRow = Self("invalidRow")
    /// A kind of query that this server doesn't answer.
    public static let unknownQuery = Self("unknownQuery")
    /// The session already has a subscription with this id or to this query.
    public static let duplicateSubscription = Self("duplicateSubscription")

    // Who one is.

    /// No account stands behind this request.
    public static let notSignedIn = Self("notSignedIn")
    /// Name, password, link or token is wrong or no longer good.
    public static let invalidCredentials = Self("invalidCredentials")
    /// The password was set on a server with more memory, and this one doesn't check it.
    public static let passwordNotChecked = Self("passwordNotChecked")
    /// The page that sent the request is not one of the allowed origins.
    public static let forbiddenOrigin = Self("forbiddenOrigin")
    /// A link would lead to a host that isn't known to be this server.
    public static let unknownHost = Self("unknownHost")

    // What one may.

    /// No chat of this id, or none that the caller may see.
    public static let unknownChat = Self("unknownChat")
    /// No such user, or none that the caller may see.
    public static let unknownUser = Self("unknownUser")
    /// No message of this number, or none that the caller may see.
    public static let unknownMessage = Self("unknownMessage")
    /// No share of this id in the chat that is the caller's.
    public static let unknownShare = Self("unknownShare")
    /// The position is from a time when its sender didn't share.
    public static let notShared = Self("notShared")
    /// The share is over, or positions here need one to be started.
    public static let shareEnded = Self("shareEnded")
    /// The caller is not, or no longer, a participant.
    public static let notParticipant = Self("notParticipant")
    /// Only an owner, or the message's own sender, may do this.
    public static let notAllowed = Self("notAllowed")
    /// The one-to-one chat takes no more messages and shares.
    public static let closedChat = Self("closedChat")
    /// There is nothing at this address.
    public static let notFound = Self("notFound")
    /// The address exists, but doesn't accept this HTTP method.
    public static let methodNotAllowed = Self("methodNotAllowed")

    // The rules of chats.

    /// A chat was started without an invitee.
    public static let noInvitee = Self("noInvitee")
    /// An invitee doesn't exist, or isn't a contact of the caller.
    public static let unknownInvitee = Self("unknownInvitee")
    /// A one-to-one chat has exactly one invitee, and users can't be added to it.
    public static let oneToOne = Self("oneToOne")
    /// A user is in the chat already.
    public static let alreadyParticipant = Self("alreadyParticipant")
    /// A one-to-one chat of this pair exists; the answer names it.
    public static let chatExists = Self("chatExists")
    /// `content` and `data` are over 71 680 bytes together.
    public static let messageTooLarge = Self("messageTooLarge")
    /// The tag is one that only the server writes.
    public static let reservedTag = Self("reservedTag")
    /// The key was used in this chat for another message.
    public static let keyReused = Self("keyReused")
    /// Too many participants, chats, entities, fields or objects.
    public static let tooMany = Self("tooMany")
    /// The invitation was used, withdrawn, or is too old.
    public static let invitationUsed = Self("invitationUsed")
    /// Another account has this login name.
    public static let nameTaken = Self("nameTaken")
    /// The change would leave the server without an operator.
    public static let lastOperator = Self("lastOperator")
    /// An operator has disabled the account.
    public static let accountDisabled = Self("accountDisabled")

    // The rules of objects.

    /// No entity of this name, or none that the caller may see.
    public static let unknownEntity = Self("unknownEntity")
    /// No object of this id in the entity.
    public static let unknownObject = Self("unknownObject")
    /// There is an entity of this name already.
    public static let entityExists = Self("entityExists")
    /// The entity's objects, or another entity, rely on what was to change.
    public static let entityInUse = Self("entityInUse")
    /// The object has changed since the version that the caller knows.
    public static let objectChanged = Self("objectChanged")
    /// Another object refers to it.
    public static let objectInUse = Self("objectInUse")
    /// A reference names an object or an entity that isn't there.
    public static let unknownReference = Self("unknownReference")

    // The server's state.

    /// Too fast; wait.
    public static let tooManyRequests = Self("tooManyRequests")
    /// The receiver doesn't take what it is sent.
    public static let slowReader = Self("slowReader")
    /// The operator closed the world, or opened it to members only.
    public static let worldClosed = Self("worldClosed")
    /// The server is going down or can't reach its store; try again.
    public static let unavailable = Self("unavailable")
    /// No geocoder can answer now; try again.
    public static let geocoderUnavailable = Self("geocoderUnavailable")
    /// The server's own fault; its log says more.
    public static let internalError = Self("internalError")
    /// A version or subprotocol that this server doesn't speak.
    public static let unsupportedVersion = Self("unsupportedVersion")
}
