import HTTPTypes
import Hummingbird
import YonderGeodesy
import YonderModel
import YonderRules
import YonderJSON
import YonderREST

/// The endpoints for signing keys, for operators, over REST and over the control socket alike.
///
/// `ServerAssembly` registers them for the network, `ConsoleAssembly` for the control socket; each function answers one
/// request, of an operator. The secret is in the answer that makes a key, and in no other: this must stay. Paths and
/// members are REST's (`Documentation/rest.md`, `openapi.yaml`, `test_openapi.py`).
struct KeyEndpoints: Sendable {
    let keys: any KeyStore
    let now: @Sendable () -> Timestamp

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/v1/keys", access: .operators) { call throws(SharingError) in try await list(call) }
        routes.on(.post, "/v1/keys", access: .operators) { call throws(SharingError) in try await add(call) }
        routes.on(.delete, "/v1/keys/{key}", access: .operators) { call throws(SharingError) in
            try await remove(call)
        }
    }

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let all = try await keys.signingKeys()
        return .json { writer in
            writer.raw("{\"keys\":")
            writer.list(all) { writer, key in
                writer.key(key)
                writer.raw("}")
            }
            writer.raw("}")
        }
    }

    private func add(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["name", "rights"])
        let rights = try body.choice("rights", of: SigningKey.Rights.self, "read or write") ?? .write
        let name = try body.requiredString("name")
        guard DisplayName.isPlain(name, lengths: 1...100),
            let key = SigningKey(id: SigningKey.randomID(), name: name, rights: rights, created: now())
        else {
            throw SharingError(
                .invalidField,
                "name must have 1 to 100 characters, none of them a control or text direction character."
            )
        }
        let secret = SigningSecret.random()
        try await keys.createSigningKey(key, secret: secret, under: try call.warrant)
        return .json(.created) { writer in
            writer.key(key)
            writer.raw(",\"secret\":")
            writer.string(secret.text)
            writer.raw("}")
        }
    }

    private func remove(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        let sent = call.context.parameters.get("key") ?? ""
        guard let key = sent.utf8.name(), try await keys.removeSigningKey(key, under: try call.warrant) else {
            throw SharingError(.notFound, "There is no key \(sent.utf8.excerpt).")
        }
        return .noContent
    }
}

extension JSONWriter {
    /// Appends a key without its secret, and without the closing brace.
    fileprivate mutating func key(_ key: SigningKey) {
        raw("{\"id\":")
        string(key.id)
        raw(",\"name\":")
        string(key.name)
        raw(",\"rights\":")
        string(key.rights.rawValue)
        raw(",\"created\":")
        integer(key.created.milliseconds)
    }
}
