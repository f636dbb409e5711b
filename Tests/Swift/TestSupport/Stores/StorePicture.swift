import YonderGeodesy
import YonderModel
package import YonderRules

/// What a store has that a request could change, as text: two pictures are the same if nothing was changed in between.
package enum StorePicture {
    /// The picture of a store.
    package static func lines(of store: any (AccountStore & ChatStore)) async throws -> [String] {
        let accounts = try await store.accounts(after: nil, limit: 1_000)
        var lines = accounts.map { "\($0)" }
        for user in accounts.map(\.user.id) {
            lines += try await store.credentials(of: user).map { "\($0)" }.sorted()
            lines += try await store.events(of: user).map { "\($0)" }
            lines.append(
                "\(try await store.contacts(of: user).map(\.id)) \(try await store.blocked(by: user).map(\.id))"
            )
            lines.append("\(try await store.leftGroups(of: user, limit: 10))")
            let chats = try await store.chats(of: user)
            lines += chats.map { "\($0)" }
            lines.append(
                "\(try await store.readings(of: chats, for: user, now: .now).values.map { "\($0)" }.sorted())"
            )
        }
        lines += try await store.shares().map { "\($0)" }.sorted()
        if let keys = store as? any KeyStore { lines += try await keys.signingKeys().map { "\($0)" } }
        if let objects = store as? any ObjectStore { lines += try await self.objects(of: objects) }
        return lines
    }

    private static func objects(of store: any ObjectStore) async throws -> [String] {
        var lines: [String] = []
        for entity in try await store.entities(for: .owner) {
            lines.append("\(entity)")
            let page = try await store.objects(ObjectQuery(entity.name, limit: 1_000), for: .owner)
            lines += page.objects.map { "\($0)" }
        }
        return lines
    }
}

extension Timestamp {
    fileprivate static var now: Timestamp { Timestamp(milliseconds: 1_764_000_000_000) }
}
