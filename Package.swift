// swift-tools-version: 6.2
// Long: the manifest names every target with what it imports, and SwiftPM reads it from one file.
import PackageDescription

let package = Package(
    name: "yonder",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(
            name: "YonderClient",
            targets: ["YonderClient", "YonderRequests", "YonderModel", "YonderGeodesy"]
        ),
        .library(
            name: "YonderAppModels",
            targets: [
                "YonderAppModels", "YonderPocket", "YonderClient", "YonderRequests",
                "YonderSocketIOClient", "YonderLocation", "YonderModel", "YonderGeodesy",
            ]
        ),
        .library(
            name: "YonderMap",
            targets: ["YonderMap", "YonderClient", "YonderModel", "YonderGeodesy"]
        ),
        .library(name: "YonderOutbox", targets: ["YonderOutbox", "YonderSQLite"]),
        .library(
            name: "YonderSocketIOClient",
            targets: ["YonderSocketIOClient", "YonderModel", "YonderGeodesy"]
        ),
        .library(name: "YonderTracks", targets: ["YonderTracks"]),
        .library(name: "YonderLocation", targets: ["YonderLocation", "YonderGeodesy"]),
        .library(name: "YonderReceivers", targets: ["YonderReceivers"]),
        .library(name: "IONGeolocationLib", targets: ["IONGeolocationLib"]),
        .executable(name: "yonder", targets: ["yonder"]),
    ],
    // A package that names none of these fetches what YonderLocation and IONGeolocationLib need, and nothing else.
    traits: [
        .trait(
            name: "Server",
            description: "The program yonder, and all tests.",
            enabledTraits: ["Client", "Outbox"]
        ),
        .trait(
            name: "Client",
            description: "The connections of the client libraries and of YonderReceivers, and logging."
        ),
        .trait(name: "Outbox", description: "SQLite, for YonderOutbox."),
        .trait(
            name: "Postgres",
            description: "Chats in PostgreSQL; needs libpq and its header.",
            enabledTraits: ["Server"]
        ),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Shared: what a place, a message and a frame are. No sockets, no files, no clocks of their own.
        .target(name: "YonderJSON"),
        .target(name: "YonderGeodesy", dependencies: [.numerics]),
        .target(name: "YonderTracks", dependencies: ["YonderJSON", "YonderGeodesy"]),
        .target(name: "YonderModel", dependencies: ["YonderJSON", "YonderGeodesy"]),
        .target(name: "YonderWire", dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel"]),

        // What a server alone decides and keeps: rules of chats, shares and objects, ports of stores, limits, people and regions.
        .target(name: "YonderRules", dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel"]),

        // What to write in a manifest that leaves out the trait of a library that it uses.
        .target(name: "YonderClientTrait"),
        .target(name: "YonderOutboxTrait"),

        // Storage: both ends keep messages; the server keeps everyone's, a client its own.
        .target(
            name: "YonderSQLite",
            dependencies: ["YonderOutboxTrait", "YonderModel", .sqlite]
        ),
        // The tables of each noun of the server that isn't on the hot way, over a transaction that both databases give.
        .target(name: "YonderTables", dependencies: ["YonderGeodesy", "YonderModel", "YonderRules"]),
        .target(
            name: "YonderStorage",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderTables", "YonderSQLite",
            ]
        ),
        .target(
            name: "YonderOutbox",
            dependencies: [
                "YonderGeodesy", "YonderModel", "YonderSQLite",
                .target(name: "YonderClient", condition: .when(traits: ["Client"])),
            ]
        ),
        .target(
            name: "YonderLibPQ",
            dependencies: [.target(name: "CLibPQ", condition: .when(traits: ["Postgres"]))]
        ),
        .target(
            name: "YonderPostgreSQL",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderTables", "YonderLibPQ",
                .crypto, .logging,
            ]
        ),

        .target(
            name: "YonderMigration",
            dependencies: [
                "YonderModel", "YonderTables", "YonderSQLite", "YonderStorage", "YonderLibPQ",
                "YonderPostgreSQL",
            ]
        ),

        // Places by name and names by place: the gazetteer, and another server for addresses.
        .target(
            name: "YonderGeocoding",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderSQLite",
                .asyncHTTPClient, .lifecycle, .logging, .nioCore, .nioHTTP1, .nioSSL,
            ]
        ),

        // Server: the objects and the shares in memory, the running exchange, its edge to the world, and the page compiled into it.
        .target(
            name: "YonderObjects",
            dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderBus"]
        ),
        .target(
            name: "YonderTransport",
            dependencies: ["YonderJSON", "YonderWire", .crypto, .nioCore, .nioHTTP1]
        ),
        .target(
            name: "YonderBus",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderRules", "YonderWire", .logging]
        ),
        .target(
            name: "YonderWorld",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderWire", "YonderBus",
                "YonderTransport",
                .logging,
                .nioCore,
            ]
        ),
        .target(
            name: "YonderHub",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderWire", "YonderObjects",
                "YonderBus", "YonderTransport", "YonderWorld", .nioCore, .logging,
            ]
        ),
        .target(
            name: "YonderSocketIO",
            dependencies: [
                "YonderJSON", "YonderModel", "YonderWire", "YonderBus", "YonderWorld",
                "YonderHub",
                "YonderTransport", .logging, .metrics, .nioCore, .nioHTTP1,
            ]
        ),
        .target(
            name: "YonderAccounts",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", .crypto, .cryptoExtras,
                .logging,
                .nioPosix,
            ]
        ),
        .target(
            name: "YonderTiles",
            dependencies: [
                "YonderGeodesy", "YonderModel", "YonderRules", "CYonderWeb", "CZlib",
                .asyncHTTPClient, .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
            ]
        ),
        .target(name: "YonderMetrics", dependencies: [.metrics]),
        .target(
            name: "YonderREST",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderTransport",
                "YonderAccounts",
                "YonderMetrics", "CZlib", .httpTypes, .hummingbird, .logging, .nioCore,
            ]
        ),
        .target(
            name: "YonderServer",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderTracks", "YonderModel", "YonderRules", "YonderWire",
                "YonderObjects",
                "YonderHub", "YonderWorld", "YonderTransport", "YonderSocketIO", "YonderAccounts",
                "YonderTiles",
                "YonderMetrics", "YonderREST", "CYonderWeb",
                .asyncHTTPClient, .crypto, .httpTypes, .hummingbird, .hummingbirdCore,
                .lifecycle, .logging, .metrics, .nioCore, .nioHTTP1, .nioHTTPTypes, .nioHTTPTypesHTTP1,
                .nioPosix, .nioSSL,
            ]
        ),
        .target(
            name: "YonderPlacesFacade",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderObjects", "YonderHub",
                "YonderTransport", "YonderAccounts", "YonderREST", .crypto, .httpTypes,
            ]
        ),
        .target(
            name: "YonderNATS",
            dependencies: ["YonderJSON", "YonderBus", .crypto, .logging, .nioCore, .nioPosix, .nioSSL]
        ),
        .target(name: "CYonderWeb"),
        .target(name: "CYonderBuild"),
        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // Client: the SDK. Its connections alone know the network's libraries.
        .target(
            name: "YonderLink",
            dependencies: [
                "YonderClientTrait", "YonderJSON", "YonderModel",
                // Apple's systems have a network of their own.
                .onLinux("NIOCore", "swift-nio"), .onLinux("NIOHTTP1", "swift-nio"),
                .onLinux("NIOPosix", "swift-nio"), .onLinux("NIOWebSocket", "swift-nio"),
                .onLinux("NIOSSL", "swift-nio-ssl"),
            ]
        ),
        .target(
            name: "YonderRequests",
            dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel", "YonderWire", "YonderLink"]
        ),
        .target(
            name: "YonderClient",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderWire", "YonderLink", "YonderRequests",
                .logging,
            ]
        ),
        .target(
            name: "YonderSocketIOClient",
            dependencies: ["YonderJSON", "YonderModel", "YonderWire", "YonderLink"]
        ),

        // Device location: one API over Core Location, gpsd, NMEA receivers and recorded tracks.
        .target(name: "YonderLocation", dependencies: ["YonderGeodesy", "YonderTracks", .openCombine]),
        .target(
            name: "YonderReceivers",
            dependencies: [
                "YonderClientTrait", "YonderGeodesy", "YonderTracks", "YonderLocation", .nioCore, .nioPosix,
            ]
        ),
        .target(name: "IONGeolocationLib", dependencies: ["YonderGeodesy", "YonderLocation", .openCombine]),

        // A share that goes on while the phone is in a pocket.
        .target(name: "YonderPocket", dependencies: ["YonderGeodesy", "YonderModel", "YonderLocation"]),

        // What the screens of an app know and decide.
        .target(
            name: "YonderAppModels",
            dependencies: [
                "YonderGeodesy", "YonderModel", "YonderWire", "YonderRequests", "YonderClient",
                "YonderSocketIOClient", "YonderLocation", "YonderPocket",
            ]
        ),

        // A native map of people and objects; on Linux only what it decides.
        .target(
            name: "YonderMap",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderClient"]
        ),

        // The program: assembly and the command line.
        .executableTarget(
            name: "yonder",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderTracks", "YonderModel", "YonderRules", "YonderWire",
                "YonderSQLite",
                "YonderStorage", "YonderLibPQ", "YonderPostgreSQL", "YonderMigration", "YonderOutbox",
                "YonderGeocoding", "YonderObjects", "YonderBus", "YonderNATS",
                "YonderWorld", "YonderHub",
                "YonderTransport", "YonderAccounts",
                "YonderTiles", "YonderMetrics", "YonderREST", "YonderServer", "YonderPlacesFacade",
                "YonderClient",
                "YonderLocation", "YonderReceivers", "CYonderBuild",
                .arguments, .asyncHTTPClient, .configuration, .crypto, .httpTypes, .lifecycle, .logging,
                .metrics,
                .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
                .signals,
            ]
        ),
        .executableTarget(
            name: "protocol-peer",
            dependencies: [
                "YonderNATS", "YonderWire", "YonderTransport", "YonderServer",
                .arguments, .hummingbird, .hummingbirdCore, .logging, .nioCore, .nioPosix,
            ],
            path: "Tests/Swift/ProtocolPeer"
        ),
        // Years of positions, through the store's own writing, for Benchmarks/growth.
        .executableTarget(
            name: "growth-folder",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderStorage", .arguments],
            path: "Benchmarks/growth/GrowthFolder"
        ),

        // Tests: one target a library, and one for the whole.
        .target(
            name: "TestSupport",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderRules"],
            path: "Tests/Swift/TestSupport"
        ),
        .target(
            name: "LocationTestSupport",
            dependencies: ["YonderLocation", "YonderGeodesy", "TestSupport"],
            path: "Tests/Swift/LocationTestSupport"
        ),
        .testTarget(name: "YonderJSONTests", dependencies: ["YonderJSON", "TestSupport"]),
        .testTarget(name: "YonderGeodesyTests", dependencies: ["YonderGeodesy", "TestSupport"]),
        .testTarget(
            name: "YonderTracksTests",
            dependencies: ["YonderTracks", "YonderGeodesy", "TestSupport"]
        ),
        .testTarget(name: "YonderModelTests", dependencies: ["YonderModel", "YonderGeodesy", "TestSupport"]),
        .testTarget(
            name: "YonderRulesTests",
            dependencies: ["YonderRules", "YonderModel", "YonderGeodesy", "TestSupport"]
        ),
        .testTarget(
            name: "YonderWireTests",
            dependencies: ["YonderWire", "YonderModel", "YonderJSON", "YonderGeodesy", "TestSupport"]
        ),
        .testTarget(
            name: "YonderSQLiteTests",
            dependencies: ["YonderSQLite", "YonderModel", "TestSupport", .sqlite]
        ),
        .testTarget(
            name: "YonderStorageTests",
            dependencies: [
                "YonderStorage", "YonderTables", "YonderSQLite", "YonderModel", "YonderRules",
                "YonderGeodesy", "TestSupport", .sqlite,
            ]
        ),
        .testTarget(
            name: "YonderPostgreSQLTests",
            dependencies: [
                "YonderPostgreSQL", "YonderMigration", "YonderStorage", "YonderTables", "YonderSQLite",
                "YonderLibPQ",
                "YonderBus", "YonderModel", "YonderRules", "YonderGeodesy", "TestSupport", .logging,
                .target(name: "CLibPQ", condition: .when(traits: ["Postgres"])),
            ]
        ),
        .testTarget(
            name: "YonderOutboxTests",
            dependencies: ["YonderOutbox", "YonderClient", "YonderModel", "YonderGeodesy", "TestSupport"]
        ),
        .testTarget(
            name: "YonderGeocodingTests",
            dependencies: [
                "YonderGeocoding", "YonderSQLite", "YonderModel", "YonderJSON",
                "YonderGeodesy",
                "TestSupport",
                .httpTypes, .hummingbird, .hummingbirdTesting, .logging, .nioCore,
            ]
        ),
        .testTarget(
            name: "YonderObjectsTests",
            dependencies: ["YonderObjects", "YonderModel", "YonderRules", "YonderGeodesy", "TestSupport"]
        ),
        .testTarget(
            name: "YonderBusTests",
            dependencies: [
                "YonderBus", "YonderModel", "YonderRules", "YonderGeodesy", "TestSupport", .logging,
            ]
        ),
        .testTarget(
            name: "YonderWorldTests",
            dependencies: [
                "YonderWorld", "YonderBus", "YonderModel", "YonderWire", "TestSupport",
                .logging, .nioCore,
            ]
        ),
        .testTarget(
            name: "YonderHubTests",
            dependencies: [
                "YonderHub", "YonderBus", "YonderObjects", "YonderModel", "YonderRules", "YonderWire",
                "YonderWorld", "YonderGeodesy", "YonderStorage",
                "TestSupport", .logging, .nioCore, .nioPosix,
            ]
        ),
        .testTarget(
            name: "YonderTransportTests",
            dependencies: ["YonderTransport", "TestSupport", .nioCore, .nioEmbedded, .nioHTTP1]
        ),
        .testTarget(
            name: "YonderSocketIOTests",
            dependencies: [
                "YonderSocketIO", "YonderBus", "YonderTransport", "YonderModel",
                "YonderGeodesy", .logging,
                .nioCore, .nioHTTP1, .nioPosix,
            ]
        ),
        .testTarget(
            name: "YonderAccountsTests",
            dependencies: [
                "YonderAccounts", "YonderModel", "YonderRules", "YonderGeodesy", "TestSupport", .crypto,
                .logging,
            ]
        ),
        .testTarget(
            name: "YonderTilesTests",
            dependencies: [
                "YonderTiles", "YonderModel", "TestSupport", .logging, .nioCore,
            ]
        ),
        .testTarget(name: "YonderMetricsTests", dependencies: ["YonderMetrics", .metrics]),
        .testTarget(
            name: "YonderRESTTests",
            dependencies: [
                "YonderREST", "YonderAccounts", "YonderModel", "YonderTransport", .httpTypes,
            ]
        ),
        .testTarget(
            name: "YonderNATSTests",
            dependencies: ["YonderNATS", "YonderBus", "TestSupport", .crypto, .nioCore, .nioPosix]
        ),
        .testTarget(
            name: "YonderServerTests",
            dependencies: [
                "YonderServer", "YonderTransport", "YonderAccounts", "YonderTiles", "YonderMetrics",
                "YonderREST", "YonderHub", "YonderWorld", "YonderSocketIO", "YonderObjects",
                "YonderModel", "YonderRules", "YonderGeodesy", "TestSupport",
                .httpTypes, .hummingbird, .hummingbirdCore, .hummingbirdTesting, .logging, .nioCore,
                .nioPosix,
            ]
        ),
        .testTarget(
            name: "YonderPlacesFacadeTests",
            dependencies: [
                "YonderPlacesFacade", "YonderAccounts", "YonderServer", "YonderHub",
                "YonderObjects", "YonderModel", "YonderRules", "YonderGeodesy", "TestSupport",
                .crypto, .httpTypes, .hummingbird, .hummingbirdTesting, .logging, .nioCore, .nioPosix,
            ]
        ),
        .testTarget(
            name: "YonderLinkTests",
            dependencies: [
                "YonderLink", "YonderModel", "TestSupport", .crypto, .nioCore, .nioEmbedded, .nioPosix,
                .nioSSL,
                .nioWebSocket,
            ]
        ),
        .testTarget(
            name: "YonderRequestsTests",
            dependencies: ["YonderRequests", "YonderLink", "YonderModel", "TestSupport"]
        ),
        .testTarget(
            name: "YonderClientTests",
            dependencies: [
                "YonderClient", "YonderLink", "YonderRequests", "YonderModel", "YonderWire", "YonderGeodesy",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "YonderSocketIOClientTests",
            dependencies: [
                "YonderSocketIOClient", "YonderLink", "YonderWire", "YonderModel", "TestSupport",
            ]
        ),
        .testTarget(
            name: "YonderLocationTests",
            dependencies: [
                "YonderLocation", "YonderTracks", "YonderGeodesy", "LocationTestSupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "IONGeolocationLibTests",
            dependencies: ["IONGeolocationLib", "YonderLocation", "YonderGeodesy"]
        ),
        // In Swift 5, as the library's users are.
        .testTarget(
            name: "IONGeolocationPluginTests",
            dependencies: ["IONGeolocationLib", "YonderLocation", "YonderGeodesy"]
        ),
        .testTarget(
            name: "YonderReceiversTests",
            dependencies: [
                "YonderReceivers", "YonderLocation", "YonderTracks", "YonderGeodesy", "LocationTestSupport",
                "TestSupport", .nioCore, .nioPosix,
            ]
        ),
        .testTarget(
            name: "YonderAppModelsTests",
            dependencies: [
                "YonderAppModels", "YonderClient", "YonderRequests", "YonderWire", "YonderModel",
                "YonderGeodesy", "TestSupport",
            ]
        ),
        .testTarget(
            name: "YonderPocketTests",
            dependencies: ["YonderPocket", "YonderLocation", "YonderModel", "YonderGeodesy", "TestSupport"]
        ),
        .testTarget(
            name: "YonderMapTests",
            dependencies: ["YonderMap", "YonderClient", "YonderGeodesy"]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "YonderClient", "YonderSocketIOClient", "YonderLink", "YonderRequests", "YonderAccounts",
                "YonderServer", "YonderHub",
                "YonderObjects", "YonderTables", "YonderStorage", "YonderOutbox", "YonderAppModels",
                "YonderPocket",
                "YonderLocation", "LocationTestSupport", "YonderModel", "YonderRules", "YonderWire",
                "YonderWorld",
                "YonderGeodesy", "YonderTracks", "TestSupport", .lifecycle, .logging, .nioCore, .nioPosix,
            ]
        ),
    ]
)

// For `make test-module`: the tests of one module. All test targets are linked into one program, so the others would have
// to be compiled as well.
if let module = Context.environment["YONDER_TESTS_OF"] {
    package.targets.removeAll { $0.type == .test && $0.name != "\(module)Tests" }
}

// For `make check-api`: the libraries and the program alone.
if Context.environment["YONDER_API"] != nil {
    package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") ?? false }
}

// Makes web pages of the documentation, for `make docs`. No other build resolves it.
if Context.environment["YONDER_DOCS"] != nil {
    package.dependencies += [
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")
    ]
}

// SwiftPM fetches a package only if a use of it has a condition whose trait is on, or none.
extension Target.Dependency {
    static let arguments = ofServer("ArgumentParser", "swift-argument-parser")
    static let asyncHTTPClient = ofServer("AsyncHTTPClient", "async-http-client")
    static let configuration = ofServer("Configuration", "swift-configuration")
    static let crypto = ofServer("Crypto", "swift-crypto")
    static let cryptoExtras = ofServer("CryptoExtras", "swift-crypto")
    static let httpTypes = ofServer("HTTPTypes", "swift-http-types")
    static let hummingbird = ofServer("Hummingbird", "hummingbird")
    static let hummingbirdCore = ofServer("HummingbirdCore", "hummingbird")
    static let hummingbirdTesting = ofServer("HummingbirdTesting", "hummingbird")
    static let lifecycle = ofServer("ServiceLifecycle", "swift-service-lifecycle")
    static let logging = ofClient("Logging", "swift-log")
    static let metrics = ofServer("Metrics", "swift-metrics")
    static let nioCore = ofClient("NIOCore", "swift-nio")
    static let nioEmbedded = ofClient("NIOEmbedded", "swift-nio")
    static let nioHTTP1 = ofClient("NIOHTTP1", "swift-nio")
    static let nioHTTPTypes = ofServer("NIOHTTPTypes", "swift-nio-extras")
    static let nioHTTPTypesHTTP1 = ofServer("NIOHTTPTypesHTTP1", "swift-nio-extras")
    static let nioPosix = ofClient("NIOPosix", "swift-nio")
    static let nioSSL = ofClient("NIOSSL", "swift-nio-ssl")
    static let nioWebSocket = ofClient("NIOWebSocket", "swift-nio")
    static let numerics = product(name: "RealModule", package: "swift-numerics")
    static let openCombine = product(
        name: "OpenCombine",
        package: "OpenCombine",
        condition: .when(platforms: [.linux, .windows, .android])
    )
    static let sqlite = target(name: "CSQLite", condition: .when(traits: ["Outbox"]))
    static let signals = ofServer("UnixSignals", "swift-service-lifecycle")

    private static func ofServer(_ name: String, _ package: String) -> Target.Dependency {
        product(name: name, package: package, condition: .when(traits: ["Server"]))
    }

    private static func ofClient(_ name: String, _ package: String) -> Target.Dependency {
        product(name: name, package: package, condition: .when(traits: ["Client"]))
    }

    static func onLinux(_ name: String, _ package: String) -> Target.Dependency {
        product(name: name, package: package, condition: .when(platforms: [.linux], traits: ["Client"]))
    }
}

// The layers, each a folder of Sources/. Scripts/check-edges has what the targets of each may import.
let layers = [
    "Shared": [
        "YonderJSON", "YonderGeodesy", "YonderTracks", "YonderModel", "YonderWire",
        "YonderClientTrait",
    ],
    "Device": ["YonderLocation", "YonderReceivers", "IONGeolocationLib"],
    "Client": [
        "YonderLink", "YonderRequests", "YonderClient", "YonderSocketIOClient", "YonderOutbox",
        "YonderPocket", "YonderAppModels", "YonderMap",
    ],
    "Stores": [
        "YonderRules", "YonderOutboxTrait", "YonderTables", "YonderSQLite", "YonderStorage", "YonderLibPQ",
        "YonderPostgreSQL", "YonderMigration",
    ],
    "Exchange": [
        "YonderBus", "YonderNATS", "YonderTransport", "YonderObjects",
        "YonderWorld", "YonderHub",
    ],
    "Server": [
        "YonderMetrics", "YonderAccounts", "YonderTiles", "YonderGeocoding", "YonderSocketIO",
        "YonderREST", "YonderServer", "YonderPlacesFacade",
    ],
    "C": ["CLibPQ", "CSQLite", "CYonderBuild", "CYonderWeb", "CZlib"],
]

for (layer, names) in layers {
    for target in package.targets where names.contains(target.name) {
        target.path = "Sources/\(layer)/\(target.name)"
    }
}

for target in package.targets where target.type == .test {
    target.path = "Tests/Swift/\(target.name)"
}

for target in package.targets where target.type != .system && !target.name.hasPrefix("CYonder") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
    if target.name == "IONGeolocationPluginTests" {
        target.swiftSettings = [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
    }
}
