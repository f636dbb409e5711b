import ArgumentParser

/// The program: one subcommand a file.
///
/// The program's entry: names the subcommands. A ``CommandFailure`` is printed on standard error and ends with status 1,
/// a `ValidationError` of a flag with 64; scripts decide by both. A further command is a type and a name here, with a
/// section in `Documentation` (`test_command_line.py`).
@main
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
