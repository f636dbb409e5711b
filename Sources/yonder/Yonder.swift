import ArgumentParser
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The program's entry.
@main
enum Program {
    static func main() async {
        // Only root may raise a thread's priority, as libdispatch tries; what it says of that to the system's log helps nobody.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        await Yonder.main()
    }
}

/// The program: one subcommand a file.
///
/// Names the subcommands. A ``CommandFailure`` is printed on standard error and ends with status 1,
/// a `ValidationError` of a flag with 64; scripts decide by both. A further command is a type and a name here, with a
/// section in `Documentation` (`test_command_line.py`).
struct Yonder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "yonder",
        abstract: "Live location sharing that you host yourself.",
        discussion: """
            Start with:
              yonder serve --data yonder-data
            and open the link that it prints.
            """,
        version: "0.1.0",
        subcommands: [
            Serve.self, ReadyCommand.self, UserCommand.self, KeyCommand.self, BackupCommand.self,
            RestoreCommand.self,
            MigrateCommand.self,
            Share.self, Watch.self, Locate.self, MapCommand.self, BusKeyCommand.self, VersionCommand.self,
        ]
    )
}

/// A command's failure, with the message that the command prints.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
