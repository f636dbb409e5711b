import Testing
import YonderAccounts
import YonderClient
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRequests
import YonderWire

/// The SDK's requests against a real server.
@Suite(.timeLimit(.minutes(5))) struct RESTClientTests {
    @Test func `people come by link and by invitation, meet, share, block and sign out`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let account = try await server.accounts.create(
                    Profile(name: "Ada"),
                    login: "ada",
                    isOperator: false
                )
                let link = try await server.accounts.makeLink(for: account.id).text
                let store = MemorySessionStore()
                let ada = try RESTClient(server: server.url, store: store)
                #expect(try await ada.signIn(link: "\(server.url)/#link=\(link)").id == account.id)
                #expect(try await ada.me().login == "ada")
                let twice = await #expect(throws: SharingError.self) { try await ada.signIn(link: link) }
                #expect(twice?.code == .invalidCredentials)

                try await ada.setPassword("correct horse")
                try await ada.changeMe {
                    $0.name = "Ada Lovelace"
                    $0.setHue(200)
                }
                #expect(try await ada.me().user.hue == 200)
                let desk = try RESTClient(server: server.url, store: MemorySessionStore())
                try await desk.signIn(login: "ada", password: "correct horse")
                #expect(try await ada.sessions().sessions.map(\.isCurrent).filter(\.self).count == 1)
                try await ada.endOtherSessions()
                let over = await #expect(throws: SharingError.self) { try await desk.me() }
                #expect(over?.code == .notSignedIn)
                #expect(try await desk.isSignedIn == false)

                let invitation = try await ada.invite()
                let bea = try RESTClient(server: server.url, store: MemorySessionStore())
                #expect(try await bea.inviter(of: invitation.link) == "Ada Lovelace")
                let (user, contact) = try await bea.accept(invitation.link, asNewPerson: "Bea")
                #expect(contact.id == account.id)
                #expect(try await ada.contacts().map(\.id) == [user.id])
                let gone = await #expect(throws: SharingError.self) {
                    try await bea.inviter(of: invitation.link)
                }
                #expect(gone?.code == .invitationUsed)

                try await Self.share(ada, with: user.id, seenBy: bea)

                try await ada.block(user.id)
                #expect(try await ada.blocks().map(\.id) == [user.id])
                #expect(try await bea.contacts().isEmpty)
                try await ada.unblock(user.id)
                try await ada.signOut()
                #expect(store.session() == nil)
                let out = await #expect(throws: SharingError.self) { try await ada.me() }
                #expect(out?.code == .notSignedIn)
            }
        }
    }

    /// Over the stream, as the same people.
    private static func share(_ person: RESTClient, with user: UserID, seenBy other: RESTClient) async throws
    {
        let (client, viewer) = (SharingClient(person), SharingClient(other))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for each in [client, viewer] { tasks.addTask { try? await each.run() } }
            let chat = try await client.startChat(with: [user], subject: "Walk").chat.id
            let share = try await client.startShare(in: chat, ShareWish())
            var position = Position(
                coordinate: try #require(Coordinate(latitude: 47.14, longitude: 9.52)),
                timestamp: .now
            )
            position.timestamp = .now
            try await client.send(
                MessageDraft(tag: .location, data: MessageData(position: position)),
                to: chat
            )
            for try await update in await viewer.messages(in: chat) {
                let tags =
                    switch update {
                    case .list(let messages): messages.map(\.tag)
                    case .change(.added(let message)): [message.tag]
                    default: [MessageTag]()
                    }
                if tags.contains(.location) { break }
            }
            try await client.stopShare(share.id, in: chat)
            tasks.cancelAll()
        }
    }

    @Test func `a stream whose session ended says so, and the device forgets it`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let account = try await server.accounts.create(
                    Profile(name: "Ada"),
                    login: nil,
                    isOperator: false
                )
                let store = MemorySessionStore()
                let ada = try RESTClient(server: server.url, store: store)
                try await ada.signIn(link: try await server.accounts.makeLink(for: account.id).text)
                let desk = try RESTClient(server: server.url, store: MemorySessionStore())
                try await desk.signIn(link: try await server.accounts.makeLink(for: account.id).text)
                try await desk.endOtherSessions()
                let error = await #expect(throws: SharingError.self) { try await SharingClient(ada).run() }
                #expect(error?.code == .notSignedIn)
                #expect(store.session() == nil)
            }
        }
    }
}
