import Testing
import YonderGeodesy
import YonderModel
package import YonderRules

/// A promise that every store of signing keys keeps, as a test: its name says what.
package struct KeyRule: Sendable, CustomTestStringConvertible {
    /// The promise.
    package let testDescription: String

    /// Tries it on an empty store.
    package let check: @Sendable (any KeyStore) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (any KeyStore) async throws -> Void) {
        testDescription = name
        self.check = check
    }

    /// All of them.
    package static let all = [
        KeyRule("a key is found by its id, with its secret, as it was made") { store in
            let secret = SigningSecret.random()
            let made = try key("a", "An app", .write, at: 5)
            try await store.createSigningKey(made, secret: secret)
            try await store.createSigningKey(key("b", "Ünïcode ☕️", .read, at: -1), secret: .random())
            let found = try #require(try await store.signingKey("a"))
            #expect(found.key == made && found.secret == secret)
            #expect(try await store.signingKey("b")?.key.rights == .read)
            #expect(try await store.signingKey("A") == nil)
            #expect(try await store.signingKey("") == nil)
        },
        KeyRule("an id is used once, and the first secret stays") { store in
            let secret = SigningSecret.random()
            try await store.createSigningKey(key("a", "One", .read), secret: secret)
            await expectRefusal(.nameTaken) {
                try await store.createSigningKey(key("a", "Two", .write), secret: .random())
            }
            let found = try #require(try await store.signingKey("a"))
            #expect(found.key.name == "One" && found.secret == secret)
        },
        KeyRule("keys are listed oldest first, then by id") { store in
            let keys = try [
                key("c", "1", .read, at: 1), key("a", "2", .read, at: 2), key("b", "3", .write, at: 2),
            ]
            for key in keys.reversed() { try await store.createSigningKey(key, secret: .random()) }
            #expect(try await store.signingKeys() == keys)
        },
        KeyRule("a key that is removed is gone, and its id is free") { store in
            try await store.createSigningKey(key("a", "One", .read), secret: .random())
            #expect(try await store.removeSigningKey("a"))
            #expect(try await store.signingKey("a") == nil)
            #expect(try await store.signingKeys().isEmpty)
            #expect(try await store.removeSigningKey("a") == false)
            try await store.createSigningKey(key("a", "Two", .read), secret: .random())
        },
        KeyRule("there are no more than the limit") { store in
            for number in 0..<SigningKey.limit {
                try await store.createSigningKey(key("k\(number)", "x", .read), secret: .random())
            }
            await expectRefusal(.tooMany) {
                try await store.createSigningKey(key("one-more", "x", .read), secret: .random())
            }
            #expect(try await store.signingKeys().count == SigningKey.limit)
        },
    ]

    private static func key(
        _ id: String,
        _ name: String,
        _ rights: SigningKey.Rights,
        at time: Int64 = 0
    ) throws -> SigningKey {
        try #require(
            SigningKey(id: id, name: name, rights: rights, created: Timestamp(milliseconds: time))
        )
    }
}
