import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderREST

/// The endpoints under `/v1`.
///
/// `ServerAssembly` makes one and registers it once. Nothing fails. A further group of endpoints under `/v1` is
/// registered here, and has its paths in `Documentation/rest.md` and `openapi.yaml` (`test_openapi.py`).
///
/// The order of registration doesn't matter.
struct RESTService: Sendable {
    let store: any NounStore
    let accounts: Accounts
    let chats: any ChatStore
    let gateway: ChatGateway
    let exchange: Exchange
    let now: @Sendable () -> Timestamp
    let removal: Removal

    /// Registers all endpoints.
    func register(in routes: RESTRoutes) {
        SessionEndpoints(accounts: accounts, gateway: gateway).register(in: routes)
        UserEndpoints(
            accounts: accounts,
            removal: removal,
            changed: gateway.changed,
            contactsChanged: gateway.contactsChanged
        ).register(in: routes)
        ChatEndpoints(
            chats: chats,
            accounts: accounts.store,
            gateway: gateway,
            exchange: exchange,
            now: now
        ).register(in: routes)
        StayingOutEndpoints(chats: chats, exchange: exchange).register(in: routes)
        MessageEndpoints(
            chats: chats,
            accounts: accounts.store,
            gateway: gateway,
            exchange: exchange,
            now: now
        ).register(in: routes)
        TrackEndpoints(chats: chats, accounts: accounts.store, exchange: exchange, now: now)
            .register(in: routes)
        ShareEndpoints(chats: chats, exchange: exchange, now: now).register(in: routes)
        PeopleEndpoints(accounts: accounts, chats: chats, exchange: exchange, now: now).register(in: routes)
        KeyEndpoints(keys: store, now: now).register(in: routes)
        ImageEndpoints(
            images: store,
            accounts: store,
            chats: chats,
            exchange: exchange,
            now: now
        ).register(in: routes)
    }
}
