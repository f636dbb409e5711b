import ArgumentParser
import HTTPTypes
import YonderAccounts
import YonderServer
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

// The subcommands of `yonder user` that list and end sign-ins, and that disable, rename and remove accounts; see
// `UserSubcommands.swift` for how they run, fail and print. Each but `sessions` may be called again: ending what has ended
// changes nothing or is refused. A person whom a mistake would hit is named, never the owner by default
// (`NamedPersonOption`). Names of commands, options and printed lines are used by scripts (`test_command_line.py`).

/// A session or a token as the server lists it.
private struct Credential: Decodable {
    let id: String
    let label: String
    let created: Int64
    let lastSeen: Int64?
    let network: String?
}

/// Lists a person's sessions and tokens: `yonder user sessions`.
struct UserSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract:
            "Lists a person's sessions and tokens: kind, id, when made, when last seen, from where, name."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: PersonOption

    private struct Sessions: Decodable { let sessions: [Credential] }
    private struct Tokens: Decodable { let tokens: [Credential] }

    func run() async throws {
        let (sessions, tokens) = try await options.withConsole { console in
            let path = try await person.find(in: console).path
            let sessions = try await console.ask(.get, path + "/sessions", as: Sessions.self).sessions
            return (sessions, try await console.ask(.get, path + "/tokens", as: Tokens.self).tokens)
        }
        for session in sessions { show("session", session) }
        for token in tokens { show("token", token) }
    }

    private func show(_ kind: String, _ credential: Credential) {
        let parts = [
            kind, credential.id, printed(credential.created), printed(credential.lastSeen),
            credential.network ?? "-", credential.label,
        ]
        print(parts.joined(separator: "\t"))
    }
}

/// Ends sessions and tokens: `yonder user sign-out`.
struct UserSignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Ends a person's sessions and sign-in links, and their open connections.",
        discussion: "`yonder user link` makes a link to sign in again."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: NamedPersonOption
    @Flag(help: "Also removes their bearer tokens.") var tokens = false
    @Option(help: "Ends this one session or token, as `yonder user sessions` lists it.") var id: String?

    func run() async throws {
        try await options.withConsole { console in
            let path = try await console.person(person.user).path
            guard let id else {
                return try await console.tell(.delete, path + "/sessions", ["tokens": tokens])
            }
            guard id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw CommandFailure("--id must be an id that yonder user sessions prints; it is \(id).")
            }
            do {
                try await console.tell(.delete, "\(path)/sessions/\(id)")
            } catch is CommandFailure {
                try await console.tell(.delete, "\(path)/tokens/\(id)")
            }
        }
    }
}

/// Disables an account: `yonder user disable`.
struct UserDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract:
            "Ends a person's sessions and disables sign-in to the account; tokens are refused, but kept."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: NamedPersonOption

    func run() async throws {
        try await options.withConsole { console in
            try await console.tell(.patch, try await console.person(person.user).path, ["disabled": true])
        }
    }
}

/// Enables a disabled account: `yonder user enable`.
struct UserEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Enables a disabled account: sign-in and tokens work again."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: NamedPersonOption

    func run() async throws {
        try await options.withConsole { console in
            try await console.tell(.patch, try await console.person(person.user).path, ["disabled": false])
        }
    }
}

/// Changes a person's name or login: `yonder user rename`.
struct UserRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Changes the name that others see, or the name to sign in with."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: NamedPersonOption
    @Option(help: "What others see.") var name: String?
    @Option(help: "The name to sign in with.") var login: String?

    func validate() throws {
        guard name != nil || login != nil else { throw ValidationError("Give --name or --login.") }
    }

    func run() async throws {
        var change: [String: String] = [:]
        change["name"] = name
        change["login"] = login
        try await options.withConsole { [change] console in
            try await console.tell(.patch, try await console.person(person.user).path, change)
        }
    }
}

/// Removes a person: `yonder user remove`.
struct UserRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a person for good.",
        discussion: """
            Their account goes with all that signs them in, their contacts and invitations, and they leave their chats. \
            Their messages and objects stay. The last operator can't be removed.
            """
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: NamedPersonOption
    @Flag(help: "Doesn't ask.") var yes = false

    func run() async throws {
        try await options.withConsole { console in
            let person = try await console.person(person.user)
            try confirm(person)
            try await console.tell(.delete, person.path)
        }
    }

    private func confirm(_ person: Person) throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure("Give --yes to remove \(person.user.name).")
        }
        print("Write the name \(person.user.name) to remove this person for good: ", terminator: "")
        fflush(nil)
        guard readLine() == person.user.name else {
            throw CommandFailure("The name doesn't match; no one was removed.")
        }
    }
}
