import Testing
import YonderAccounts
import YonderClient
import YonderGeodesy
import YonderHub
import YonderModel
import YonderObjects
import YonderRequests
import YonderWire
import YonderRules

/// The SDK's requests against a real server.
@Suite(.timeLimit(.minutes(20))) struct RESTClientTests {
    @Test func `people come by link and by invitation, meet, share, block and sign out`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let account = try await server.accounts.create(
                    Profile(name: "Ada"),
                    login: "ada",
                    isOperator: false,
                    under: .server
                )
                let link = try await server.accounts.makeLink(for: account.id, under: .server).text
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
                #expect(try await ada.person(user.id).name == "Bea")
                let unknown = await #expect(throws: SharingError.self) { try await ada.person(.random()) }
                #expect(unknown?.code == .unknownUser)
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
            let track = try #require(try await other.tracks(in: chat).tracks.first)
            #expect(track.points.map(\.coordinate) == [position.coordinate])
            try await client.stopShare(share.id, in: chat)
            tasks.cancelAll()
        }
    }

    @Test func `objects are made, changed, found and deleted, and who isn't an operator reads them`()
        async throws
    {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let owner = try await server.accounts.create(
                    Profile(name: "Ada"),
                    isOperator: true,
                    under: .server
                )
                let member = try await server.accounts.create(Profile(name: "Bea"), under: .server)
                let (ada, bea) = (
                    try RESTClient(
                        server: server.url,
                        token: try await server.accounts.makeToken("", for: owner.id, under: .server).text
                    ),
                    try RESTClient(
                        server: server.url,
                        token: try await server.accounts.makeToken("", for: member.id, under: .server).text
                    )
                )
                let (cafes, name, at) = (
                    try #require(EntityName("cafes")), try #require(FieldName("name")),
                    try #require(FieldName("at"))
                )
                _ = try await server.catalog.createEntity(
                    EntityDefinition(
                        cafes,
                        fields: [Field(name, .text, isRequired: true), Field(at, .location)]
                    ),
                    by: .owner,
                    at: .now,
                    under: .server
                )
                let place = try #require(Coordinate(latitude: 47.14, longitude: 9.52))
                let location = FieldValue.location(try #require(ObjectLocation(place)))
                let made = try await ada.createObject(
                    of: cafes,
                    [name: .text("Café & \"Bar\""), at: location]
                )
                #expect(try await bea.entities().map(\.name) == [cafes])
                let entity = try await bea.entity(cafes)
                #expect(try await bea.object(made.id, of: cafes) == made)
                #expect(try made.object(of: entity).fields[name] == .text("Café & \"Bar\""))
                let region = try #require(Region(west: 9, south: 47, east: 10, north: 48))
                let found = try await bea.objects(of: cafes, in: region, ObjectConditions(["name^Café &"]))
                #expect(found.objects == [made] && found.total == 1)
                #expect(try await bea.objects(of: cafes, in: region, ObjectConditions(["name=x"])).total == 0)
                let near = try await bea.objects(of: cafes, near: place, within: .meters(10))
                #expect(near.map(\.object) == [made] && near[0].distance < .meters(1))
                let page = try await bea.objects(of: cafes, ObjectConditions(order: ["-name"]), limit: 1)
                #expect(page.objects == [made])

                let wish = ObjectWish(fields: [name: .text("Tea"), at: nil], updated: made.updated)
                let changed = try await ada.changeObject(made.id, of: cafes, wish)
                #expect(try changed.object(of: entity).fields == [name: .text("Tea")])
                let late = await #expect(throws: SharingError.self) {
                    try await ada.changeObject(made.id, of: cafes, wish)
                }
                #expect(late?.code == .objectChanged)
                let refused = await #expect(throws: SharingError.self) {
                    try await bea.deleteObject(made.id, of: cafes)
                }
                #expect(refused?.code == .notAllowed)
                try await ada.deleteObject(made.id, of: cafes, updated: changed.updated)
                let gone = await #expect(throws: SharingError.self) {
                    try await bea.object(made.id, of: cafes)
                }
                #expect(gone?.code == .unknownObject)
            }
        }
    }

    @Test func `a stream whose session ended says so, and the device forgets it`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let account = try await server.accounts.create(
                    Profile(name: "Ada"),
                    login: nil,
                    isOperator: false,
                    under: .server
                )
                let store = MemorySessionStore()
                let ada = try RESTClient(server: server.url, store: store)
                try await ada.signIn(
                    link: try await server.accounts.makeLink(for: account.id, under: .server).text
                )
                let desk = try RESTClient(server: server.url, store: MemorySessionStore())
                try await desk.signIn(
                    link: try await server.accounts.makeLink(for: account.id, under: .server).text
                )
                try await desk.endOtherSessions()
                let error = await #expect(throws: SharingError.self) { try await SharingClient(ada).run() }
                #expect(error?.code == .notSignedIn)
                #expect(store.session() == nil)
            }
        }
    }
}
