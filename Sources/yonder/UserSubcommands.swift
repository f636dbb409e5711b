import ArgumentParser
import Foundation
import YonderModel
import YonderServer

/// Adds a person: `yonder user add`.
struct UserAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract:
            "Adds a person and prints their id and a link that signs them in, once and within 15 minutes."
    )

    @OptionGroup var options: AccountOptions
    @Option(help: "What others see.") var name: String
    @Option(help: "A name to sign in with, beside a password.") var login: String?
    @Option(help: "An e-mail address that others see.") var email: String?
    @Option(help: "The server's address, for the link.") var url: String?
    @Flag(name: .customLong("operator"), help: "Makes them an operator.") var isOperator = false

    func run() async throws {
        let accounts = try options.accounts()
        let profile = Profile(name: name, email: email)
        let (user, link) = try await explained { () throws(SharingError) in
            let user = try await accounts.create(profile, login: login, isOperator: isOperator)
            return (user, try await accounts.makeLink(for: user.id))
        }
        print("\(user.id) \(options.base(url))#link=\(link.text)")
    }
}

/// Lists everyone: `yonder user list`.
struct UserList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists everyone.")

    @OptionGroup var options: AccountOptions

    func run() async throws {
        let accounts = try options.accounts()
        for account in try await explained({ () throws(SharingError) in try await accounts.everyone() }) {
            let parts = [
                "\(account.user.id)", account.login ?? "-", account.isOperator ? "operator" : "-",
                account.user.name,
            ]
            print(parts.joined(separator: "\t"))
        }
    }
}

/// Makes a link that signs in: `yonder user link`.
struct UserLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Prints a link that signs somebody in, once and within 15 minutes."
    )

    @OptionGroup var options: AccountOptions
    @OptionGroup var person: PersonOption
    @Option(help: "The server's address, for the link.") var url: String?

    func run() async throws {
        let accounts = try options.accounts()
        let account = try await person.find(in: accounts)
        let link = try await explained { () throws(SharingError) in
            try await accounts.makeLink(for: account.user.id)
        }
        print("\(options.base(url))#link=\(link.text)")
    }
}

/// Makes a link that invites: `yonder user invite`.
struct UserInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Prints a link that makes whoever opens it somebody's contact, once and within a week.",
        discussion: "Who has no account gets one by it."
    )

    @OptionGroup var options: AccountOptions
    @OptionGroup var person: PersonOption
    @Option(help: "The server's address, for the link.") var url: String?

    func run() async throws {
        let accounts = try options.accounts()
        let account = try await person.find(in: accounts)
        let invitation = try await explained { () throws(SharingError) in
            try await accounts.invite(from: account.user.id)
        }
        print("\(options.base(url))#invitation=\(invitation.secret.text)")
    }
}

/// Makes a token: `yonder user token`.
struct UserToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a bearer token for a program; it is shown this once."
    )

    @OptionGroup var options: AccountOptions
    @OptionGroup var person: PersonOption
    @Option(help: "What its owner calls it.") var label = "command line"

    func run() async throws {
        let accounts = try options.accounts()
        let account = try await person.find(in: accounts)
        let token = try await explained { () throws(SharingError) in
            try await accounts.makeToken(label, for: account.user.id)
        }
        print(token.text)
    }
}

/// Sets a password: `yonder user password`.
struct UserPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Sets somebody's password, read from standard input, or removes it."
    )

    @OptionGroup var options: AccountOptions
    @OptionGroup var person: PersonOption
    @Flag(help: "Removes the password.") var remove = false

    func run() async throws {
        let accounts = try options.accounts()
        let account = try await person.find(in: accounts)
        guard account.login != nil else {
            throw CommandFailure("\(account.user.name) has no login to use a password with.")
        }
        var password: String?
        if !remove {
            password = isatty(STDIN_FILENO) == 1 ? String(cString: getpass("Password: ")) : readLine()
            guard password != nil else { throw CommandFailure("No password was given.") }
        }
        try await explained { () throws(SharingError) in
            try await accounts.overridePassword(password, of: account.user.id)
        }
    }
}
