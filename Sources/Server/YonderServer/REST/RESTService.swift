import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderREST

/// The endpoints under `/v1`.
struct RESTService: Sendable {
    private let accounts: Accounts
    private let chats: any ChatStore
    private let gateway: ChatGateway
    private let exchange: Exchange
    private let now: @Sendable () -> Timestamp
    private let removal: Removal

    init(
        accounts: Accounts,
        chats: any ChatStore,
        gateway: ChatGateway,
        exchange: Exchange,
        now: @escaping @Sendable () -> Timestamp,
        removal: Removal
    ) {
        self.accounts = accounts
        self.chats = chats
        self.gateway = gateway
        self.exchange = exchange
        self.now = now
        self.removal = removal
    }

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
        MessageEndpoints(chats: chats, gateway: gateway, exchange: exchange, now: now).register(in: routes)
        TrackEndpoints(chats: chats, exchange: exchange, now: now).register(in: routes)
    }
}
