import ArgumentParser
import YonderLocation
import YonderReceivers
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options for the source of positions.
///
/// `Locate` and `Share` include the options. A wrong one is a `ValidationError`; a file or receiver that can't be opened
/// a `LocationError`, by which the command chooses its status. Names of the options and origins are used by scripts
/// (`Documentation/receivers.md`, `test_command_line.py`); a further origin is a case of ``PositionOrigin``.
///
/// The accepted speeds may be changed.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the positions come from.",
            discussion: """
                gpsd, gpsd:HOST:PORT or gpsd:HOST:PORT#DEVICE for the daemon; nmea:PATH for a receiver's device, a \
                FIFO or a recorded file, nmea:PATH#BAUD for another speed than 4800, nmea:- for standard input, \
                nmea:tcp://HOST:PORT or nmea:udp://HOST:PORT for sentences over a network; track:FILE for a GPX file.
                """,
            valueName: "source"
        ),
        transform: PositionOrigin.init
    )
    var from: PositionOrigin

    @Option(help: "How many times as fast as recorded a file is played.")
    var speed = 1.0

    @Flag(help: "Begins again when the file has ended.")
    var loop = false

    func validate() throws {
        guard (0.001...1_000_000).contains(speed) else {
            throw ValidationError("--speed must be in 0.001…1000000.")
        }
    }

    /// The source, not started yet.
    ///
    /// - Throws: ``LocationError`` for a file that can't be read or has no positions with times.
    func makeSource() throws(LocationError) -> any LocationSource {
        switch from {
        case .receiver(let address): try address.makeSource(speed: speed, isLooping: loop)
        case .track(let file): try Self.track(file, speed: speed, isLooping: loop)
        }
    }

    private static func track(
        _ file: String,
        speed: Double,
        isLooping: Bool
    ) throws(LocationError) -> TrackSource {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            return try TrackSource(readingGPX: [UInt8](data), speed: speed, isLooping: isLooping)
        } catch let error as LocationError {
            throw LocationError(error.code, "\(file): \(error.message)", underlying: error.underlying)
        } catch {
            throw LocationError(.sourceUnreadable, "\(file) can't be read.", underlying: error)
        }
    }
}

/// The source of positions that `--from` names.
enum PositionOrigin: Sendable {
    case receiver(ReceiverAddress)
    case track(file: String)

    /// Reads the flag's value.
    ///
    /// - Throws: `ValidationError`, which says what is wrong.
    @Sendable init(_ text: String) throws {
        if text.hasPrefix("track:") {
            let file = String(text.dropFirst("track:".count))
            guard !file.isEmpty else { throw ValidationError("--from: the file after track: is missing.") }
            self = .track(file: file)
            return
        }
        do throws(ReceiverAddressFailure) {
            self = .receiver(try ReceiverAddress(text))
        } catch .unknownKind {
            throw ValidationError("--from must be gpsd, nmea:PATH or track:FILE; see --help.")
        } catch {
            throw ValidationError(error.description)
        }
    }
}
