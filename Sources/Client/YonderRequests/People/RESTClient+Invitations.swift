public import YonderGeodesy
import YonderLink
public import YonderModel

// Invitations: links that make two people contacts. For apps, from any task; the page does the same in JavaScript. Beside the
// errors named they throw what every call does (`RESTClient`). That a secret is sent to its own server alone must stay
// (`secret(_:in:)`, `RESTClientTests`). How long an invitation is good is the server's. A further member of an answer must be
// optional.
extension RESTClient {
    /// Makes an invitation, good once and within a week.
    ///
    /// - Throws: `notAllowed` if the person may invite nobody; `tooMany` if too many invitations of theirs are open.
    public func invite() async throws(SharingError) -> Invitation {
        let answer: InvitationAnswer = try await change(.post, "/v1/invitations")
        return Invitation(link: answer.url, expires: Timestamp(milliseconds: answer.expires))
    }

    /// Reads which person made an invitation, also for a caller without an account.
    ///
    /// - Parameter link: The whole link, or its secret alone.
    /// - Returns: The person's name.
    /// - Throws: `invitationUsed` if it was accepted, is too old, or never was.
    public func inviter(of link: String) async throws(SharingError) -> String {
        let fields = InvitationFields(invitation: try secret("invitation", in: link), name: nil)
        let answer: ViewAnswer = try await change(.post, "/v1/invitations/view", fields)
        return answer.from.name
    }

    /// Accepts an invitation as the person who is signed in.
    ///
    /// - Parameter link: The whole link, or its secret alone.
    /// - Returns: The new contact.
    /// - Throws: `invitationUsed`; `notSignedIn`.
    @discardableResult
    public func accept(_ link: String) async throws(SharingError) -> User {
        try await accept(link, name: nil).contact
    }

    /// Makes an account for a new person, signs them in, and accepts an invitation in their name.
    ///
    /// - Parameters:
    ///   - link: The whole link, or its secret alone.
    ///   - name: The name that others see.
    /// - Returns: The new person, and their contact.
    /// - Throws: `invitationUsed`; `invalidField` for the name; `notAllowed` if there is a session on this device.
    public func accept(_ link: String, asNewPerson name: String) async throws(SharingError) -> (
        user: User, contact: User
    ) {
        try checkSession()
        guard try await !isSignedIn else {
            throw SharingError(.notAllowed, "A person is signed in on this device; sign out first.")
        }
        let (user, contact) = try await accept(link, name: name)
        guard let user else { throw SharingError(.internalError, "The server's answer has no new person.") }
        return (user, contact)
    }

    private func accept(_ link: String, name: String?) async throws(SharingError) -> (
        user: User?, contact: User
    ) {
        let fields = InvitationFields(invitation: try secret("invitation", in: link), name: name)
        let path = "/v1/invitations/accept"
        let answer: AcceptedAnswer =
            name == nil ? try await change(.post, path, fields) : try await begin(path, fields)
        guard let user = answer.user else { return (nil, try User(answer.contact)) }
        return (try User(user), try User(answer.contact))
    }
}

/// A link that makes whoever opens it a contact, once.
public struct Invitation: Hashable, Sendable {
    /// The link; the text of a QR code, too.
    public let link: String

    /// When it is over.
    public let expires: Timestamp
}

private struct InvitationAnswer: Decodable {
    let url: String
    let expires: Int64
}

private struct InvitationFields: Encodable {
    let invitation: String
    let name: String?
}

private struct ViewAnswer: Decodable {
    struct From: Decodable {
        let name: String
    }

    let from: From
}

private struct AcceptedAnswer: Decodable {
    let user: UserAnswer?
    let contact: UserAnswer
}
