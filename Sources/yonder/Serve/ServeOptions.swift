import ArgumentParser
import YonderTiles

/// The flags of the server, as the argument parser reads them; `ServeSettings` checks their values.
///
/// What isn't given is `nil` or empty, and is looked up in the environment, then in the file. A flag's help names its
/// default in parentheses: the manual page and the package's settings file are written from these texts
/// (`Scripts/write-manual`, `Scripts/write-settings`). A flag that a release had must stay, also its spelling.
///
/// Names, variables and defaults are promised in `Documentation/configuration.md` (`test_command_line.py`).
struct ServeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder that everything is kept in.", valueName: "folder"))
    var data: String?

    @OptionGroup(title: "Several servers") var cluster: BusOptions

    @Option(help: "The port to listen at; 0 for any that is free. (default: 8080)")
    var port: Int?

    @Option(help: "The address to listen at. (default: 127.0.0.1)")
    var address: String?

    @Option(help: "An origin whose pages may use this server, as https://map.example.org; can be repeated.")
    var origin: [String] = []

    @Option(help: "A proxy whose X-Forwarded-For counts, as an address or a network; can be repeated.")
    var proxy: [String] = []

    @Option(help: "Who may be in the world: open, members or off. (default: open)")
    var world: String?

    @Option(help: ArgumentHelp("The certificate's chain, in PEM form.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's key, in PEM form.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            """
            A street map: a PMTiles file, the address of TileJSON, or that of a tile with {z}, {x} and {y}, behind it \
            where wanted kind=vector|raster, zoom=0-14, schema=openmaptiles|protomaps|shortbread, attribution=TEXT, \
            name=NAME; can be repeated. `yonder map check` says what one holds.
            """,
            valueName: "map"
        )
    )
    var map: [String] = []

    @Option(
        help: ArgumentHelp(
            "A MapLibre style in place of the built-in one, as a file or an address.",
            valueName: "style"
        )
    )
    var mapStyle: String?

    @Option(
        help: ArgumentHelp("The older form of --map, for a file; can be repeated.", valueName: "name=file")
    )
    var tiles: [String] = []

    @Option(
        help: ArgumentHelp(
            "A server with Nominatim's HTTP to look up addresses at, as https://nominatim.example.org.",
            valueName: "url"
        )
    )
    var geocoder: String?

    @Option(help: "How many requests a second the geocoder gets. (default: 1)")
    var geocoderRate: Int?

    @Flag(
        help:
            "Also asks the geocoder for the names of people's positions, which it then sees; without it none leaves this server."
    )
    var geocodePeople = false

    @Option(
        help: ArgumentHelp(
            "Names of a region's streets and villages, made by Scripts/build-region; can be repeated.",
            valueName: "file"
        )
    )
    var placeNames: [String] = []

    @Option(help: ArgumentHelp("Places to find by name, made by Scripts/build-gazetteer.", valueName: "file"))
    var gazetteer: String?

    @Option(
        help:
            "How many MiB checking passwords takes at once, in 8...256; below 128 a check takes as long in less. (default: a quarter of the memory, at most 256)"
    )
    var passwordMemory: Int?

    @Option(help: "What to log: trace, debug, info, notice, warning or error. (default: info)")
    var logLevel: String?

    @Flag(help: "Also logs who connects to the world and disconnects, by the id that others see.")
    var logWorld = false

    @Option(help: "How to log: text or json. (default: text)")
    var logFormat: String?

    @Option(
        help: "How many connections there may be. (default: 50000, or what the limit of open files leaves)"
    )
    var maxConnections: Int?

    @Option(
        help:
            "How many connections without an account one address may have. (default: 1500, fewer if few fit)"
    )
    var maxAddressConnections: Int?

    @Option(
        help:
            "How many bytes a second the body of a request must bring, after ten seconds. (default: 10000; 0: none)"
    )
    var uploadRate: Int?

    @Option(help: "How many requests of a user may have a body that hasn't come completely. (default: 100)")
    var maxUploads: Int?

    @Option(help: "How many chats a user may make in a day. (default: 200; 0: any)")
    var chatsPerDay: Int?

    @Option(help: "Into how many new chats in a day a user may put the same other one. (default: 10; 0: any)")
    var chatsPerDayWithOne: Int?

    @Option(help: "In how many groups that a user owns the same other one may be. (default: 100; 0: any)")
    var ownedWithOne: Int?

    @Option(help: "How often in an hour a user may change their name. (default: 10; 0: any)")
    var renamesPerHour: Int?

    @Option(help: "How often in an hour a user may block, or end a block. (default: 60; 0: any)")
    var blocksPerHour: Int?

    @Option(help: "How many invitations a user may make in an hour. (default: 50; 0: any)")
    var invitationsPerHour: Int?

    @Option(help: "How many tokens a user may make in an hour. (default: 60; 0: any)")
    var tokensPerHour: Int?

    @Option(help: "How many heartbeats a share may have in an hour. (default: 600; 0: any)")
    var heartbeatsPerHour: Int?

    @Option(help: "From how many positions a minute tracks are answered to a user. (default: 400000; 0: any)")
    var trackPositionsPerMinute: Int?

    @Option(help: "How many packets a second a connection may send to the world. (default: 20)")
    var worldRate: Int?

    @Option(help: "How many bytes a packet to the world may have. (default: 4096)")
    var worldPacket: Int?

    @Option(help: "How many connections may be in the world. (default: 100000)")
    var worldMembers: Int?

    @Option(help: "How many bytes a frame on the stream may have. (default: 98304)")
    var maxFrame: Int?

    @Option(help: "How many subscriptions a session may have. (default: 256)")
    var maxSubscriptions: Int?

    @Option(help: "How many sends of a session may wait for the disk. (default: 1024)")
    var maxInFlight: Int?

    @Option(help: "How many messages a second a person may write; 0 for any number. (default: 100)")
    var messageRate: Int?

    @Option(help: "How many messages a rested person may write at once. (default: 10000)")
    var messageBurst: Int?

    @Option(help: "How many bytes of messages a second a person may write; 0 for any. (default: 1048576)")
    var byteRate: Int?

    @Option(help: "How many bytes of messages a rested person may write at once. (default: 67108864)")
    var byteBurst: Int?

    @Option(help: "How many objects a second a person may write; 0 for any number. (default: 100)")
    var objectRate: Int?

    @Option(help: "How many objects a rested person may write at once. (default: 10000)")
    var objectBurst: Int?

    @Option(help: "How many files of objects a person may import at once. (default: 2)")
    var maxImports: Int?

    @Option(help: "How many event loops to run. (default: one a core)")
    var threads: Int?

    @Flag(
        help:
            "Also shows the streets of a small country and moves a few people along them; on a data folder of its own."
    )
    var demo = false

    @Flag(
        help: "Reads the settings and ends, with a status other than 0 for one that can't be; opens nothing."
    )
    var check = false

    @Option(
        help: ArgumentHelp(
            "A file with settings, as NAME=VALUE if its name ends in .conf, else as JSON.",
            valueName: "file"
        )
    )
    var config: String?
}
