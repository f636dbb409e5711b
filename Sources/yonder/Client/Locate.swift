import ArgumentParser
import YonderGeodesy
import YonderLocation
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Prints the device's position: `yonder locate`.
///
/// Reads a receiver, a file or a simulation through `YonderLocation`, without a server. A wrong option is a
/// `ValidationError`; a position that doesn't come is an error on standard error and one of the statuses of
/// ``status(of:)``, by which scripts decide: options, printed lines and statuses must stay (`test_command_line.py`,
/// `Documentation/receivers.md`).
struct Locate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locate",
        abstract: "Prints where the device is, as a line of JSON.",
        discussion: """
            Within five seconds, or as --timeout says. If there is no position, standard error says why, and the status \
            says it to programs: 75 when the time is over, 77 when the operating system doesn't permit it, 69 when the \
            receiver or the daemon isn't there or has ended, 65 when what it says can't be read.

            Examples:
              yonder locate --from gpsd
              yonder locate --from nmea:/dev/ttyUSB0#9600 --wait
              yonder locate --from gpsd --follow --minimum-distance 10
            """
    )

    @OptionGroup var source: SourceOptions

    @Option(help: ArgumentHelp("How long to wait for a position, 5 if not given.", valueName: "seconds"))
    var timeout: Double?

    @Flag(help: "Waits without end, also while the receiver is lost.")
    var wait = false

    @Flag(help: "Prints every position as it comes, until it is interrupted or the file has ended.")
    var follow = false

    @Option(
        help: ArgumentHelp(
            "With --follow: how far to move before the next position is printed.",
            valueName: "meters"
        )
    )
    var minimumDistance: Double?

    func validate() throws {
        guard timeout.map({ (0...86_400).contains($0) }) ?? true else {
            throw ValidationError("--timeout must be in 0…86400 seconds.")
        }
        guard timeout == nil || !(wait || follow) else {
            throw ValidationError("--timeout can't be used with --wait or --follow.")
        }
        guard minimumDistance == nil || follow else {
            throw ValidationError("--minimum-distance needs --follow.")
        }
        guard minimumDistance.map({ $0 >= 0 && $0.isFinite }) ?? true else {
            throw ValidationError("--minimum-distance must be a number of meters, not negative.")
        }
    }

    func run() async throws {
        do throws(LocationError) {
            let provider = LocationProvider(source: try source.makeSource())
            if wait || follow {
                try await watch(provider)
            } else {
                let request = PositionRequest(timeout: .seconds(timeout ?? 5))
                Self.show(try await provider.position(request))
            }
        } catch {
            Self.complain(error)
            throw Self.status(of: error)
        }
    }

    /// Prints what comes; the first, or everything.
    private func watch(_ provider: LocationProvider) async throws(LocationError) {
        let distance = minimumDistance.flatMap(Distance.init(meters:))
        var wasShown = false
        for await event in provider.monitor(MonitoringConfiguration(minimumDistance: distance)) {
            switch event {
            case .position(let position):
                Self.show(position)
                wasShown = true
                guard follow else { return }
            case .stalled(let since):
                Self.complain("No position has come since \(since).")
            case .failure(let error) where error.code == .sourceEnded:
                guard !wasShown else { return }
                throw error
            case .failure(let error):
                Self.complain(error)
            }
        }
    }

    private static func show(_ position: Position) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // A position's numbers are finite, so that it can always be written.
        guard let line = try? encoder.encode(position) else { return }
        StandardOutput.write(String(decoding: line, as: UTF8.self))
    }

    private static func complain(_ error: LocationError) {
        // What a source complained of while the time went by.
        let cause = (error.underlying as? LocationError).map { " \($0.message)" } ?? ""
        complain("\(error.code): \(error.message)\(cause)")
    }

    private static func complain(_ text: String) {
        StandardError.write(text)
    }

    /// The program's exit status, from BSD's `sysexits`.
    private static func status(of error: LocationError) -> ExitCode {
        switch error.code {
        case .timedOut: ExitCode(75)
        case .notAuthorized: ExitCode(77)
        case .sourceUnreadable: ExitCode(65)
        case .sourceLost, .sourceEnded, .servicesDisabled, .positionUnavailable: ExitCode(69)
        default: .failure
        }
    }
}
