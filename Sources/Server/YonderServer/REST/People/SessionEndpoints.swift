import HTTPTypes
import Hummingbird
import YonderRules
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderJSON
import YonderREST

/// The REST endpoints for signing in and out, and for the caller's own profile, password and tokens.
///
/// `RESTService` registers them once; each function answers one request, on any thread, after `RESTRoutes` has found the
/// caller. A refusal is a `SharingError`, which becomes the answer. What signs in and what is counted is decided by
/// `Accounts`. Paths, members and cookies must stay (`Documentation/rest.md`, `openapi.yaml`, `test_openapi.py`); a further
/// route needs a line in both documents.
struct SessionEndpoints: Sendable {
    let accounts: Accounts
    let gateway: ChatGateway

    func register(in routes: RESTRoutes) {
        routes.on(.post, "/v1/session", access: .anyone) { call throws(SharingError) in try await signIn(call)
        }
        routes.on(.get, "/v1/session") { call throws(SharingError) in try await session(call) }
        routes.on(.delete, "/v1/session") { call throws(SharingError) in try await signOut(call) }
        routes.on(.get, "/v1/me") { call throws(SharingError) in try await me(call) }
        routes.on(.patch, "/v1/me") { call throws(SharingError) in try await change(call) }
        routes.on(.put, "/v1/me/password", access: .session) { call throws(SharingError) in
            try await setPassword(call)
        }
        routes.on(.get, "/v1/me/sessions") { call throws(SharingError) in try await sessions(call) }
        routes.on(.delete, "/v1/me/sessions", access: .session) { call throws(SharingError) in
            try await endOthers(call)
        }
        routes.on(.delete, "/v1/me/sessions/{id}", access: .session) { call throws(SharingError) in
            try await endSession(call)
        }
        routes.on(.get, "/v1/tokens") { call throws(SharingError) in try await tokens(call) }
        routes.on(.post, "/v1/tokens") { call throws(SharingError) in try await makeToken(call) }
        routes.on(.delete, "/v1/tokens/{id}") { call throws(SharingError) in try await removeToken(call) }
    }

    private func signIn(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["link", "login", "password"])
        let signedIn: SignedIn
        if body.has("link") {
            guard !body.has("login"), !body.has("password") else {
                throw SharingError(.invalidField, "The body must have either link, or login and password.")
            }
            signedIn = try await accounts.signIn(
                link: try body.requiredString("link"),
                from: call.signInOrigin
            )
        } else {
            signedIn = try await accounts.signIn(
                login: try body.requiredString("login"),
                password: try body.requiredString("password"),
                from: call.signInOrigin
            )
        }
        return RESTAnswer.json(.created) { $0.answer(signedIn.user) }.signingIn(signedIn, call)
    }

    private func session(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let account = try await accounts.store.account(try call.caller.user)
        return .json { writer in
            writer.raw("{\"user\":")
            writer.user(account.user)
            writer.optional(",\"login\":", account.login)
            writer.raw(",\"operator\":")
            writer.boolean(account.isOperator)
            writer.raw(",\"password\":")
            writer.boolean(account.passwordHash != nil)
            writer.raw(",\"reads\":")
            writer.boolean(account.showsReads)
            writer.raw("}")
        }
    }

    private func signOut(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        let caller = try call.caller
        guard caller.kind == .session else {
            throw SharingError(
                .notAllowed,
                "A token has no session to end; remove the token with DELETE /v1/tokens/ID."
            )
        }
        try await accounts.end(caller.credential, of: caller.user, under: try call.warrant)
        return RESTAnswer.noContent.cookie(SecretCookie.session.removing(isSecure: call.isSecure))
    }

    private func me(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let account = try await accounts.store.account(try call.caller.user)
        return .json { $0.own(account) }
    }

    private func change(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["name", "email", "avatar", "reads", "hue", "current"])
        let name = try body.string("name")
        let email = try body.nullableString("email")
        let avatar = try body.nullableString("avatar")
        let caller = try call.caller.user
        let reads = try body.boolean("reads")
        let (first, last) = (Int64(Hue.range.lowerBound), Int64(Hue.range.upperBound))
        let hue = try body.integer("hue", in: first...last).map(Int.init)
        if body.has("email") { try call.checkSession() }
        let wish = ProfileWish(name: name, email: email, avatar: avatar, hue: hue, reads: reads)
        let before = try await accounts.store.account(caller)
        try wish.profile(of: before.user).validate()
        let changes = wish.changes(of: before)
        try await count(changes.parts, by: caller) { () async throws(SharingError) in
            if changes.email != nil {
                try await accounts.confirm(
                    try body.string("current"),
                    of: try call.caller,
                    from: call.signInOrigin
                )
            }
            try await make(changes, call, by: call.author(changing: caller))
        }
        let account = try await accounts.store.account(caller)
        return .json { $0.own(account) }
    }

    /// Counts changes, all or none, and gives them back if they aren't made.
    private func count(
        _ changes: Set<PersonLedger.ProfilePart>,
        by person: UserID,
        _ body: () async throws(SharingError) -> Void
    ) async throws(SharingError) {
        var charges: [PersonLedger.Charge] = []
        do throws(SharingError) {
            for part in changes.sorted(by: { $0.rawValue < $1.rawValue }) {
                charges.append(try await gateway.personal.take(.change(of: part, by: person)))
            }
            try await body()
        } catch {
            for charge in charges { await gateway.personal.giveBack(charge) }
            throw error
        }
    }

    /// Stores what changes, and notifies those who see it.
    private func make(
        _ changes: ProfileWish,
        _ call: RESTCall,
        by author: Author
    ) async throws(SharingError) {
        let (caller, warrant) = (try call.caller.user, try call.warrant)
        let parts = changes.parts
        if !parts.isDisjoint(with: [.name, .email, .avatar]) {
            _ = try await accounts.update(caller, by: author, under: warrant) { profile in
                changes.apply(to: &profile)
            }
        }
        if let hue = changes.hue {
            try await accounts.store.setHue(caller, hue, under: warrant)
        }
        if let reads = changes.reads {
            try await accounts.store.setShowsReads(caller, reads, under: warrant)
            try await gateway.showReads(caller, reads)
        } else if !parts.isEmpty {
            try await gateway.changed(caller)
        }
    }

    private func setPassword(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["password", "current", "tokens"])
        try await accounts.setPassword(
            try body.requiredString("password"),
            current: try body.string("current"),
            endsTokens: try body.boolean("tokens") ?? false,
            by: try call.caller,
            from: call.signInOrigin
        )
        return .noContent
    }

    private func sessions(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let caller = try call.caller
        let sessions = try await accounts.credentials(.session, of: caller.user)
        let events = try await accounts.store.events(of: caller.user)
        return .json { $0.sessions(sessions, current: caller.credential, events: events) }
    }

    private func endOthers(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["tokens"], isOptional: true)
        try await accounts.endOthers(of: try call.caller, tokens: try body.boolean("tokens") ?? false)
        return .noContent
    }

    private func endSession(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        let caller = try call.caller
        let id = call.context.parameters.get("id") ?? ""
        guard caller.credential.publicID != id else {
            throw SharingError(
                .notAllowed,
                "This is the session that you use; end it with DELETE /v1/session."
            )
        }
        try await accounts.end(.session, id, of: caller.user, by: call.actor, under: try call.warrant)
        return .noContent
    }

    private func tokens(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let tokens = try await accounts.tokens(of: try call.caller.user)
        return .json { $0.tokens(tokens) }
    }

    private func makeToken(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["label", "may", "current"], isOptional: true)
        let (label, caller) = (try body.string("label") ?? "", try call.caller)
        let managesAccounts = try body.managesAccounts
        if managesAccounts {
            try call.checkSession()
            try await accounts.confirm(try body.string("current"), of: caller, from: call.signInOrigin)
        }
        let author = call.author(changing: caller.user)
        let token = try await accounts.makeToken(
            label,
            for: caller.user,
            managingAccounts: managesAccounts,
            by: author,
            under: try call.warrant
        )
        return .json(.created) { $0.token(token) }
    }

    private func removeToken(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        try await accounts.removeToken(
            call.context.parameters.get("id") ?? "",
            of: try call.caller.user,
            under: try call.warrant
        )
        return .noContent
    }
}

extension JSONWriter {
    /// Appends `{"sessions":[…]}`; `current` marks the caller's own, and `events` are appended if there is a list.
    mutating func sessions(_ sessions: [Credential], current: SecretHash?, events: [AccountEvent]? = nil) {
        raw("{\"sessions\":")
        list(sessions) { writer, session in
            writer.credential(session)
            if session.secret == current { writer.raw(",\"current\":true") }
            writer.raw("}")
        }
        if let events {
            raw(",\"events\":")
            list(events) { $0.event($1) }
        }
        raw("}")
    }

    /// Appends an event of an account.
    private mutating func event(_ event: AccountEvent) {
        raw("{\"time\":")
        integer(event.time.milliseconds)
        raw(",\"change\":")
        string(event.change.rawValue)
        raw(",\"by\":")
        string(event.actor.rawValue)
        optional(",\"network\":", event.network)
        raw("}")
    }

    /// Appends a newly created token, with its secret.
    mutating func token(_ token: Secret) {
        raw("{\"token\":")
        string(token.text)
        raw(",\"id\":")
        string(token.hash.publicID)
        raw("}")
    }

    /// Appends `{"tokens":[…]}`.
    mutating func tokens(_ tokens: [Credential]) {
        raw("{\"tokens\":")
        list(tokens) { writer, token in
            writer.credential(token)
            if token.kind == .accounts { writer.raw(",\"may\":\"accounts\"") }
            writer.raw("}")
        }
        raw("}")
    }

    /// Appends a session or a token, without the closing brace.
    private mutating func credential(_ credential: Credential) {
        raw("{\"id\":")
        string(credential.secret.publicID)
        raw(",\"label\":")
        string(credential.label)
        raw(",\"created\":")
        integer(credential.created.milliseconds)
        optional(",\"lastSeen\":", credential.lastSeen?.milliseconds)
        optional(",\"network\":", credential.network)
    }

    /// Appends an account for its own user: `{"user":USER,"reads":true}`.
    fileprivate mutating func own(_ account: Account) {
        raw("{\"user\":")
        user(account.user)
        raw(",\"reads\":")
        boolean(account.showsReads)
        raw("}")
    }

    /// Appends `{"user":USER}`.
    mutating func answer(_ user: User) {
        raw("{\"user\":")
        self.user(user)
        raw("}")
    }
}

extension RESTAnswer {
    /// The answer with cookies for the session and for recognizing the browser.
    func signingIn(_ signedIn: SignedIn, _ call: RESTCall) -> RESTAnswer {
        cookie(
            SecretCookie.session.setting(
                signedIn.session,
                lifetime: Accounts.sessionLifetime,
                isSecure: call.isSecure
            )
        )
        .cookie(
            SecretCookie.device.setting(
                signedIn.device,
                lifetime: Accounts.deviceLifetime,
                isSecure: call.isSecure
            )
        )
    }
}

extension JSONBody {
    /// Whether a token is asked for that changes other people's accounts: `"may":"accounts"`.
    ///
    /// - Throws: `invalidField` for another text.
    var managesAccounts: Bool {
        get throws(SharingError) { try choice("may", of: TokenUse.self, "accounts") != nil }
    }
}

/// The uses of a token beside that of its owner.
private enum TokenUse: String, CaseIterable {
    case accounts
}
