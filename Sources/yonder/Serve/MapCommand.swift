import ArgumentParser
import Logging
import YonderModel
import YonderServer
import YonderTiles

/// The commands for street maps: `yonder map`.
///
/// They need no server and change nothing. A map that can't be read is a ``CommandFailure`` with the message of `serve
/// --map`.
///
/// What it prints is what the server would log at its start (`MapLoader`, `Documentation/street-maps.md`); scripts read
/// the status alone.
struct MapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Looks at street maps.",
        subcommands: [Check.self]
    )

    /// Prints what a map holds: `yonder map check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints what a map holds, as `serve --map` would take it.",
            discussion: """
                Examples:
                  yonder map check /srv/maps/austria.pmtiles
                  yonder map check https://tiles.example.org/streets.json
                  yonder map check 'https://tile.example.org/{z}/{x}/{y}.png zoom=0-19'
                """
        )

        @Argument(
            help: ArgumentHelp(
                "A PMTiles file, the address of TileJSON, or that of a tile.",
                valueName: "map"
            )
        )
        var map: String

        func run() async throws {
            let loader = MapLoader(
                web: MapWeb(agent: "Yonder/\(Yonder.configuration.version)"),
                logger: Logger(label: "yonder") { _ in SwiftLogNoOpLogHandler() }
            )
            do throws(SharingError) {
                print(try await loader.report(try MapSetting(map)))
            } catch {
                throw CommandFailure(error.message)
            }
        }
    }
}
