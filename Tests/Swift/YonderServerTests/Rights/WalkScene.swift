import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderServer

/// An operator in a session, with people, a chat, a share, objects and what else a request may change.
struct WalkScene: Sendable {
    let server: TestServer
    let ada: Caller
    let ben: UserID
    let cleo: UserID
    let benSession: String
    let benToken: String
    let otherSession: String
    let ownToken: String
    let key: String
    let chat: String
    let left: String
    let share: String
    let object: String
    let invitation: String
    let message: Int

    var user: UserID { get throws { try #require(ada.user) } }

    /// Makes the scene, and runs `body` with it.
    static func run(_ body: @Sendable (WalkScene) async throws -> Void) async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { people in
            try await body(try await WalkScene(server, people))
        }
    }

    private init(_ server: TestServer, _ people: [Caller]) async throws {
        self.server = server
        let operators = Account(
            user: User(id: .random(), name: "Other"),
            isOperator: true,
            created: Timestamp(milliseconds: 0)
        )
        try await server.store.createAccount(operators)
        let (ben, cleo) = (people[1], people[2])
        self.ben = try #require(ben.user)
        self.cleo = try #require(cleo.user)
        let ada = try await people[0].signedIn()
        self.ada = ada
        let accounts = server.assembly.accounts
        _ = try await ben.signedIn()
        _ = try await people[0].signedIn()
        let own = try #require(ada.user)
        benSession = try await accounts.credentials(.session, of: self.ben)[0].secret.publicID
        benToken = try await accounts.credentials(.token, of: self.ben)[0].secret.publicID
        let sessions = try await ada.get("/v1/me/sessions").list("sessions")
        otherSession = try #require(sessions.first { $0["current"] == nil }?["id"] as? String)
        ownToken = try await accounts.credentials(.token, of: own)[0].secret.publicID
        chat = try await ada.startChat(with: ben)
        left = try await ben.startChat(with: ada)
        try await ada.call(.delete, "/v1/chats/\(left)/participants/me", #"{"stayOut":true}"#)
        let sent = try await ada.post("/v1/chats/\(chat)/messages", #"{"tag":"Text","content":"Hi"}"#)
        message = try #require(sent.integer("number"))
        let started = try await ada.post("/v1/chats/\(chat)/shares", #"{"keep":"kept"}"#)
        share = try #require(started.object("share")["share"] as? String)
        key = try #require(try await ada.post("/v1/keys", #"{"name":"App"}"#).string("id"))
        try await ada.makeCafes()
        object = try await ada.makeCafe("A")
        let stranger = Account(
            user: User(id: .random(), name: "Stranger"),
            created: Timestamp(milliseconds: 0)
        )
        try await server.store.createAccount(stranger)
        invitation = try await accounts.invite(from: stranger.user.id, under: .server).secret.text
    }

    /// Sends a step's request.
    func send(_ step: WalkStep) async throws -> Reply {
        var headers = ada.headers
        headers[.contentType] = step.type
        return Reply(
            try await ada.client.execute(
                uri: step.path(self),
                method: step.method,
                headers: headers,
                body: ByteBuffer(bytes: step.body(self))
            )
        )
    }

    /// What the store has.
    func picture() async throws -> [String] { try await StorePicture.lines(of: server.store) }
}
