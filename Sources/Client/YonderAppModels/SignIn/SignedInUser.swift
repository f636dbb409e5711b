public import YonderClient
public import YonderModel
public import YonderRequests

/// The person who is signed in, with the clients that act for them.
///
/// `SignInModel` makes one at each sign-in, and drops it at the sign-out; all models of the person have it
/// (`SignInModelTests`).
public struct SignedInUser: Sendable, Identifiable {
    /// The person, as the server knew them at the sign-in.
    public let user: User

    /// Asks what isn't live.
    public let requests: RESTClient

    /// Asks what is live; ``SignInModel/run()`` runs it.
    public let client: SharingClient

    /// Creates a person whose client the caller runs.
    public init(_ user: User, requests: RESTClient, client: SharingClient) {
        (self.user, self.requests, self.client) = (user, requests, client)
    }

    /// The person's id.
    public var id: UserID { user.id }
}
