import HTTPTypes
package import YonderAccounts
package import YonderGeodesy
package import YonderHub
package import YonderRules
package import YonderObjects
package import YonderREST

/// The older places API under `/api/data`, for apps that were written for it.
///
/// A layer over ``ObjectCatalog``. Requests are signed with a key; reading an entity that is open to anyone needs no
/// signature. Documentation/places-facade.md lists the supported parts.
///
/// `ServerProcess` makes one at the start, and registers it beside the server's own routes; each request is
/// answered on any thread. Everything that fails becomes a `FacadeRefusal` with that API's status and form. The order
/// must stay: signature, allowance, then the request's own checks; and a nonce is used once, on all servers of a
/// database (decision 11, `test_places_facade.py`).
package struct PlacesFacade: Sendable {
    private let endpoints: FacadeEndpoints
    private let signatures: Signatures
    private let writes: WriteAllowances
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// Creates the API over a server's objects.
    ///
    /// `writes` limits what each address of an app writes, `attempts` wrong signatures, both measured on the monotonic clock
    /// `uptime`. `record` records nonces for all servers of a database; with `nil` they are in this server's memory alone.
    package init(
        catalog: ObjectCatalog,
        keys: any KeyStore,
        writes: WriteAllowances,
        record: NonceRecord? = nil,
        attempts: AttemptLimiter = AttemptLimiter(),
        now: @escaping @Sendable () -> Timestamp = { .now },
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.init(
            catalog: catalog,
            keys: keys,
            writes: writes,
            nonces: NonceMemory(),
            record: record,
            attempts: attempts,
            now: now,
            uptime: uptime
        )
    }

    init(
        catalog: ObjectCatalog,
        keys: any KeyStore,
        writes: WriteAllowances,
        nonces: NonceMemory,
        record: NonceRecord? = nil,
        attempts: AttemptLimiter = AttemptLimiter(),
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        endpoints = FacadeEndpoints(catalog: catalog, now: now)
        (self.writes, self.uptime) = (writes, uptime)
        signatures = Signatures(
            keys: keys,
            nonces: nonces,
            record: record,
            attempts: attempts,
            now: now,
            uptime: uptime
        )
    }

    /// Registers the API's endpoints.
    package func register(in routes: RESTRoutes) {
        let all = "/api/data/{entity}"
        for method in [HTTPRequest.Method.get, .post] {
            routes.open(method, all) { await answer($0, .entity) }
        }
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            routes.open(method, all + "/{id}") { await answer($0, .object($0.parameter("id") ?? "")) }
        }
        routes.open(.get, all + "/bounding/{field}") {
            await answer($0, .bounding($0.parameter("field") ?? ""))
        }
        routes.open(.get, all + "/near/{field}") { await answer($0, .near($0.parameter("field") ?? "")) }
        routes.open(.get, "/api/test") { request in
            await answer(request) { facade, caller throws(FacadeRefusal) in
                try facade.parameters.allow(FacadeRequest.envelope)
                guard caller != .anyone else { throw FacadeEndpoints.unsigned }
                guard facade.isReading else {
                    throw FacadeRefusal(.methodNotAllowed, "The method isn't allowed for this path.")
                }
                return FacadeAnswer.success
            }
        }
    }

    private func answer(_ request: OpenRequest, _ target: FacadeEndpoints.Target) async -> OpenAnswer {
        await answer(request) { facade, caller async throws(FacadeRefusal) in
            if !facade.isReading { try useWrite(caller) }
            return try await endpoints.answer(
                facade,
                request.parameter("entity") ?? "",
                target,
                caller
            )
        }
    }

    private func answer(
        _ request: OpenRequest,
        _ body: (FacadeRequest, FacadeCaller) async throws(FacadeRefusal) -> OpenAnswer
    ) async -> OpenAnswer {
        do throws(FacadeRefusal) {
            let facade = try await FacadeRequest(request)
            let caller = try await signatures.caller(
                of: facade.parameters,
                method: facade.method.rawValue,
                paths: facade.paths,
                network: facade.network
            )
            return try await body(facade, caller)
        } catch {
            return FacadeAnswer.refusal(error)
        }
    }

    /// Uses one write of the caller's allowance, whatever becomes of the request.
    private func useWrite(_ caller: FacadeCaller) throws(FacadeRefusal) {
        let now = uptime()
        guard let allowance = caller.writer.map({ writes.allowance(of: $0, at: now) }) else { return }
        if let error = allowance.useObject(at: now) { throw FacadeRefusal(error) }
    }
}
