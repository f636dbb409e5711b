import Foundation
import Observation
import Synchronization
import TestSupport
import Testing
import YonderAccounts
import YonderClient
import YonderGeodesy
import YonderHub
import YonderLink
import YonderModel
import YonderRules
import YonderObjects
import YonderRequests
import YonderSocketIOClient
import YonderStorage
import YonderTracks

@testable import YonderAppModels
import YonderTables

/// A real server with the demo's people and places, and the phone of one of them.
struct AppGround: Sendable {
    let server: TestServer

    /// The phone's connection.
    let line = Line()

    /// The phone's clock, which moves by hand.
    let clock = PhoneClock()

    /// The phone's language.
    var languages = ["en"]

    var context: AppContext {
        AppContext(languages: languages, timeZone: .gmt, clock: clock.waits, now: { [clock] in clock.now })
    }

    /// Runs a server beside `body`.
    static func running(
        _ hub: HubSettings = HubSettings(),
        _ body: @escaping @MainActor @Sendable (AppGround) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder, hub: hub) { server in
                try await body(AppGround(server: server))
            }
        }
    }

    // MARK: - People

    /// A new person of the demo.
    func person(_ name: String) async throws -> Person {
        let email = name.split(separator: " ")[0].lowercased() + "@example.org"
        let profile = Profile(name: name, email: email)
        let user = try await server.accounts.create(profile, login: nil, isOperator: false, under: .server)
        return Person(
            id: user.id,
            token: try await server.accounts.makeToken("test", for: user.id, under: .server).text
        )
    }

    /// New people who are all contacts of the first one.
    func people(_ names: String...) async throws -> [Person] {
        var people: [Person] = []
        for name in names { people.append(try await person(name)) }
        for other in people.dropFirst() { try await server.store.connect(people[0].id, other.id) }
        return people
    }

    /// A chat of people, that the first one started; without a subject, that of a pair.
    func chat(_ people: [Person], _ subject: String = "") async throws -> ChatID {
        let wish = ChatStart(
            creator: people[0].id,
            invitees: people.dropFirst().map(\.id),
            subject: subject,
            isOneToOne: subject.isEmpty
        )
        return try await server.store.start(wish, at: .now).chat.id
    }

    /// A person as they are signed in on the phone.
    func signedIn(_ person: Person) async throws -> SignedInUser {
        let requests = try RESTClient(server: server.url, token: person.token)
        return SignedInUser(
            try await requests.me().user,
            requests: requests,
            client: line.client(of: requests)
        )
    }

    /// The client of another person, on a connection of their own.
    func client(of person: Person) throws -> SharingClient {
        try Connections().client(server.url, token: person.token)
    }

    /// A person's way to the world.
    func world(of person: Person, over line: Line) throws -> WorldChannel {
        let requests = try RESTClient(server: server.url, token: person.token)
        return WorldChannel { line.client(of: requests) }
    }

    /// A way to the world over Socket.IO.
    func socketWorld(over line: Line) -> WorldChannel {
        WorldChannel(socketIO: { [url = server.url] () throws(SharingError) in try line.socket(url) })
    }

    // MARK: - The demo's data

    private static var demo: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Data/demo")
            .standardized
    }

    /// The road of one of the demo's people.
    static func walk(_ name: String) throws -> [Coordinate] {
        let bytes = [UInt8](try Data(contentsOf: demo.appending(path: "walks.gpx")))
        let track = try GPXDocument(reading: bytes).tracks.first { $0.name == name }
        return try #require(track).points.map(\.coordinate)
    }

    /// Puts the demo's restaurants on the map.
    func makePlaces() async throws -> Entity {
        let (restaurant, name) = (try #require(EntityName("restaurant")), try #require(FieldName("name")))
        let at = try #require(FieldName("place"))
        let fields = [Field(name, .text, isRequired: true), Field(at, .location)]
        let definition = EntityDefinition(restaurant, fields: fields)
        let entity = try await server.catalog.createEntity(definition, by: .owner, at: .now, under: .server)
        for line in try String(contentsOf: Self.demo.appending(path: "places.tsv"), encoding: .utf8).split(
            separator: "\n"
        ) {
            let parts = line.split(separator: "\t").map(String.init)
            guard parts.count == 4, let latitude = Double(parts[2]), let longitude = Double(parts[3]),
                let coordinate = Coordinate(latitude: latitude, longitude: longitude),
                let location = ObjectLocation(coordinate)
            else { continue }
            let values: [FieldName: FieldValue] = [name: .text(parts[0]), at: .location(location)]
            try await server.catalog.change(
                ObjectSubmission(entity: restaurant, caller: .owner, action: .create(values), time: .now)
            )
        }
        return entity
    }
}

/// A phone's connection, which a test cuts and mends.
final class Line: Sendable {
    private struct State {
        var links: [any StreamLink] = []
        var isCut = false
    }

    private let state = Mutex(State())

    /// A live client over this line, which connects again at once.
    func client(
        of person: RESTClient,
        outbox: any OutboxStore = MemoryOutboxStore(),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) -> SharingClient {
        var settings = ClientSettings()
        settings.backoff = Backoff(minimum: .milliseconds(1), maximum: .milliseconds(10))
        let open = person.links.stream(as: person.identity)
        return SharingClient(outbox: outbox, settings: settings, now: now) { () async throws(LinkClosure) in
            guard !self.state.withLock(\.isCut) else { throw .lost("The line is cut.") }
            let link = try await open()
            self.state.withLock { $0.links.append(link) }
            return link
        }
    }

    /// A Socket.IO client over this line, which connects again at once.
    func socket(_ url: String) throws(SharingError) -> SocketIOClient {
        var settings = SocketIOSettings()
        settings.transports = .webSocket
        (settings.minimumWait, settings.maximumWait) = (.zero, .milliseconds(1))
        let links = try Links(server: url, certificateAuthority: nil)
        let cuttable = Links(address: links.address, requests: links.requests) {
            (target, headers) async throws(OpenFailure) in
            guard !self.state.withLock(\.isCut) else { throw .closed(.lost("The line is cut.")) }
            let link = try await links.webSocket(target, headers)
            self.state.withLock { $0.links.append(link) }
            return link
        }
        return try SocketIOClient(links: cuttable, settings: settings)
    }

    /// Cuts what is connected, and connects nothing until ``mend()``.
    func cut() {
        let links = state.withLock { state in
            defer { state = State(isCut: true) }
            return state.links
        }
        for link in links { link.close() }
    }

    func mend() {
        state.withLock { $0.isCut = false }
    }
}

/// A phone's clock: the time of day runs on from the real one as far as a test moves it.
final class PhoneClock: Sendable {
    let waits = ManualClock()

    var now: Timestamp { .now + waits.now.offset }

    /// Moves on, once a model waits for it.
    func advance(by duration: Duration) async {
        await waits.waitForSleepers()
        waits.advance(by: duration)
    }
}

/// Shows a screen: runs its model, and that of another screen, beside `body` as the views' `.task` does, and ends them.
@MainActor
func showing<Value: Sendable>(
    _ run: @escaping @MainActor @Sendable () async -> Void,
    and other: @escaping @MainActor @Sendable () async -> Void = {},
    body: @MainActor () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await run() }
        group.addTask { await other() }
        defer { group.cancelAll() }
        return try await body()
    }
}

/// Waits until what a screen shows is as expected; it is looked at again only when something that it reads has changed.
@MainActor
func wait(until isAsExpected: @MainActor () throws -> Bool) async throws {
    while true {
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        var result: Result<Bool, any Error> = .success(false)
        withObservationTracking {
            result = Result { try isAsExpected() }
        } onChange: {
            change.finish()
        }
        if try result.get() { return }
        for await _ in changes {}
        try Task.checkCancellation()
    }
}
