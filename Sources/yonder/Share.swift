import ArgumentParser
import Foundation
import YonderClient
import YonderGeodesy
import YonderHub
import YonderModel
import YonderStorage
import YonderTracks

/// Shares a recorded track: `yonder share`.
struct Share: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Shares positions in a chat or in the world.",
        discussion: """
            Ends when the track has ended and everything is on the server's disk.

            Examples:
              YONDER_TOKEN=… yonder share --server http://localhost:8080 --chat 77 --from track:walk.gpx
              yonder share --server http://localhost:8080 --world --from track:walk.gpx --speed 10 --loop
            """
    )

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("Where the positions come from: track:FILE, a GPX file.", valueName: "source"))
    var from: String

    @Option(help: "How many times as fast as it was recorded.")
    var speed = 1.0

    @Flag(help: "Begins again when the track has ended.")
    var loop = false

    @Option(
        help: ArgumentHelp(
            "A folder that keeps what is unsent, also when this program ends.",
            valueName: "folder"
        )
    )
    var outbox: String?

    func validate() throws {
        guard from.hasPrefix("track:") else { throw ValidationError("--from takes track:FILE.") }
    }

    func run() async throws {
        let replay = try TrackSource.replay(
            of: String(from.dropFirst("track:".count)),
            speed: speed,
            isLooping: loop
        )
        let client = try options.client(outbox: try openOutbox())
        let place = options.chat.map(Sharing.Place.chat) ?? .world
        try await connected(client) {
            await client.share(TrackSource.positions(of: replay), in: place)
            await client.waitUntilSent()
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

/// Positions from a recorded track, each when it is due.
enum TrackSource {
    /// Reads a GPX file.
    ///
    /// - Throws: ``CommandFailure`` if it can't be read, isn't GPX, or has no times.
    static func replay(of file: String, speed: Double, isLooping: Bool) throws -> TrackReplay {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure("\(file) can't be read.")
        }
        let document: GPXDocument
        do throws(TrackFileFailure) {
            document = try GPXDocument(reading: [UInt8](data))
        } catch {
            throw CommandFailure("\(file): \(error.reason) at byte \(error.offset).")
        }
        let positions = document.tracks.flatMap(\.positions)
        guard let replay = TrackReplay(positions, speed: speed, isLooping: isLooping) else {
            throw CommandFailure(
                positions.isEmpty ? "\(file) has no positions with times." : "--speed lies in 0.001…1000000."
            )
        }
        return replay
    }

    /// Plays it from now on.
    static func positions(of replay: TrackReplay) -> AsyncStream<Position> {
        let clock = ContinuousClock()
        let player = Player(start: clock.now, beginning: .now)
        return AsyncStream {
            guard let fix = player.next(of: replay) else { return nil }
            do {
                try await clock.sleep(until: player.start + fix.elapsed)
            } catch {
                return nil
            }
            return fix.position(startingAt: player.beginning)
        }
    }

    /// How far a replay is.
    private final class Player: @unchecked Sendable {
        // Safe because the stream asks for one position at a time.
        private var elapsed = Duration.seconds(-1)
        let start: ContinuousClock.Instant
        let beginning: Timestamp

        init(start: ContinuousClock.Instant, beginning: Timestamp) {
            self.start = start
            self.beginning = beginning
        }

        func next(of replay: TrackReplay) -> TrackReplay.Fix? {
            let fix = replay.next(after: elapsed)
            if let fix { elapsed = fix.elapsed }
            return fix
        }
    }
}
