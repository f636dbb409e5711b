import ArgumentParser
import Logging
import YonderClient
import YonderGeodesy
import YonderHub
import YonderLocation
import YonderModel
import YonderOutbox
import YonderSQLite
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Shares where a receiver is, or a recorded track: `yonder share`.
///
/// Connects as a person with a token, sends each position of a receiver, a file or a simulation, and ends with its
/// source or with Ctrl-C. A wrong option is a `ValidationError`, anything else that ends it a ``CommandFailure``; a lost
/// connection ends nothing: positions wait in the outbox, on disk with `--outbox`. Options and printed lines are used by
/// scripts and in `Documentation/receivers.md` (`test_command_line.py`).
///
/// Texts of help and log may be changed.
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

    @Option(help: ArgumentHelp("How far to move before the next position is sent.", valueName: "meters"))
    var minimumDistance: Double?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For how long, as in 15m, 1h or 8h; the server ends it then.", valueName: "time")
    )
    var period: String?

    @Flag(help: "Erase the positions when the share ends.")
    var expiring = false

    @Option(
        help: ArgumentHelp(
            "A folder that keeps what is unsent, also when this program ends.",
            valueName: "folder"
        )
    )
    var outbox: String?

    func validate() throws {
        guard minimumDistance.map({ $0 >= 0 && $0.isFinite }) ?? true else {
            throw ValidationError("--minimum-distance must be a number of meters, not negative.")
        }
        guard period == nil || duration != nil else {
            throw ValidationError("--for must be a whole number of s, m, h or d, at most 366 days.")
        }
        guard options.chat != nil || (period == nil && !expiring) else {
            throw ValidationError("--for and --expiring need --chat.")
        }
    }

    func run() async throws {
        let source = try explainedSource()
        let client = try options.client(outbox: try openOutbox())
        let audience = options.chat.map(Sharing.Audience.chat) ?? .world
        let distance = minimumDistance.flatMap(Distance.init(meters:))
        try await connected(client) {
            try await begin(with: client)
            if let track = source as? TrackSource, distance == nil {
                await client.share(Playback.positions(of: track.replay), with: audience)
            } else {
                await client.share(Self.positions(of: source, minimumDistance: distance), with: audience)
            }
            await client.waitUntilSent()
        }
    }

    /// Starts the share that the options ask for; without them positions have an implicit one.
    private func begin(with client: SharingClient) async throws(SharingError) {
        guard let chat = options.chat, duration != nil || expiring else { return }
        let wish = ShareWish(
            until: duration.map { Timestamp.now + $0 },
            keeping: expiring ? .expiring : .kept
        )
        _ = try await client.startShare(in: chat, wish)
    }

    /// How long ``period`` is, or `nil` if it isn't a time.
    private var duration: Duration? {
        guard let period, let unit = period.last, let count = Int(period.dropLast()), count > 0 else {
            return nil
        }
        let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let length = seconds[unit], count <= 366 * 86_400 / length else { return nil }
        return .seconds(count * length)
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
