import ArgumentParser
import Foundation
import YonderGeodesy
import YonderHub
import YonderModel
import YonderStorage

/// Looks after the keys of programs that call the older places API.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Makes and removes the keys of programs that sign their requests to /api/data.",
        discussion: """
            Works while the server runs, too.

            Examples:
              yonder key add --data yonder-data --name "phone app" --read-only
              yonder key list --data yonder-data
              yonder key remove --data yonder-data 9f86d081884c7d659a2feaa0c55ad015
            """,
        subcommands: [KeyAdd.self, KeyList.self, KeyRemove.self]
    )
}

/// What every one of them needs.
struct KeyOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"))
    var data: String

    /// The keys in the folder.
    func keys() throws -> any KeyStore {
        do throws(StorageError) {
            return try SQLiteStore.openBesideServer(folder: data)
        } catch {
            throw CommandFailure(error.message)
        }
    }
}

/// Makes a key: `yonder key add`.
struct KeyAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Makes a key and prints it with its secret, which is shown this once.",
        discussion: "Whoever has the secret of a key may write every object, unless it is read-only."
    )

    @OptionGroup var options: KeyOptions
    @Option(help: "What the key is for.") var name: String
    @Flag(help: "Lets it read what members read, and write nothing.") var readOnly = false

    func run() async throws {
        let made = SigningKey(
            id: SigningKey.randomID(),
            name: name,
            rights: readOnly ? .read : .write,
            created: .now
        )
        guard let made, DisplayName.isPlain(name, lengths: 1...100) else {
            throw CommandFailure(
                "--name must have 1 to 100 characters, none a control or one of the direction of text."
            )
        }
        let keys = try options.keys()
        let secret = SigningSecret.random()
        try await explained { () async throws(SharingError) in
            try await keys.createSigningKey(made, secret: secret)
        }
        print("key \(made.id)\nsecret \(secret.text)")
    }
}

/// Lists keys: `yonder key list`.
struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the keys: id, rights, when it was made, name."
    )

    @OptionGroup var options: KeyOptions

    func run() async throws {
        let keys = try options.keys()
        for key in try await explained({ () async throws(SharingError) in try await keys.signingKeys() }) {
            let created = Date(timeIntervalSince1970: Double(key.created.milliseconds) / 1_000)
            print(
                [key.id, key.rights.rawValue, created.formatted(.iso8601), key.name].joined(separator: "\t")
            )
        }
    }
}

/// Removes a key: `yonder key remove`.
struct KeyRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a key: nothing that it signs is taken any more."
    )

    @OptionGroup var options: KeyOptions
    @Argument(help: "The key's id.") var key: String

    func run() async throws {
        let keys = try options.keys()
        let wasThere = try await explained { [key] () async throws(SharingError) in
            try await keys.removeSigningKey(key)
        }
        guard wasThere else { throw CommandFailure("There is no key \(key).") }
    }
}
