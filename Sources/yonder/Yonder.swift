import ArgumentParser

/// The program: one subcommand a file.
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
            Share.self, Watch.self, Locate.self, MapCommand.self, VersionCommand.self,
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
