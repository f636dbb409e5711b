import HTTPTypes
import Hummingbird
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderJSON
import YonderREST

/// The endpoints for operators to manage accounts, over REST and over the control socket alike.
///
/// Operators manage their own account under `/v1/me`, so that they can't lock themselves out here.
///
/// `RESTService` registers them for the network, `ConsoleAssembly` for the control socket, which alone gets the endpoints
/// that act as another user. Each function answers one request; a refusal is a `SharingError`. The rules are those of
/// `Accounts` and `Removal`. The commands of `yonder user` and other programs depend on paths and members
/// (`Documentation/rest.md`, `test_command_line.py`).
///
/// Paths and members must stay; the most accounts of a page may be changed there and here.
struct UserEndpoints: Sendable {
    let accounts: Accounts
    let removal: Removal
    let changed: @Sendable (UserID) async throws(SharingError) -> Void
    let contactsChanged: @Sendable (UserID, UserID) -> Void

    func register(in routes: RESTRoutes) {
        registerPeople(in: routes)
        registerSignIns(in: routes)
        if routes.isConsole { registerOthersMeans(in: routes) }
    }

    /// Registers endpoints that let a caller act as another user: only for the user who runs the server.
    private func registerOthersMeans(in routes: RESTRoutes) {
        routes.on(.post, "/v1/users/{user}/tokens", access: .operators) { call throws(SharingError) in
            try await makeToken(call)
        }
        routes.on(.post, "/v1/users/{user}/invitations", access: .operators) { call throws(SharingError) in
            try await invite(call)
        }
    }

    private func registerPeople(in routes: RESTRoutes) {
        let one = "/v1/users/{user}"
        routes.on(.get, "/v1/users", access: .directory, query: ["after", "limit"]) {
            call throws(SharingError) in try await list(call)
        }
        routes.on(.post, "/v1/users", access: .accounts) { call throws(SharingError) in try await add(call) }
        routes.on(.get, one, access: .directory) { call throws(SharingError) in try await user(call) }
        routes.on(.patch, one, access: .accounts) { call throws(SharingError) in try await change(call) }
        routes.on(.delete, one, access: .accounts) { call throws(SharingError) in try await remove(call) }
    }

    private func registerSignIns(in routes: RESTRoutes) {
        let one = "/v1/users/{user}"
        routes.on(.get, one + "/sessions", access: .operators) { call throws(SharingError) in
            try await sessions(call)
        }
        routes.on(.delete, one + "/sessions", access: .operators) { call throws(SharingError) in
            try await signOut(call)
        }
        routes.on(.delete, one + "/sessions/{id}", access: .operators) { call throws(SharingError) in
            try await end(.session, call)
        }
        routes.on(.get, one + "/tokens", access: .operators) { call throws(SharingError) in
            try await tokens(call)
        }
        routes.on(.delete, one + "/tokens/{id}", access: .operators) { call throws(SharingError) in
            try await end(.token, call)
        }
        routes.on(.put, one + "/password", access: .accounts) { call throws(SharingError) in
            try await setPassword(call)
        }
        routes.on(.post, one + "/links", access: .accounts) { call throws(SharingError) in
            try await makeLink(call)
        }
    }

    // MARK: People

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let limit = Int(try call.query.integer("limit", in: 1...1_000) ?? 1_000)
        let users = try await accounts.people(after: try await place(call.query), limit: limit)
        return .json { writer in
            writer.raw("{\"users\":")
            writer.list(users) { $0.account($1) }
            if users.count == limit, let last = users.last?.place {
                writer.raw(",\"next\":")
                writer.string("\(last.created.milliseconds)-\(last.user)")
            }
            writer.raw("}")
        }
    }

    /// The place in the list that the query's `after` names: the `next` of an answer, or the id of a stored user.
    private func place(_ query: RESTQuery) async throws(SharingError) -> AccountPlace? {
        guard let text = query.string("after") else { return nil }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "-"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        if parts.count == 2, let created = Int64(Substring(parts[0])),
            let user = UserID(String(Substring(parts[1])))
        {
            return AccountPlace(created: Timestamp(milliseconds: created), user: user)
        }
        guard let user: UserID = try query.identifier("after") else { return nil }
        return try await accounts.store.account(user).place
    }

    private func add(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["name", "login", "email", "operator", "contact"])
        let profile = Profile(name: try body.requiredString("name"), email: try body.string("email"))
        let contact: UserID? = try body.identifier("contact")
        let page = try call.baseURL
        let user = try await accounts.create(
            profile,
            login: try body.string("login"),
            isOperator: try body.boolean("operator") ?? false,
            contact: contact,
            under: try call.warrant
        )
        if let contact { contactsChanged(contact, user.id) }
        accounts.logChange("added", of: user.id, by: call.actor)
        let link = try await accounts.makeLink(for: user.id, under: try call.warrant)
        return .json(.created) { writer in
            writer.raw("{\"user\":")
            writer.user(user)
            writer.raw(",\"link\":")
            writer.string("\(page)#link=\(link.text)")
            writer.raw("}")
        }
    }

    private func user(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let account = try await accounts.store.account(try call.user)
        return .json { $0.account(accounts.completing([account])[0]) }
    }

    private func change(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["name", "email", "login", "operator", "disabled"])
        var change = AccountChange()
        change.name = try body.string("name")
        change.email = try body.nullableString("email")
        change.login = try body.nullableString("login")
        change.isOperator = try body.boolean("operator")
        change.isDisabled = try body.boolean("disabled")
        if change.isDisabled == true || change.isOperator == false || change.email != nil {
            try checkIsAnother(call)
        }
        let user = try call.user
        try checkToken(call)
        let before = try await accounts.store.account(user).user
        let account = try await accounts.change(
            user,
            change,
            by: call.author(changing: user),
            under: try call.warrant
        )
        let isShownOtherwise =
            !before.name.utf8.elementsEqual(account.user.name.utf8) || before.email != account.user.email
        if isShownOtherwise { try await changed(user) }
        return .json { $0.account(accounts.completing([account])[0]) }
    }

    private func remove(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        try checkIsAnother(call)
        try await removal.remove(try call.user, by: call.actor, under: try call.warrant)
        return .noContent
    }

    /// Refuses a change that operators must not make to their own account; the control socket may.
    private func checkIsAnother(_ call: RESTCall) throws(SharingError) {
        guard call.optionalCaller?.user == (try call.user) else { return }
        throw SharingError(
            .notAllowed,
            "This is your own account; ask another operator, or use the command line."
        )
    }

    /// Refuses a change that a token makes of its owner's account: a token for accounts is for those of others.
    private func checkToken(_ call: RESTCall) throws(SharingError) {
        if call.optionalCaller?.kind == .accounts { try checkIsAnother(call) }
    }

    // MARK: Credentials

    private func sessions(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let user = try await accounts.store.account(try call.user).user.id
        let sessions = try await accounts.credentials(.session, of: user)
        return .json { $0.sessions(sessions, current: call.optionalCaller?.credential) }
    }

    private func tokens(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let user = try await accounts.store.account(try call.user).user.id
        let tokens = try await accounts.credentials(.token, of: user)
        return .json { $0.tokens(tokens) }
    }

    private func end(_ kind: CredentialGroup, _ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        try checkIsAnother(call)
        let id = call.context.parameters.get("id") ?? ""
        try await accounts.end(kind, id, of: try call.user, by: call.actor, under: try call.warrant)
        return .noContent
    }

    private func signOut(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["tokens"], isOptional: true)
        try checkIsAnother(call)
        try await accounts.signOut(
            try call.user,
            tokens: try body.boolean("tokens") ?? false,
            by: call.actor,
            under: try call.warrant
        )
        return .noContent
    }

    private func setPassword(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["password", "tokens"])
        try checkIsAnother(call)
        let user = try call.user
        try await accounts.overridePassword(
            try body.required("password", try body.nullableString("password")),
            of: user,
            endsTokens: try body.boolean("tokens") ?? false,
            by: call.author(changing: user),
            under: try call.warrant
        )
        return .noContent
    }

    private func makeLink(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        let (page, user) = (try call.baseURL, try call.user)
        try checkToken(call)
        let link = try await accounts.makeLink(
            for: user,
            by: call.author(changing: user),
            under: try call.warrant
        )
        accounts.logChange("link made", of: user, by: call.actor)
        return .json(.created) { $0.url("\(page)#link=\(link.text)") }
    }

    private func makeToken(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["label", "may"], isOptional: true)
        let user = try call.user
        let managesAccounts = try body.managesAccounts
        let token = try await accounts.makeToken(
            try body.string("label") ?? "",
            for: user,
            managingAccounts: managesAccounts,
            by: call.author(changing: user),
            under: try call.warrant
        )
        accounts.logChange(managesAccounts ? "accounts token made" : "token made", of: user, by: call.actor)
        return .json(.created) { $0.token(token) }
    }

    private func invite(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        let page = try call.baseURL
        let invitation = try await accounts.invite(from: try call.user, under: try call.warrant)
        return .json(.created) { writer in
            writer.invitation("\(page)#invitation=\(invitation.secret.text)", invitation.expires)
        }
    }
}

extension RESTCall {
    /// The user in the path.
    ///
    /// - Throws: `unknownUser` if the text isn't a valid id.
    fileprivate var user: UserID {
        get throws(SharingError) { try id("user", else: .unknownUser) }
    }
}

extension JSONWriter {
    /// Appends an account in the form for operators.
    fileprivate mutating func account(_ account: Account) {
        raw("{\"user\":")
        user(account.user)
        optional(",\"login\":", account.login)
        raw(",\"operator\":")
        boolean(account.isOperator)
        raw(",\"disabled\":")
        boolean(account.isDisabled)
        raw(",\"created\":")
        integer(account.created.milliseconds)
        optional(",\"lastSeen\":", account.lastSeen?.milliseconds)
        raw("}")
    }

    /// Appends `{"url":"…"}`.
    fileprivate mutating func url(_ url: String) {
        raw("{\"url\":")
        string(url)
        raw("}")
    }
}
