import ArgumentParser
import HTTPTypes
import YonderAccounts
import YonderModel
import YonderRules
import YonderServer
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Looks after people, and what signs them in.
///
/// A running server is asked over its control socket; if none runs, the data folder is opened. This file also has what the
/// subcommands share: how a person is named on the command line, and what the server lists of one.
///
/// Each subcommand ends with a ``CommandFailure`` if the person isn't found, is ambiguous, or the server refuses. A
/// further subcommand is a type in `UserSubcommands….swift` and a name in the configuration here. Names and lines are
/// used by scripts (`test_command_line.py`).
///
/// Names and printed lines must stay; texts of help and failures may be changed.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Looks after people, and what signs them in.",
        discussion: """
            Works while the server runs, and while it doesn't.

            Examples:
              yonder user add --data yonder-data --name "Ada Lovelace"
              yonder user link --data yonder-data               # another link for the owner
              yonder user invite --data yonder-data ada         # a link that makes a person Ada's contact
              yonder user token --data yonder-data ada --label tracker
              yonder user sign-out --data yonder-data ada --tokens
            """,
        subcommands: [
            UserAdd.self, UserList.self, UserLink.self, UserInvite.self, UserToken.self, UserPassword.self,
            UserSessions.self, UserSignOut.self, UserDisable.self, UserEnable.self, UserRename.self,
            UserRemove.self,
        ]
    )
}

/// The person that a command is for; by default the owner.
struct PersonOption: ParsableArguments {
    @Argument(help: "Who: an id, a login or a name. (default: the owner)")
    var user: String?

    /// Finds the person.
    ///
    /// - Throws: ``CommandFailure`` if there is no such person, or more than one of that name.
    func find(in console: some Console) async throws -> Person {
        guard let user else {
            guard let owner = try await console.people().first(where: \.operator) else {
                throw CommandFailure("There is no owner yet: start the server once.")
            }
            return owner
        }
        return try await console.person(user)
    }
}

/// The person that a command is for, without a default: for commands that mustn't hit the owner by accident.
struct NamedPersonOption: ParsableArguments {
    @Argument(help: "Who: an id, a login or a name.")
    var user: String
}

/// An account as the server lists it: the members of REST's answer that the commands print.
struct Person: Decodable {
    struct User: Decodable {
        let id: String
        let name: String
    }

    let user: User
    let login: String?
    let `operator`: Bool
    let disabled: Bool
    let lastSeen: Int64?

    /// The account's path in REST.
    var path: String { "/v1/users/\(user.id)" }
}

/// A page of the accounts, as `GET /v1/users` answers it.
private struct PeoplePage: Decodable {
    let users: [Person]
}

extension Console {
    /// Every account, oldest first.
    func people() async throws -> [Person] {
        var all: [Person] = []
        while true {
            let after = all.last.map { "?after=\($0.user.id)" } ?? ""
            let page = try await ask(.get, "/v1/users" + after, as: PeoplePage.self).users
            all += page
            if page.count < 1_000 { return all }
        }
    }

    /// The only person with an id, a login or a name.
    ///
    /// - Throws: ``CommandFailure`` if there is no such person, or more than one of that name.
    func person(_ text: String) async throws -> Person {
        let all = try await people()
        let exact = all.filter { $0.user.id == text || $0.login == text.lowercased() }
        let found = exact.isEmpty ? all.filter { $0.user.name.lowercased() == text.lowercased() } : exact
        guard let first = found.first else {
            throw CommandFailure("No person has the id, login or name \(text); see yonder user list.")
        }
        guard found.count == 1 else {
            let ids = found.map(\.user.id).joined(separator: ", ")
            throw CommandFailure("Several people are called \(text): \(ids). Give an id.")
        }
        return first
    }
}

extension Accounts {
    /// Every account, oldest first.
    func everyone() async throws(SharingError) -> [Account] {
        var all: [Account] = []
        while true {
            let page = try await store.accounts(after: all.last?.place, limit: 1_000)
            all += page
            if page.count < 1_000 { return all }
        }
    }
}

/// A time as commands print it, or a dash.
func printed(_ milliseconds: Int64?) -> String {
    milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1_000).formatted(.iso8601) } ?? "-"
}
