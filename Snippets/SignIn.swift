// Signs a person in, and invites another one.
import YonderRequests

func signInAndInvite(_ link: String) async throws {
    let person = try RESTClient(server: "https://yonder.example", store: FileSessionStore(path: "session"))
    if try await !person.isSignedIn { try await person.signIn(link: link) }
    let invitation = try await person.invite()
    print("Show this as a QR code:", invitation.link)
}
