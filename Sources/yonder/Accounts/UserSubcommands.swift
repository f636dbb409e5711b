import ArgumentParser
import HTTPTypes
import YonderServer
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

// The subcommands of `yonder user` that make and list people and what signs them in; those that end sign-ins and accounts are in
// `UserSubcommands+Sessions.swift`.
//
// The argument parser makes one of these values, checks its flags and calls its `run()`, once a process; `UserCommand` lists
// them. Each asks a `Console` over REST's paths: a running server by its control socket, or this program's own store. A
// refusal throws `CommandFailure`, which is printed on standard error, with status 1; what the console had done before
// stays. Each call of `add`, `link`, `invite` or `token` makes another person, link, invitation or token.
//
// Help texts may be changed here alone. Scripts read the flags and the printed columns, which `test_command_line.py` and
// `test_installed.py` hold; the members of the requests are REST's (`Documentation/rest.md`).

/// An answer of REST that has an address with a secret in its fragment: a sign-in link or an invitation.
private struct Address: Decodable {
    /// The address as the server has it, `…#link=SECRET`.
    let url: String

    /// The same fragment at another address, as the server may not know under which address people reach it.
    ///
    /// - Parameter base: The server's address, with a slash at its end.
    /// - Returns: The address to print.
    func at(_ base: String) -> String { base + "#" + (url.split(separator: "#").last ?? "") }
}

/// Adds a person and prints their id and a sign-in link: `yonder user add`.
struct UserAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract:
            "Adds a person and prints their id and a link that signs them in, once and within 15 minutes."
    )

    @OptionGroup var options: ConsoleOptions
    @Option(help: "What others see.") var name: String
    @Option(help: "A name to sign in with, beside a password.") var login: String?
    @Option(help: "An e-mail address that others see.") var email: String?
    @Option(help: "The server's address, for the link.") var url: String?
    @Flag(name: .customLong("operator"), help: "Makes them an operator.") var isOperator = false
    @Option(
        help: ArgumentHelp(
            "Whose contact they are from the start: a login, a name or an id. Without it that of the oldest operator.",
            valueName: "person"
        )
    )
    var contact: String?

    /// The body of `POST /v1/users`.
    private struct Wish: Encodable {
        let name: String
        let login: String?
        let email: String?
        let `operator`: Bool
        let contact: String?
    }

    private struct Added: Decodable {
        let user: Person.User
        let link: String
    }

    func run() async throws {
        let added = try await options.withConsole { console in
            let contact =
                if let contact {
                    try await console.person(contact).user.id
                } else {
                    try await console.people().first { $0.operator && !$0.disabled }?.user.id
                }
            let wish = Wish(name: name, login: login, email: email, operator: isOperator, contact: contact)
            return try await console.ask(.post, "/v1/users", wish, as: Added.self)
        }
        print("\(added.user.id) \(Address(url: added.link).at(options.base(url)))")
    }
}

/// Lists every account, the oldest first, a line each with tabs between the columns: `yonder user list`.
struct UserList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists everyone: id, login, operator or disabled, when last seen, name."
    )

    @OptionGroup var options: ConsoleOptions

    func run() async throws {
        for person in try await options.withConsole({ try await $0.people() }) {
            let role = person.disabled ? "disabled" : person.operator ? "operator" : "-"
            let parts = [
                person.user.id, person.login ?? "-", role, printed(person.lastSeen), person.user.name,
            ]
            print(parts.joined(separator: "\t"))
        }
    }
}

/// Makes a link that signs in: `yonder user link`.
struct UserLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Prints a link that signs a person in, once and within 15 minutes."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: PersonOption
    @Option(help: "The server's address, for the link.") var url: String?

    func run() async throws {
        let link = try await options.withConsole { console in
            let path = try await person.find(in: console).path + "/links"
            return try await console.ask(.post, path, Nothing(), as: Address.self)
        }
        print(link.at(options.base(url)))
    }
}

/// Makes a link that invites: `yonder user invite`.
struct UserInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract:
            "Prints a link that makes the person who opens it a contact of this one, once and within a week.",
        discussion: "A person without an account gets one by opening it."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: PersonOption
    @Option(help: "The server's address, for the link.") var url: String?

    func run() async throws {
        let invitation = try await options.withConsole { console in
            let path = try await person.find(in: console).path + "/invitations"
            return try await console.ask(.post, path, Nothing(), as: Address.self)
        }
        print(invitation.at(options.base(url)))
    }
}

/// Makes a token: `yonder user token`.
struct UserToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a bearer token for a program; it is shown this once."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: PersonOption
    @Option(help: "What its owner calls it.") var label = "command line"
    @Option(
        help: "accounts: an operator's token that changes other people's accounts, and may do nothing else."
    )
    var may: TokenUse?

    private struct Made: Decodable { let token: String }

    /// The body of `POST /v1/users/{id}/tokens`.
    private struct Wish: Encodable {
        let label: String
        let may: String?
    }

    func run() async throws {
        let made = try await options.withConsole { console in
            let path = try await person.find(in: console).path + "/tokens"
            return try await console.ask(.post, path, Wish(label: label, may: may?.rawValue), as: Made.self)
        }
        print(made.token)
    }
}

/// The special use that a token may be made for; a token without one may do what its owner may.
enum TokenUse: String, ExpressibleByArgument, CaseIterable {
    /// Changes other people's accounts, and nothing else. The word is the one that REST has for it.
    case accounts
}

/// Sets or removes a password, and signs the person out everywhere: `yonder user password`.
struct UserPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Sets a person's password, read from standard input, or removes it.",
        discussion: "They are signed out everywhere."
    )

    @OptionGroup var options: ConsoleOptions
    @OptionGroup var person: PersonOption
    @Flag(help: "Removes the password.") var remove = false
    @Flag(help: "Also removes their bearer tokens.") var tokens = false

    /// The body of `PUT /v1/users/{id}/password`; a password of `null` removes it, a missing one is refused.
    private struct Wish: Encodable {
        let password: String?
        let tokens: Bool

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Keys.self)
            // Writes `null` for no password, where the synthesized code would leave the member out.
            try fields.encode(password, forKey: .password)
            try fields.encode(tokens, forKey: .tokens)
        }

        private enum Keys: CodingKey { case password, tokens }
    }

    func run() async throws {
        try await options.withConsole { console in
            let person = try await person.find(in: console)
            guard person.login != nil else {
                throw CommandFailure(
                    "\(person.user.name) has no login; set one with yonder user rename --login."
                )
            }
            try await console.tell(
                .put,
                person.path + "/password",
                Wish(password: try read(), tokens: tokens)
            )
        }
    }

    /// The password that was typed without an echo, or the first line of standard input; `nil` to remove it.
    private func read() throws -> String? {
        if remove { return nil }
        let typed = isatty(STDIN_FILENO) == 1 ? String(cString: getpass("Password: ")) : readLine()
        guard let typed else {
            throw CommandFailure("Standard input has no password; write one to it, or use --remove.")
        }
        return typed
    }
}
