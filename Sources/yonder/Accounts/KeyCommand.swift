import ArgumentParser
import HTTPTypes
import YonderModel
import YonderServer

/// Looks after the keys of programs that call the older places API: `yonder key add`, `list` and `remove`.
///
/// Each subcommand asks a `Console` over REST's `/v1/keys`, prints lines that scripts read, and fails with a
/// ``CommandFailure``; see `UserSubcommands.swift`.
///
/// The secret is printed once, by `add`, and never listed. Names, options and lines must stay (`test_command_line.py`).
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Makes and removes the keys of programs that sign their requests to /api/data.",
        discussion: """
            Works while the server runs, and while it doesn't.

            Examples:
              yonder key add --data yonder-data --name "phone app" --read-only
              yonder key list --data yonder-data
              yonder key remove --data yonder-data 9f86d081884c7d659a2feaa0c55ad015
            """,
        subcommands: [KeyAdd.self, KeyList.self, KeyRemove.self]
    )
}

/// A key as the server lists it.
private struct Key: Decodable {
    let id: String
    let name: String
    let rights: String
    let created: Int64
}

/// Makes a key: `yonder key add`.
struct KeyAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Makes a key and prints it with its secret, which is shown this once.",
        discussion: "A program with the secret of a key may write every object, unless the key is read-only."
    )

    @OptionGroup var options: ConsoleOptions
    @Option(help: "What the key is for.") var name: String
    @Flag(help: "Lets it read what members read, and write nothing.") var readOnly = false

    private struct Made: Decodable {
        let id: String
        let secret: String
    }

    func run() async throws {
        let wish = ["name": name, "rights": readOnly ? "read" : "write"]
        let made = try await options.withConsole { console in
            try await console.ask(.post, "/v1/keys", wish, as: Made.self)
        }
        print("key \(made.id)\nsecret \(made.secret)")
    }
}

/// Lists keys: `yonder key list`.
struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the keys: id, rights, when it was made, name."
    )

    @OptionGroup var options: ConsoleOptions

    func run() async throws {
        struct Keys: Decodable { let keys: [Key] }
        let all = try await options.withConsole { try await $0.ask(.get, "/v1/keys", as: Keys.self).keys }
        for key in all {
            print([key.id, key.rights, printed(key.created), key.name].joined(separator: "\t"))
        }
    }
}

/// Removes a key: `yonder key remove`.
struct KeyRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a key; requests that it signs are refused from then on."
    )

    @OptionGroup var options: ConsoleOptions
    @Argument(help: "The key's id.") var key: String

    func run() async throws {
        let isPlain = key.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x5F
        }
        guard isPlain, !key.isEmpty else {
            throw CommandFailure("There is no key \(key); see yonder key list.")
        }
        try await options.withConsole { try await $0.tell(.delete, "/v1/keys/\(key)") }
    }
}
