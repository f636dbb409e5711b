import ArgumentParser
import Foundation
import YonderHub
import YonderModel
import YonderServer
import YonderStorage

/// Looks after people, their links and tokens.
///
/// All of it works while the server runs, too.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Adds people and signs them in.",
        discussion: """
            Works while the server runs, too.

            Examples:
              yonder user add --data yonder-data --name "Ada Lovelace"
              yonder user link --data yonder-data               # another link for the owner
              yonder user invite --data yonder-data ada         # a link that makes somebody Ada's contact
              yonder user token --data yonder-data ada --label tracker
            """,
        subcommands: [
            UserAdd.self, UserList.self, UserLink.self, UserInvite.self, UserToken.self, UserPassword.self,
        ]
    )
}

/// What every one of them needs.
struct AccountOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"))
    var data: String

    /// The accounts in the folder.
    func accounts() throws -> Accounts {
        let store: any AccountStore
        do throws(StorageError) {
            store = try SQLiteStore.openBesideServer(folder: data)
        } catch {
            throw CommandFailure(error.message)
        }
        return Accounts(store: store, clock: ExpiryClock(wall: { .now }))
    }

    /// Where the server is, as it said when it last started.
    func base(_ given: String?) -> String {
        if let given { return given.hasSuffix("/") ? given : given + "/" }
        let file = URL(fileURLWithPath: data).appendingPathComponent(Greeting.addressFile)
        return (try? String(contentsOf: file, encoding: .utf8)) ?? "http://localhost:8080/"
    }
}

/// Whom a command is about.
struct PersonOption: ParsableArguments {
    @Argument(help: "Who: an id, a login or a name. (default: the owner)")
    var user: String?

    /// Finds them.
    ///
    /// - Throws: ``CommandFailure`` if there is nobody, or more than one of that name.
    func find(in accounts: Accounts) async throws -> Account {
        let all = try await accounts.everyone()
        guard let user else {
            guard let owner = all.first(where: \.isOperator) else {
                throw CommandFailure("There is no owner yet: start the server once.")
            }
            return owner
        }
        let exact = all.filter { "\($0.user.id)" == user || $0.login == user.lowercased() }
        let found = exact.isEmpty ? all.filter { $0.user.name.lowercased() == user.lowercased() } : exact
        guard let first = found.first else { throw CommandFailure("There is nobody called \(user).") }
        guard found.count == 1 else {
            let ids = found.map { "\($0.user.id)" }.joined(separator: ", ")
            throw CommandFailure("Several are called \(user): \(ids). Give an id.")
        }
        return first
    }
}

extension Accounts {
    /// Every account, oldest first.
    func everyone() async throws(SharingError) -> [Account] {
        var all: [Account] = []
        while true {
            let page = try await store.accounts(after: all.last?.user.id, limit: 1_000)
            all += page
            if page.count < 1_000 { return all }
        }
    }
}

/// Says what a refusal says, and not how it is made.
func explained<Value>(_ body: () async throws(SharingError) -> Value) async throws -> Value {
    do throws(SharingError) {
        return try await body()
    } catch {
        throw CommandFailure(error.message)
    }
}
