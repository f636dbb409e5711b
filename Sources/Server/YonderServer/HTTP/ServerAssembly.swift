import HTTPTypes
package import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
package import YonderAccounts
package import YonderRules
package import YonderGeodesy
package import YonderHub
package import YonderMetrics
import YonderModel
package import YonderObjects
package import YonderREST
import YonderSocketIO
package import YonderTiles
package import YonderTransport
import YonderWorld

/// Assembles the server: the routes, access to the stream, and one port for all.
///
/// `ServerProcess` makes one at the start, and runs ``application(logger:onRunning:)`` as a service; tests make one for a
/// server in their process. Only reading the certificate may throw, which ends the start.
///
/// Each group of endpoints is registered here, once. A new group is a line in the initializer, with its paths in
/// `Documentation/rest.md` and `openapi.yaml` (`test_openapi.py`). The initializer's order of registration doesn't
/// matter. Settings of connections are in ``ServerSettings``.
///
/// The application's end must stay as it is: WebSockets are closed with 1001 before connections are cut (`DrainTests`).
package struct ServerAssembly: Sendable {
    /// The services that the server is built on.
    package struct Ground: Sendable {
        package let store: any NounStore
        package let chats: any ChatStore
        package let catalog: ObjectCatalog
        package let exchange: Exchange
        package let group: any EventLoopGroup
        package let registry: MetricsRegistry
        package let passwords: PasswordHasher
        package let attempts: any AttemptLedger
        package let geocoder: (any Geocoder)?
        package let naming: PlaceNaming
        package let towns: TownTiles?
        package let readiness: @Sendable () async -> Readiness
        package let refresh: @Sendable () -> Void
        package let now: @Sendable () -> Timestamp
        package let uptime: @Sendable () -> ContinuousClock.Instant
        package let expiry: ExpiryClock
        package let logger: Logger

        /// Creates the services.
        ///
        /// `group` has the exchange's event loops. `readiness` decides the answer of `/ready`, and `refresh` updates the
        /// metrics that are counted outside the registry, before each answer of `/metrics`.
        ///
        /// Times are taken from `now`, rate limits from the monotonic `uptime`, and the ends of sign-ins from `expiry`,
        /// if there is one: else from `now` without its steps back. Without a `geocoder` searches for places are
        /// refused; people's positions have the names that `naming` knows, and `towns` fill the map where there are no
        /// streets.
        package init(
            store: any NounStore,
            chats: any ChatStore,
            catalog: ObjectCatalog,
            exchange: Exchange,
            group: any EventLoopGroup,
            registry: MetricsRegistry = MetricsRegistry(),
            passwords: PasswordHasher = PasswordHasher(),
            attempts: (any AttemptLedger)? = nil,
            geocoder: (any Geocoder)? = nil,
            naming: PlaceNaming? = nil,
            towns: TownTiles? = nil,
            readiness: @escaping @Sendable () async -> Readiness = { Readiness() },
            refresh: @escaping @Sendable () -> Void = {},
            now: @escaping @Sendable () -> Timestamp = { .now },
            uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
            expiry: ExpiryClock? = nil,
            logger: Logger = Logger(label: "yonder") { _ in SwiftLogNoOpLogHandler() }
        ) {
            self.store = store
            self.chats = chats
            self.catalog = catalog
            self.exchange = exchange
            self.group = group
            self.registry = registry
            self.passwords = passwords
            self.attempts = attempts ?? AttemptMemory(uptime: uptime)
            self.geocoder = geocoder
            self.naming = naming ?? PlaceNaming()
            self.towns = towns
            self.readiness = readiness
            self.refresh = refresh
            self.now = now
            self.uptime = uptime
            self.expiry = expiry ?? ExpiryClock(wall: now, uptime: uptime)
            self.logger = logger
        }
    }

    /// Sign-in, tokens and invitations, also for the command line.
    package let accounts: Accounts

    /// Removes users.
    package let removal: Removal

    /// The endpoints for the command line, over the control socket.
    package let console: ConsoleAssembly

    /// Answers every request other than a WebSocket upgrade.
    package let responder: RouterResponder<RESTContext>

    /// All endpoints of the server.
    package let routes: [RESTRoute]

    /// Every connection of the server.
    package let connections: ConnectionGate

    private let settings: ServerSettings
    private let group: any EventLoopGroup
    private let report: ConnectionReport
    private let admission: StreamAdmission
    private let socketIO: SocketIOServer

    /// Assembles the server without listening yet.
    ///
    /// `beside` registers further endpoints on the same port.
    package init(
        _ settings: ServerSettings,
        on ground: Ground,
        beside: (RESTRoutes) -> Void = { _ in }
    ) {
        self.settings = settings
        group = ground.group
        report = ConnectionReport(logger: ground.logger, factory: ground.registry)
        connections = Self.gate(settings, report)
        let exchange = ground.exchange
        accounts = Accounts(
            store: ground.store,
            passwords: ground.passwords,
            attempts: ground.attempts,
            clock: ground.expiry,
            log: SignInLog(logger: ground.logger, uptime: ground.uptime)
        )
        let gateway = ChatGateway(exchange)
        // The rate limit for writes doesn't apply to the removal of a user.
        removal = Removal(
            accounts: accounts,
            chats: ground.chats,
            waitingFor: 256,
            now: ground.now,
            contactsChanged: gateway.contactsChanged
        )
        console = ConsoleAssembly(
            accounts: accounts,
            removal: removal,
            keys: ground.store,
            changed: gateway.changed,
            contactsChanged: gateway.contactsChanged,
            now: ground.now
        )
        let authenticator = Authenticator(
            store: ground.store,
            origins: settings.origins,
            proxies: settings.proxies,
            isTLS: settings.certificate != nil,
            clock: ground.expiry,
            seen: { [accounts] in accounts.note($0) }
        )
        admission = StreamAdmission(
            authenticator: authenticator,
            endpoint: StreamEndpoint(exchange: exchange, frameLimit: settings.hub.frameLimit),
            isOpen: settings.hub.world.access == .open
        )
        socketIO = .world(
            of: exchange,
            packetLimit: settings.hub.world.packetLimit,
            packetRate: settings.hub.world.packetsPerSecond,
            perAddress: Self.limits(settings).perAddress,
            proxies: settings.proxies,
            group: group,
            logger: ground.logger
        )
        let table = RouteTable()
        let router = Router(context: RESTContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestMetricsMiddleware(factory: ground.registry))
        router.add(
            middleware: SecurityHeadersMiddleware(
                isTLS: settings.certificate != nil,
                mapOrigins: settings.map.origins
            )
        )
        router.add(middleware: CrossOriginMiddleware(origins: settings.origins))
        router.add(middleware: RefusalMiddleware(table: table))
        let routes = RESTRoutes(
            router: router,
            table: table,
            authenticator: authenticator,
            address: PublicAddress(origins: settings.origins),
            requests: exchange.requests
        )
        RESTService(
            store: ground.store,
            accounts: accounts,
            chats: ground.chats,
            gateway: gateway,
            exchange: exchange,
            now: ground.now,
            removal: removal
        ).register(in: routes)
        ObjectService(
            catalog: ground.catalog,
            accounts: ground.store,
            writes: exchange.writes,
            now: ground.now
        ).register(in: routes)
        admission.register(in: routes)
        ProbeEndpoints(readiness: ground.readiness, refresh: ground.refresh, registry: ground.registry)
            .register(in: routes)
        TileEndpoints(sources: settings.tiles, towns: ground.towns).register(in: routes)
        var offer = settings.map
        offer.hasTowns = ground.towns != nil
        MapEndpoints(offer: offer).register(in: routes)
        PlaceNameEndpoints(naming: ground.naming, uptime: ground.uptime).register(in: routes)
        GeocodingEndpoints(geocoder: ground.geocoder, uptime: ground.uptime).register(in: routes)
        WebEndpoints().register(in: routes)
        beside(routes)
        socketIO.engine.addRoutes(to: router) { [proxies = settings.proxies] request, context in
            proxies.client(of: request.head, from: context.peer).network
        }
        self.routes = table.routes
        responder = router.buildResponder()
    }

    /// The application, to be run as a service.
    ///
    /// It shuts down gracefully: WebSockets are closed with 1001. `onRunning` is called with the address once
    /// the server listens.
    ///
    /// - Throws: The error of reading the certificate.
    package func application(
        logger: Logger,
        onRunning: @escaping @Sendable (SocketAddress?) async -> Void = { _ in }
    ) throws -> Application<RouterResponder<RESTContext>> {
        let certificate = try settings.certificate.map(ServerCertificate.init)
        return Application(
            responder: responder,
            server: server(certificate),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address, port: settings.port),
                backlog: 4096,
                // The connection gate keeps fewer connections; this limit includes those not yet admitted.
                availableConnectionsDelegate: .maximum(settings.maxConnections + 64, logger: logger)
            ),
            services: certificate.map { [CertificateRenewal(certificate: $0, logger: logger)] } ?? [],
            onServerRunning: { channel in
                await AcceptRestHandler.add(to: channel, report: report.accepting)
                await onRunning(channel.localAddress)
            },
            eventLoopGroupProvider: .shared(group),
            logger: logger
        )
    }

    private static func gate(_ settings: ServerSettings, _ report: ConnectionReport) -> ConnectionGate {
        let limits = limits(settings)
        return ConnectionGate(
            limits: limits,
            proxies: settings.proxies,
            observer: report.observer(limits: limits)
        )
    }

    private static func limits(_ settings: ServerSettings) -> Admission.Limits {
        Admission.Limits(connections: settings.maxConnections, perAddress: settings.maxAddressConnections)
    }

    private func server(_ certificate: ServerCertificate?) -> HTTPServerBuilder {
        .upgradable(settings: settings.connections, gate: connections, certificate: certificate) {
            [admission, socketIO] request in
            if request.isFor(StreamEndpoint.path) { return await admission.decide(request) }
            return await socketIO.engine.decide(request) ?? .refuse
        }
    }
}

extension ChatGateway {
    /// Creates the gateway of an exchange.
    init(_ exchange: Exchange) {
        self.init(
            submit: { submission throws(SharingError) in try await exchange.submit(submission) },
            start: { wish, time, warrant throws(SharingError) in
                try await exchange.start(wish, at: time, under: warrant)
            },
            pass: { draft, chat, sender, signIn throws(SharingError) in
                try await exchange.pass(draft, to: chat, from: sender, signIn: signIn)
            },
            read: { mark throws(SharingError) in try await exchange.read(mark) },
            showReads: { user, showsReads throws(SharingError) in
                try await exchange.changed(user, showsReads: showsReads)
            },
            personal: exchange.personal,
            isClosed: { exchange.isClosed($0) },
            changed: { user throws(SharingError) in try await exchange.changed(user) },
            contactsChanged: { exchange.contactsChanged($0, $1) }
        )
    }
}
