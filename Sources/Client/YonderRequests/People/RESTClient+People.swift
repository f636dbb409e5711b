import YonderLink
public import YonderModel

// Contacts and blocks. `ContactsModel` of the app models calls some of these, and apps, from any task. Beside the errors
// named they throw what every call does (`RESTClient`). Blocking and removing may be repeated, and change nothing then. What
// a block does is decided by the server (decision 37, `Documentation/rest.md`); members of answers must be optional where
// older servers lack them (`RESTClientTests`).
extension RESTClient {
    /// The person's contacts, by name.
    public func contacts() async throws(SharingError) -> [User] {
        let answer: ContactsAnswer = try await get("/v1/contacts")
        return try answer.contacts.map { contact throws(SharingError) in try User(contact) }
    }

    /// Reads the profile of a user: of the signed-in person, of a contact, or of a participant of a chat in which the person is now.
    ///
    /// - Returns: The user.
    /// - Throws: `unknownUser` for any other user, and if there is no such user.
    public func person(_ user: UserID) async throws(SharingError) -> User {
        let answer: PersonAnswer = try await get("/v1/people/\(user)")
        return try User(answer.user)
    }

    /// Removes a contact, for both; their chats stay.
    ///
    /// - Throws: `unknownUser`.
    public func removeContact(_ user: UserID) async throws(SharingError) {
        try await change(.delete, "/v1/contacts/\(user)")
    }

    /// The people whom the person blocks, by name.
    public func blocks() async throws(SharingError) -> [User] {
        let answer: BlocksAnswer = try await get("/v1/blocks")
        return try answer.blocks.map { user throws(SharingError) in try User(user) }
    }

    /// Blocks a user, who isn't told: they are no contacts, their one-to-one chat takes no messages, and the shares in it end.
    ///
    /// - Throws: `unknownUser`; `tooMany`.
    public func block(_ user: UserID) async throws(SharingError) {
        try await change(.put, "/v1/blocks/\(user)")
    }

    /// Blocks a user, and leaves the groups that the user owns.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - stayingOut: Whether their owners can't add the person again.
    /// - Returns: How many groups were left.
    /// - Throws: `unknownUser`; `tooMany`; `unavailable` after some groups were left, where the call can be repeated.
    @discardableResult
    public func blockAndLeave(_ user: UserID, stayingOut: Bool = false) async throws(SharingError) -> Int {
        var left = 0
        while true {
            let fields = BlockFields(leave: true, stayOut: stayingOut)
            let answer: LeftAnswer = try await change(.put, "/v1/blocks/\(user)", fields)
            left += answer.left
            // A server that leaves none of those that it says are left would be asked for ever.
            guard answer.more, answer.left > 0 else { return left }
        }
    }

    /// Unblocks a user; this doesn't make the two contacts again.
    ///
    /// - Throws: `unknownUser`.
    public func unblock(_ user: UserID) async throws(SharingError) {
        try await change(.delete, "/v1/blocks/\(user)")
    }

    /// The groups that the person left for good, each by its id and its name.
    public func staysOut() async throws(SharingError) -> [LeftGroup] {
        let answer: LeftGroupsAnswer = try await get("/v1/me/stays-out")
        return try answer.chats.map { group throws(SharingError) in
            LeftGroup(id: try ChatID(answered: group.id), subject: group.subject)
        }
    }

    /// Lets the owner of a group add the person again.
    public func comeBack(to chat: ChatID) async throws(SharingError) {
        try await change(.delete, "/v1/me/stays-out/\(chat)")
    }
}

/// A group that a person left for good.
public struct LeftGroup: Hashable, Sendable, Identifiable {
    /// The group.
    public let id: ChatID

    /// Its name.
    public let subject: String
}

private struct PersonAnswer: Decodable {
    let user: UserAnswer
}

private struct ContactsAnswer: Decodable {
    let contacts: [UserAnswer]
}

private struct BlocksAnswer: Decodable {
    let blocks: [UserAnswer]
}

private struct BlockFields: Encodable {
    let leave: Bool
    let stayOut: Bool
}

private struct LeftAnswer: Decodable {
    let left: Int
    let more: Bool
}

private struct LeftGroupsAnswer: Decodable {
    struct Group: Decodable {
        let id: String
        let subject: String
    }

    let chats: [Group]
}
