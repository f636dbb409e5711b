import ArgumentParser
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals
import YonderAccounts
import YonderBus
import YonderRules
import YonderGeocoding
import YonderGeodesy
import YonderHub
import YonderMetrics
import YonderModel
import YonderObjects
import YonderPlacesFacade
import YonderREST
import YonderSQLite
import YonderServer
import YonderStorage
import YonderTiles
import YonderTransport
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The running server of `yonder serve`: opens the store, loads maps and places, listens, and runs all services until
/// SIGTERM or SIGINT.
///
/// `Serve` makes one and calls ``run()`` once. This is the one place that knows every part: it opens the store
/// (`StorePlace`), the maps (`MapLoader`) and the objects (`ObjectCatalog`), starts the `Exchange`, hands all of it to
/// `ServerAssembly`, and runs the services.
///
/// If anything is refused before the services run, ``run()`` throws and the process ends; the store isn't closed, and
/// recovers at the next start. A service that ends before it was asked to, or throws, ends the others and so the server.
///
/// A new part is made before the assembly, or is a further service. The order of the services must stay: they end from the
/// last to the first, so the drain is last and the store first. `test_stopping.py` and `test_ending.py` try stops, and the
/// other tests of `Python/Failure` kills.
struct ServerProcess {
    private let settings: ServeSettings
    private let registry: MetricsRegistry
    private let logger = Logger(label: "yonder")
    private let memory = MemoryLimit.current
    private let passwordMemory: PasswordMemory

    /// Creates a server that holds no more connections than its descriptors leave room for, and logs that number.
    ///
    /// - Parameters:
    ///   - settings: The settings, whose limit of connections may be lowered.
    ///   - registry: Receives the metrics of all parts; the process has one.
    init(settings: ServeSettings, registry: MetricsRegistry) {
        let budget = DescriptorBudget(
            descriptors: DescriptorLimit.raise(),
            threads: settings.threads ?? System.coreCount,
            wanted: settings.server.maxConnections
        )
        var settings = settings
        settings.server.maxConnections = budget.connections
        self.settings = settings
        self.registry = registry
        passwordMemory = PasswordMemory(setting: settings.passwordMemory, of: memory)
        FreedMemory.giveBackLargeBlocks()
        logger.info(
            "Connections are limited",
            metadata: ["connections": "\(budget.connections)", "openFiles": "\(budget.descriptors)"]
        )
        passwordMemory.log(to: logger, of: memory)
    }

    /// Opens the store, listens, and ends gracefully at SIGTERM or SIGINT.
    ///
    /// - Throws: ``CommandFailure`` if the store, a map's file, a file of places, the bus or the address can't be used; the
    ///   certificate's own error if it can't be read.
    func run() async throws {
        let store = try await settings.place.open(
            for: settings.bus == nil ? .alone : .node,
            memory: memory?.bytes,
            logger: logger
        )
        guard let threads = settings.threads else {
            return try await run(store, on: MultiThreadedEventLoopGroup.singleton)
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        try await run(store, on: group)
        try await group.shutdownGracefully()
    }

    /// Opens the maps, and puts them into the settings; an address of another server's map is asked for its description.
    ///
    /// - Throws: ``CommandFailure`` for a file that can't be used. A map of another server that can't be read is left out,
    ///   and logged.
    private func open(maps server: inout ServerSettings) async throws {
        let version = Yonder.configuration.version
        let loader = MapLoader(web: MapWeb(agent: "Yonder/\(version)"), logger: logger)
        do throws(SharingError) {
            let maps = try await loader.load(settings.maps, style: settings.mapStyle, isDemo: settings.isDemo)
            server.tiles = maps.tiles
            server.map = maps.offer
        } catch {
            throw CommandFailure("map: \(error.message)")
        }
    }

    /// The places in the program, or in a file of the operator's; `nil` for a program without places.
    ///
    /// - Throws: ``CommandFailure`` for a file that is no gazetteer.
    private func gazetteer() throws -> Gazetteer? {
        do throws(StorageError) {
            if let path = settings.gazetteer { return try Gazetteer.open(path: path) }
            guard let bytes = EmbeddedGazetteer.bytes else { return nil }
            return try Gazetteer.open(immortal: bytes)
        } catch {
            throw CommandFailure("gazetteer: \(error.message)")
        }
    }

    /// The names of regions: those of the operator's files, and the demo's.
    ///
    /// - Throws: ``CommandFailure`` for a file that can't be read or is too large.
    private func regions() throws -> [RegionNames] {
        let named = try settings.placeNames.map { path in
            guard FileSize.bytes(of: path) ?? 0 <= RegionNames.limit,
                let data = FileManager.default.contents(atPath: path)
            else {
                throw CommandFailure(
                    "place-names: \(path) can't be read, or has more than \(RegionNames.limit >> 20) MiB."
                )
            }
            return RegionNames(Array(data))
        }
        return named + (settings.isDemo ? [RegionNames.embedded()].compactMap(\.self) : [])
    }

    /// Tiles of the gazetteer's towns, so that the map has names where no street map is.
    private static func towns(_ gazetteer: Gazetteer) -> TownTiles {
        TownTiles { bounds, limit throws(SharingError) in
            try await gazetteer.places(
                west: bounds.west,
                south: bounds.south,
                east: bounds.east,
                north: bounds.north,
                limit: limit
            )
        }
    }

    /// Makes every part over an open store, and runs the services.
    private func run(_ store: any ServerStore, on group: any EventLoopGroup) async throws {
        let gazetteer = try gazetteer()
        var server = settings.server
        try await open(maps: &server)
        let catalog = try await load(store)
        let upstream = settings.geocoder.map {
            NominatimGeocoder($0, logger: logger, turn: store.shared?.turns)
        }
        let clock = try await clock(of: store)
        let now: @Sendable () -> Timestamp = { clock?.now ?? .now }
        let expiry = ExpiryClock(notBefore: try await newestSignIn(in: store), wall: now)
        let bus = try settings.bus.map { try $0.open(logger: logger) } ?? InProcessBus()
        let exchange = try await Exchange.start(
            chats: store,
            accounts: store,
            catalog: catalog,
            bus: bus,
            log: store.log,
            attempts: store.shared?.attempts,
            group: group,
            settings: settings.server.hub,
            expiry: expiry,
            now: now,
            logger: logger
        )
        let metrics = NodeMetrics(exchange.link, factory: registry)
        let storeMetrics = StoreMetrics(store, factory: registry)
        let figures = ServerMetrics(folder: settings.place.folder, factory: registry)
        let stopping = Stopping()
        let assembly = ServerAssembly(
            server,
            on: ServerAssembly.Ground(
                store: store,
                chats: store,
                catalog: catalog,
                exchange: exchange,
                group: group,
                registry: registry,
                passwords: PasswordHasher(memoryLimit: passwordMemory.limit),
                attempts: store.shared?.attempts,
                geocoder: Self.geocoder(upstream, gazetteer),
                naming: PlaceNaming(
                    regions: try regions(),
                    gazetteer: gazetteer,
                    upstream: settings.geocodesPeople ? upstream : nil
                ),
                towns: gazetteer.map(Self.towns),
                readiness: {
                    Readiness(
                        storeTrouble: await store.trouble(),
                        hasBus: exchange.link.isAlone ? nil : exchange.link.report.hasBus,
                        hasClock: clock?.isReady,
                        isStopping: stopping.isStopping
                    )
                },
                refresh: {
                    metrics.refresh()
                    storeMetrics.refresh()
                    figures.refresh()
                },
                now: now,
                expiry: expiry,
                logger: logger
            ),
            beside: PlacesFacade(
                catalog: catalog,
                keys: store,
                writes: exchange.writes,
                record: store.shared?.nonces,
                now: now
            ).register
        )
        warnIfOpen()
        await PasswordMemory.logUnchecked(in: assembly.accounts, to: logger)
        let greeting = Greeting(settings: settings, accounts: assembly.accounts, logger: logger)
        let (ports, listening) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let application = try assembly.application(logger: logger) {
            await greeting.listening($0)
            if let port = $0?.port { listening.yield(port) }
        }
        let demo = Demo(
            accounts: assembly.accounts,
            exchange: exchange,
            catalog: catalog,
            isTLS: settings.server.certificate != nil,
            listening: ports,
            logger: logger
        )
        // They end from the last to the first. So the store is first, what requests need comes before `application`, and the
        // drain is last.
        var services: [any Service] = [
            StoreService(store: store),
            AccountsService(
                accounts: assembly.accounts,
                removal: assembly.removal,
                images: store,
                logger: logger
            ),
            ExchangeService(exchange: exchange),
            MemoryService(logger: logger),
        ]
        if settings.bus != nil || exchange.link.hasGates {
            services.append(NodeService(exchange: exchange, bus: bus))
        }
        if let clock { services.append(ClockService(clock: clock)) }
        if let shared = store.shared {
            let watch = SignInWatch(
                open: exchange.openSignIns,
                good: shared.versions,
                end: { exchange.end($0) },
                renew: { exchange.renew($0) }
            )
            services.append(SignInService(watch: watch, exchange: exchange, logger: logger))
        }
        if let folder = settings.place.folder {
            services.append(ConsoleService(assembly.console, folder: folder, group: group, logger: logger))
        }
        if let upstream { services.append(upstream) }
        services.append(application)
        if settings.isDemo {
            try await demo.check()
            services.append(demo)
        }
        services.append(
            DrainService(Drain(over: settings.drain), of: assembly.connections, stopping: stopping)
        )
        try await serve(services)
    }

    /// The newest time at which a person signed in: a wall clock that runs behind it doesn't make an expired sign-in good again.
    private func newestSignIn(in store: any ServerStore) async throws -> Timestamp? {
        try await explained { () throws(SharingError) in try await store.newestSignIn() }
    }

    /// The clock that the servers of one database share; `nil` for a server with a store of its own.
    private func clock(of store: any ServerStore) async throws -> DatabaseClock? {
        guard let shared = store.shared else { return nil }
        return try await explained { () throws(SharingError) in
            try await DatabaseClock(sample: shared.time) { [logger] in logger.warning("\($0)") }
        }
    }

    /// Loads the map's objects into memory; the server doesn't listen before that.
    private func load(_ store: any ServerStore) async throws -> ObjectCatalog {
        let start = ContinuousClock.now
        do throws(SharingError) {
            let log = settings.bus == nil ? nil : store.objectLog
            let catalog = try await ObjectCatalog.load(from: store, log: log)
            let time = Int((ContinuousClock.now - start) / .milliseconds(1))
            if catalog.count > 0 {
                logger.info("Places read", metadata: ["count": "\(catalog.count)", "time": "\(time) ms"])
            }
            return catalog
        } catch {
            throw CommandFailure("places: \(error.message)")
        }
    }

    /// The geocoder: another server's addresses if the operator names one, with the gazetteer where that server fails; else
    /// the gazetteer.
    ///
    /// - Returns: `nil` if there is neither.
    private static func geocoder(_ upstream: NominatimGeocoder?, _ gazetteer: Gazetteer?) -> (any Geocoder)? {
        guard let upstream else { return gazetteer }
        return gazetteer.map { FallbackGeocoder(upstream, else: $0) } ?? upstream
    }

    /// Runs the services until a signal, and ends them from the last to the first: so the store is closed when no service
    /// needs it any more.
    ///
    /// - Throws: ``CommandFailure`` if the server can't listen; otherwise what a service threw.
    private func serve(_ services: [any Service]) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // Connections are cut before; this is for work that no connection waits for.
        configuration.maximumGracefulShutdownDuration = settings.drain + .seconds(10)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is CancellationError {
            // The last services were cancelled. The store is closed all the same, and everything acknowledged is in it.
            logger.warning("Work was cancelled, as it didn't end by itself")
        } catch let error as IOError {
            throw CommandFailure("\(settings.server.address):\(settings.server.port) can't be used: \(error)")
        }
    }

    /// Warns of a server that other machines reach without TLS.
    private func warnIfOpen() {
        guard !settings.server.isLocal, settings.server.certificate == nil else { return }
        logger.warning(
            """
            Others can connect without TLS: a machine on the way can read and change all traffic. \
            Give --tls-certificate and --tls-key, or listen at 127.0.0.1 behind a proxy that speaks TLS.
            """
        )
    }
}

/// Runs the store's recovery and erasing, and closes the store after all other services have ended: the first of the services.
private struct StoreService: Service {
    let store: any ServerStore

    func run() async throws {
        let store = store
        await cancelWhenGracefulShutdown { await store.keepUp() }
        try await store.end()
    }
}

/// Sends heartbeats to the other servers and follows their frames, until the server stops; then leaves the cluster and
/// closes the bus.
///
/// Runs only with a bus, or over a store that other servers may share. Its loss of the bus ends nothing: the bus connects again.
private struct NodeService: Service {
    let exchange: Exchange
    let bus: any Bus

    func run() async throws {
        let exchange = exchange
        do {
            try await cancelWhenGracefulShutdown { try await exchange.runNode() }
        } catch is CancellationError {}
        exchange.link.leave()
        await bus.close()
    }
}

/// Runs the exchange's own work, `Exchange.run()`, until the server stops.
private struct ExchangeService: Service {
    let exchange: Exchange

    func run() async throws {
        let exchange = exchange
        do {
            try await cancelWhenGracefulShutdown { try await exchange.run() }
        } catch is CancellationError {}
    }
}
