import ArgumentParser
import Logging
import YonderRules
import YonderAccounts
import YonderGeocoding
import YonderHub
import YonderModel
import YonderREST
import YonderServer
import YonderTiles
import YonderTransport
import YonderWorld
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The settings of `yonder serve`, each from a flag, else the environment, else the file, else the default.
///
/// `Serve` calls ``load(_:environment:)`` once, before it opens anything: a setting that can't be is a `ValidationError`
/// with its name, and the process ends. `ServerProcess` then reads the values, which don't change while the server runs.
///
/// A new setting is a flag in `ServeOptions`, a name in ``forms``, and a line here that looks it up;
/// `Documentation/configuration.md` describes it, and `Scripts/write-settings` writes it into the package's settings file.
/// The name and the meaning of a setting that a release had must stay: operators' files have it.
struct ServeSettings {
    /// How the log looks.
    enum LogFormat: String, CaseIterable {
        case text, json
    }

    let place: StorePlace

    /// The other servers over the same store, or `nil` for a server that has it for itself.
    let bus: BusSettings?

    /// How long a stop takes at least: a third until the first connection is closed, the rest until the last one is.
    let drain: Duration
    var server: ServerSettings
    let origins: [String]
    let logLevel: Logger.Level
    let logFormat: LogFormat
    let threads: Int?

    /// The server that addresses are looked up at, or `nil` for none.
    let geocoder: NominatimSettings?

    /// The maps that the operator names, the first lowest.
    let maps: [MapSetting]

    /// A MapLibre style in place of the page's, as a file or an address.
    let mapStyle: String?

    /// Files with the names of a region's streets and villages.
    let placeNames: [String]

    /// Whether the geocoder is asked for the names of people's positions, too.
    let geocodesPeople: Bool

    /// The file with places, or `nil` for those in the program.
    let gazetteer: String?

    /// How many MiB hashing passwords takes at once, or `nil` for a part of the memory that there is.
    let passwordMemory: Int?

    /// Whether a few people walk along recorded tracks.
    let isDemo: Bool

    /// The settings that a file may have, as the flags are called, with the form of each.
    static let forms: [String: SettingsFile.Form] = {
        let forms: [SettingsFile.Form: [String]] = [
            .text: [
                "data", "store", "bus", "bus-key", "bus-certificates", "cluster", "address", "world",
                "tls-certificate", "tls-key",
                "map-style", "geocoder", "gazetteer", "log-level", "log-format",
            ],
            .list: ["origin", "proxy", "tiles", "map", "place-names"],
            .number: [
                "drain", "port", "geocoder-rate", "password-memory", "max-connections",
                "max-address-connections", "upload-rate", "max-uploads", "world-rate",
                "world-packet", "world-members", "max-frame", "max-subscriptions", "max-in-flight",
                "message-rate", "message-burst",
                "byte-rate", "byte-burst", "object-rate", "object-burst", "max-imports", "threads",
                "chats-per-day", "chats-per-day-with-one", "owned-with-one", "renames-per-hour",
                "blocks-per-hour", "invitations-per-hour", "tokens-per-hour", "heartbeats-per-hour",
                "track-positions-per-minute",
            ],
            .flag: ["geocode-people", "log-world"],
        ]
        return Dictionary(uniqueKeysWithValues: forms.flatMap { form, names in names.map { ($0, form) } })
    }()

    /// Looks everything up.
    ///
    /// - Throws: `ValidationError` that names the setting.
    static func load(_ options: ServeOptions, environment: [String: String]) throws -> ServeSettings {
        try ServeSettings(options, SettingsReader.load(options.config, environment: environment))
    }

    private init(_ options: ServeOptions, _ reader: SettingsReader) throws {
        // A flag for the one makes the other's environment or file count no more.
        let flags = (options.data, options.cluster.store)
        place = try StorePlace(
            data: try flags.0 ?? (flags.1 == nil ? reader.string("data") : nil),
            store: try flags.1 ?? (flags.0 == nil ? reader.string("store") : nil)
        )
        bus = try BusSettings.load(options.cluster, reader, place: place)
        drain = .seconds(
            try reader.integer("drain", options.cluster.drain, 0...3_600) ?? (bus == nil ? 0 : 15)
        )
        origins = try options.origin.isEmpty ? reader.strings("origin") : options.origin
        logLevel = try Self.choice("log-level", try options.logLevel ?? reader.string("log-level"), .info)
        logFormat = try Self.choice("log-format", try options.logFormat ?? reader.string("log-format"), .text)
        isDemo = options.demo
        geocoder = try Self.geocoder(options, reader, origins)
        maps = try Self.maps(options, reader)
        mapStyle = try options.mapStyle ?? reader.string("map-style")
        placeNames = try options.placeNames.isEmpty ? reader.strings("place-names") : options.placeNames
        geocodesPeople =
            try options.geocodePeople || reader.flag("geocode-people")
        guard !geocodesPeople || geocoder != nil else {
            throw ValidationError("geocode-people needs a geocoder: name one with --geocoder.")
        }
        gazetteer = try options.gazetteer ?? reader.string("gazetteer")
        passwordMemory = try reader.integer(
            "password-memory",
            options.passwordMemory,
            PasswordMemory.range
        )
        threads = try reader.integer("threads", options.threads, 1...1_024)
        server = try Self.server(options, reader, origins)
    }

    private static func server(
        _ options: ServeOptions,
        _ reader: SettingsReader,
        _ origins: [String]
    ) throws -> ServerSettings {
        let defaults = ServerSettings()
        var settings = ServerSettings(
            address: try options.address ?? reader.string("address") ?? defaults.address,
            port: try reader.integer("port", options.port, 0...65_535) ?? defaults.port,
            origins: try checked("origin") { () throws(SharingError) in try Origins(origins) },
            proxies: try proxies(options.proxy.isEmpty ? try reader.strings("proxy") : options.proxy),
            certificate: try certificate(options, reader),
            maxConnections: try reader.integer("max-connections", options.maxConnections, 1...10_000_000)
                ?? defaults.maxConnections,
            hub: try hub(options, reader)
        )
        settings.maxAddressConnections = try reader.integer(
            "max-address-connections",
            options.maxAddressConnections,
            1...10_000_000
        )
        if let rate = try reader.integer("upload-rate", options.uploadRate, 0...1_000_000_000) {
            settings.connections.bodyPace.bytesPerSecond = rate
        }
        if let count = try reader.integer("max-uploads", options.maxUploads, 1...10_000_000) {
            settings.connections.openBodies = count
        }
        return settings
    }

    private static func hub(_ options: ServeOptions, _ reader: SettingsReader) throws -> HubSettings {
        var hub = HubSettings()
        hub.world.access = try choice(
            "world",
            try options.world ?? reader.string("world"),
            hub.world.access
        )
        hub.world.isLogged = try options.logWorld || reader.flag("log-world")
        let limits: [(WritableKeyPath<HubSettings, Int>, String, Int?, ClosedRange<Int>)] = [
            (\.world.packetsPerSecond, "world-rate", options.worldRate, 1...1_000_000),
            (\.world.packetLimit, "world-packet", options.worldPacket, 64...1_048_576),
            (\.world.memberLimit, "world-members", options.worldMembers, 1...10_000_000),
            (\.frameLimit, "max-frame", options.maxFrame, 1_024...16_777_216),
            (\.subscriptionLimit, "max-subscriptions", options.maxSubscriptions, 1...100_000),
            (\.inFlightLimit, "max-in-flight", options.maxInFlight, 1...100_000),
        ]
        for (path, name, given, range) in limits {
            if let value = try reader.integer(name, given, range) { hub[keyPath: path] = value }
        }
        hub.writes = try writes(options, reader)
        let people: [(WritableKeyPath<PersonLimits, Int>, String, Int?)] = [
            (\.chatsPerDay, "chats-per-day", options.chatsPerDay),
            (\.chatsPerDayWithOne, "chats-per-day-with-one", options.chatsPerDayWithOne),
            (\.ownedWithOne, "owned-with-one", options.ownedWithOne),
            (\.renamesPerHour, "renames-per-hour", options.renamesPerHour),
            (\.blocksPerHour, "blocks-per-hour", options.blocksPerHour),
            (\.invitationsPerHour, "invitations-per-hour", options.invitationsPerHour),
            (\.tokensPerHour, "tokens-per-hour", options.tokensPerHour),
            (\.heartbeatsPerHour, "heartbeats-per-hour", options.heartbeatsPerHour),
            (\.trackPositionsPerMinute, "track-positions-per-minute", options.trackPositionsPerMinute),
        ]
        for (path, name, given) in people {
            if let value = try reader.integer(name, given, 0...1_000_000_000) {
                hub.people[keyPath: path] = value
            }
        }
        return hub
    }

    private static func writes(_ options: ServeOptions, _ reader: SettingsReader) throws -> WriteLimits {
        var writes = WriteLimits()
        writes.messages = try limit(
            "message",
            options.messageRate,
            options.messageBurst,
            writes.messages,
            reader
        )
        writes.bytes = try limit("byte", options.byteRate, options.byteBurst, writes.bytes, reader)
        writes.objects = try limit("object", options.objectRate, options.objectBurst, writes.objects, reader)
        writes.imports = try reader.integer("max-imports", options.maxImports, 1...10_000) ?? writes.imports
        return writes
    }

    /// The limit from NAME-rate and NAME-burst, each with its default; a rate of 0 is no limit.
    private static func limit(
        _ name: String,
        _ rate: Int?,
        _ burst: Int?,
        _ usual: RateLimit?,
        _ reader: SettingsReader
    ) throws -> RateLimit? {
        let rate = try reader.integer("\(name)-rate", rate, 0...1_000_000_000)
        let burst = try reader.integer("\(name)-burst", burst, 1...1_000_000_000_000) ?? usual?.burst
        guard rate != 0 else { return nil }
        guard let burst, let usual else { return usual }
        return rate.map { RateLimit(burst: burst, perSecond: $0) }
            ?? RateLimit(burst: burst, interval: usual.interval)
    }

    private static func certificate(
        _ options: ServeOptions,
        _ reader: SettingsReader
    ) throws -> ServerSettings.Certificate? {
        let chain = try options.tlsCertificate ?? reader.string("tls-certificate")
        let key = try options.tlsKey ?? reader.string("tls-key")
        guard let chain, let key else {
            guard chain == nil, key == nil else {
                throw ValidationError("tls-certificate and tls-key must be given together.")
            }
            return nil
        }
        return ServerSettings.Certificate(chain: chain, key: key)
    }

    private static func proxies(_ list: [String]) throws -> TrustedProxies {
        try checked("proxy") { () throws(SharingError) in try TrustedProxies(listing: list) }
    }

    private static func maps(_ options: ServeOptions, _ reader: SettingsReader) throws -> [MapSetting] {
        let tiles = try options.tiles.isEmpty ? reader.strings("tiles") : options.tiles
        let maps = try options.map.isEmpty ? reader.strings("map") : options.map
        return try tiles.map { entry in
            try checked("tiles") { () throws(SharingError) in try MapSetting(named: entry) }
        }
            + maps.map { entry in
                try checked("map") { () throws(SharingError) in try MapSetting(entry) }
            }
    }

    private static func geocoder(
        _ options: ServeOptions,
        _ reader: SettingsReader,
        _ origins: [String]
    ) throws -> NominatimSettings? {
        let rate = try reader.integer("geocoder-rate", options.geocoderRate, 1...1_000)
        guard let url = try options.geocoder ?? reader.string("geocoder") else { return nil }
        // Public servers want to know who asks.
        let version = Yonder.configuration.version
        let agent = origins.first.map { "Yonder/\(version) (\($0))" } ?? "Yonder/\(version)"
        return try checked("geocoder") { () throws(SharingError) in
            try NominatimSettings(url, rate: rate, agent: agent)
        }
    }

    private static func checked<Value>(
        _ name: String,
        _ body: () throws(SharingError) -> Value
    ) throws -> Value {
        do throws(SharingError) {
            return try body()
        } catch {
            throw ValidationError("\(name): \(error.message)")
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        _ text: String?,
        _ usual: Choice
    ) throws -> Choice where Choice.RawValue == String {
        guard let text else { return usual }
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(name) must be one of \(choices); it is \(text).")
        }
        return choice
    }
}
