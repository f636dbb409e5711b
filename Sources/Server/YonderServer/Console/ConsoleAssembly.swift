import HTTPTypes
import Hummingbird
import Logging
import NIOCore
package import YonderAccounts
package import YonderGeodesy
package import YonderModel
package import YonderRules
import YonderJSON
import YonderREST

/// The endpoints for the command line: operators' requests about accounts and keys, from the user who runs
/// the server.
///
/// A running server answers them over its control socket; if no server runs, the command line answers them
/// itself.
///
/// `ServerAssembly` makes one for `ConsoleService`, `ConsoleOptions` one for `LocalConsole`. It has the endpoints of
/// operators alone, without a sign-in, so nothing may be registered here that isn't for the user who runs the server
/// (`ConsoleTests`).
package struct ConsoleAssembly: Sendable {
    /// Answers each request with an operator's rights.
    let responder: RouterResponder<RESTContext>

    package init(
        accounts: Accounts,
        removal: Removal,
        keys: any KeyStore,
        changed: @escaping @Sendable (UserID) async throws(SharingError) -> Void = { _ in },
        contactsChanged: @escaping @Sendable (UserID, UserID) -> Void = { _, _ in },
        now: @escaping @Sendable () -> Timestamp
    ) {
        let table = RouteTable()
        let router = Router(context: RESTContext.self)
        router.add(middleware: RefusalMiddleware(table: table))
        let routes = RESTRoutes(
            router: router,
            table: table,
            authenticator: nil,
            address: PublicAddress(origins: .own)
        )
        routes.on(.get, "/health", access: .anyone) { _ throws(SharingError) in
            .json { $0.raw("{\"status\":\"ok\"}") }
        }
        UserEndpoints(
            accounts: accounts,
            removal: removal,
            changed: changed,
            contactsChanged: contactsChanged
        ).register(in: routes)
        KeyEndpoints(keys: keys, now: now).register(in: routes)
        responder = router.buildResponder()
    }
}
