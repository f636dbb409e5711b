import Logging
import NIOSSL
public import YonderModel
import YonderWire

/// A connection to a server that is made again whenever it breaks, and all that goes over it.
///
/// It works while ``run()`` runs, in a task of the caller's. What is sent waits in an outbox until the server has it on
/// disk; what is watched goes on where it stopped.
public actor SharingClient {
    /// A message that the server refused for good, after whoever sent it stopped waiting.
    public struct Refused: Sendable {
        /// The message's chat.
        public let chat: ChatID
        /// The key it was sent under.
        public let key: String
        /// Why.
        public let error: SharingError
    }

    /// What an answer to something sent brings.
    enum Reply: Sendable {
        case sent(number: Int64?, time: Int64)
        case started(NamedChat, existed: Bool)
        case shared(ShownShare)
        case stopped([ShareID])
    }

    typealias Waiter = CheckedContinuation<Result<Reply, SharingError>, Never>

    /// What becomes of time's passing, and of the outbox, while the client runs.
    enum Chore: Sendable {
        case resumeSending(Outgoing.Pause, after: Duration)
        case resubscribe(Int64, after: Duration)
        case forget(OutgoingKey)
        case movePin
    }

    /// Messages that were refused for good and that nobody waits for; the newest hundred if nobody reads.
    public nonisolated let refusals: AsyncStream<Refused>

    /// Whether there is a connection: the newest state first, then each change.
    public nonisolated let connections: AsyncStream<Bool>

    let outbox: any OutboxStore
    let settings: ClientSettings
    let connect: LinkFactory
    let clock: any Clock<Duration>
    let refused: AsyncStream<Refused>.Continuation
    let connectionChanges: AsyncStream<Bool>.Continuation

    var state: ConnectionState
    var link: (any StreamLink)?
    var isRunning = false
    var chores: AsyncStream<Chore>.Continuation?

    var outgoing = Outgoing()

    /// What was put into the outbox before it was read, to go out behind what was in it; `nil` once it was read.
    var early: [OutboxEntry]? = []

    var waiters: [OutgoingKey: [Waiter]] = [:]

    /// Who waits until nothing is unsent.
    var idlers: [CheckedContinuation<Void, Never>] = []

    /// What goes to whoever is connected and isn't sent twice.
    var passing: Set<OutgoingKey> = []

    /// How far chats are read, as far as no connection was there to say so.
    var marks: [ChatID: Int64] = [:]

    var subscriptions: [Int64: any LiveSubscription] = [:]
    var queries: [StreamQuery: Int64] = [:]
    var topics: [Int64: Int64] = [:]
    var nextSubscription: Int64 = 1

    /// Where the caller's pin in the world is, as long as they show one.
    var pin: WorldPosition?
    var worldInPin: Int64?

    /// The pin as the server has it.
    var shownPin: WorldPosition?

    /// Whether no newer pin is sent for now: a server takes only so many a second.
    var isPinResting = false

    var logger: Logger { settings.logger }

    /// Prepares a client; ``run()`` connects it.
    ///
    /// - Parameters:
    ///   - server: `https://host`, or `http://host:port`, with a path before `/v1` if there is one.
    ///   - token: A bearer token; without one only an open world can be watched.
    ///   - outbox: Keeps what is unsent; the one in memory forgets it at the end of the process.
    ///   - settings: How it behaves.
    /// - Throws: `invalidField` for a server, token or file that is none.
    public init(
        server: String,
        token: String? = nil,
        outbox: any OutboxStore = MemoryOutboxStore(),
        settings: ClientSettings = ClientSettings()
    ) throws(SharingError) {
        let address = try ServerAddress(server)
        if let token, token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw SharingError(.invalidField, "This is no token.")
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

    /// Prepares a client over connections of the caller's making.
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
        (connections, connectionChanges) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    private static func tls(_ settings: ClientSettings) throws(SharingError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let file = settings.certificateAuthority { configuration.trustRoots = .file(file) }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw SharingError(.invalidField, "The certificate authority can't be read: \(error)")
        }
    }
}
