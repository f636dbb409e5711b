import YonderModel

/// Everything under `/v1`.
struct RESTService: Sendable {
    private let accounts: Accounts
    private let chats: any ChatStore
    private let gateway: ChatGateway

    init(accounts: Accounts, chats: any ChatStore, gateway: ChatGateway) {
        self.accounts = accounts
        self.chats = chats
        self.gateway = gateway
    }

    /// Adds its endpoints.
    func register(in routes: RESTRoutes) {
        SessionEndpoints(accounts: accounts, gateway: gateway).register(in: routes)
        PeopleEndpoints(accounts: accounts).register(in: routes)
        ChatEndpoints(chats: chats, accounts: accounts.store, gateway: gateway, now: accounts.now)
            .register(in: routes)
        MessageEndpoints(chats: chats, gateway: gateway, now: accounts.now).register(in: routes)
    }
}
