import ArgumentParser
import Foundation
import Logging
import YonderClient
import YonderGeodesy
import YonderLocation
import YonderModel
import YonderStorage

/// Shares where a receiver is, or a recorded track: `yonder share`.
struct Share: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Shares positions in a chat or in the world.",
        discussion: """
            A recorded file ends it, once everything is on the server's disk. A receiver doesn't: while it is lost, \
            standard error says so, and positions go on when it is found again.

            Examples:
              YONDER_TOKEN=… yonder share --server http://localhost:8080 --chat 77 --from gpsd
              YONDER_TOKEN=… yonder share --server http://localhost:8080 --chat 77 --from nmea:/dev/ttyUSB0
              yonder share --server http://localhost:8080 --world --from track:walk.gpx --speed 10 --loop
            """
    )

    @OptionGroup var options: ClientOptions
    @OptionGroup var source: SourceOptions

    @Option(help: ArgumentHelp("How far to move before it is told again.", valueName: "meters"))
    var minimumDistance: Double?

    @Option(
        help: ArgumentHelp(
            "A folder that keeps what is unsent, also when this program ends.",
            valueName: "folder"
        )
    )
    var outbox: String?

    func validate() throws {
        guard minimumDistance.map({ $0 >= 0 && $0.isFinite }) ?? true else {
            throw ValidationError("--minimum-distance is a number of meters.")
        }
    }

    func run() async throws {
        let source = try explainedSource()
        let client = try options.client(outbox: try openOutbox())
        let place = options.chat.map(Sharing.Place.chat) ?? .world
        let distance = minimumDistance.flatMap(Distance.init(meters:))
        try await connected(client) {
            if let track = source as? TrackSource, distance == nil {
                await client.share(Playback.positions(of: track.replay), in: place)
            } else {
                await client.share(Self.positions(of: source, minimumDistance: distance), in: place)
            }
            await client.waitUntilSent()
        }
    }

    private func explainedSource() throws -> any LocationSource {
        do throws(LocationError) {
            return try source.makeSource()
        } catch {
            throw CommandFailure(error.message)
        }
    }

    /// A source's positions as they come; what goes wrong meanwhile is logged.
    private static func positions(
        of source: any LocationSource,
        minimumDistance: Distance?
    ) -> AsyncCompactMapSequence<LocationWatch, Position> {
        let logger = Logger(label: "yonder", factory: StreamLogHandler.standardError(label:))
        let watch = LocationProvider(source: source)
            .monitor(MonitoringConfiguration(minimumDistance: minimumDistance))
        return watch.compactMap { event in
            switch event {
            case .position(let position): return position
            case .stalled(let since): logger.warning("No position has come since \(since).")
            case .failure(let error) where error.code == .sourceEnded: break
            case .failure(let error):
                logger.warning("\(error.message)", metadata: ["code": "\(error.code)"])
            }
            return nil
        }
    }

    private func openOutbox() throws -> any OutboxStore {
        guard let outbox else { return MemoryOutboxStore() }
        do throws(StorageError) {
            return try SQLiteOutboxStore.open(folder: outbox)
        } catch {
            throw CommandFailure(error.message)
        }
    }
}
