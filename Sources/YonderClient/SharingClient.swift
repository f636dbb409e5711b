import Logging
import NIOSSL
public import YonderModel
import YonderWire

/// A client of a server, which reconnects whenever the connection breaks.
///
/// Works while ``run()`` runs, in a task of the caller's. A sent message stays in an outbox until the server
/// has stored it; each watched query continues where it stopped.
public actor SharingClient {
    /// A message that the server refused for good while no caller was waiting for the answer.
    public struct Refused: Sendable {
        /// The message's chat.
        public let chat: ChatID
        /// The key under which it was sent.
        public let key: String
        /// The server's error.
        public let error: SharingError
    }

    /// A participant's question where this client's user is.
    public struct Question: Hashable, Sendable {
        /// The chat in which an answer would be sent.
        public let chat: ChatID
        /// The participant who sent the question.
        public let asker: UserID
    }

    /// The answer to a request.
    enum Reply: Sendable {
        case sent(number: Int64?, time: Int64)
        case started(NamedChat, existed: Bool)
        case shared(ShownShare)
        case stopped([ShareID])
    }

    typealias Waiter = CheckedContinuation<Result<Reply, SharingError>, Never>

    /// A task to perform later, while the client runs.
    enum Chore: Sendable {
        case resumeSending(Outgoing.Pause, after: Duration)
        case resubscribe(Int64, after: Duration)
        case forget(OutgoingKey)
        case movePin
    }

    /// Messages that the server refused for good while no caller was waiting; the newest hundred are kept for
    /// a slow reader.
    public nonisolated let refusals: AsyncStream<Refused>

    /// The questions of participants where this client's user is, each once; the newest hundred are kept for a slow reader.
    ///
    /// The answer is a position sent into the question's chat. Without one, the asker isn't sent a refusal.
    public nonisolated let questions: AsyncStream<Question>

    /// Whether there is a connection: the current state first, then each change.
    public nonisolated let connections: AsyncStream<Bool>

    let outbox: any OutboxStore
    let settings: ClientSettings
    let connect: LinkFactory
    let clock: any Clock<Duration>
    let refused: AsyncStream<Refused>.Continuation
    let asked: AsyncStream<Question>.Continuation
    let connectionChanges: AsyncStream<Bool>.Continuation

    var state: ConnectionState
    var link: (any StreamLink)?
    var isRunning = false
    var chores: AsyncStream<Chore>.Continuation?

    var outgoing = Outgoing()

    /// Messages added before the outbox was read, to be sent after its contents; `nil` once it was read.
    var early: [OutboxEntry]? = []

    var waiters: [OutgoingKey: [Waiter]] = [:]

    /// The callers who wait until every request is answered.
    var idlers: [CheckedContinuation<Void, Never>] = []

    /// The requests whose messages aren't stored, and so are never sent again.
    var passing: Set<OutgoingKey> = []

    /// The highest read number per chat that the client must still send, as there was no connection.
    var marks: [ChatID: Int64] = [:]

    var subscriptions: [Int64: any LiveSubscription] = [:]
    var queries: [StreamQuery: Int64] = [:]
    var topics: [Int64: Int64] = [:]
    var nextSubscription: Int64 = 1

    /// The position of the caller's pin in the world, while one is shown.
    var pin: WorldPosition?
    var worldInPin: Int64?

    /// The pin as last sent to the server.
    var shownPin: WorldPosition?

    /// Whether a pause runs during which no newer pin is sent: the server limits the rate.
    var isPinResting = false

    var logger: Logger { settings.logger }

    /// Creates a client; ``run()`` connects it.
    ///
    /// - Parameters:
    ///   - server: `https://host` or `http://host:port`, with the path in front of `/v1` if there is one.
    ///   - token: A bearer token; without one, only an open world can be watched.
    ///   - outbox: Stores unsent messages; the default outbox in memory loses them when the process ends.
    ///   - settings: The client's settings.
    /// - Throws: `invalidField` for an invalid server, token or certificate file.
    public init(
        server: String,
        token: String? = nil,
        outbox: any OutboxStore = MemoryOutboxStore(),
        settings: ClientSettings = ClientSettings()
    ) throws(SharingError) {
        let address = try ServerAddress(server)
        if let token, token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw SharingError(
                .invalidField,
                "token must be one or more visible ASCII characters without spaces."
            )
        }
        if token != nil, !address.isSecure, !address.isLoopback {
            settings.logger.warning("The token goes to the server without TLS.")
        }
        let tls = address.isSecure ? try Self.tls(settings) : nil
        let link = WebSocketLink.Settings(address: address, token: token, tls: tls)
        self.init(outbox: outbox, settings: settings) { () async throws(LinkClosure) in
            try await WebSocketLink.connect(link)
        }
    }

    /// Creates a client over connections that the caller makes.
    package init(
        outbox: any OutboxStore = MemoryOutboxStore(),
        settings: ClientSettings = ClientSettings(),
        clock: any Clock<Duration> = ContinuousClock(),
        connect: @escaping LinkFactory
    ) {
        self.outbox = outbox
        self.settings = settings
        self.connect = connect
        self.clock = clock
        state = ConnectionState(backoff: settings.backoff)
        (refusals, refused) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
        (questions, asked) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
        (connections, connectionChanges) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    private static func tls(_ settings: ClientSettings) throws(SharingError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let file = settings.certificateAuthority { configuration.trustRoots = .file(file) }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw SharingError(
                .invalidField,
                "certificateAuthority can't be used; it must be a file in PEM form: \(error)"
            )
        }
    }
}
