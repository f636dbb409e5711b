import YonderModel
import YonderRules

/// Signing keys in memory.
struct MemoryKeys: Sendable {
    private var keys: [String: (key: SigningKey, secret: SigningSecret)] = [:]

    mutating func create(_ key: SigningKey, secret: SigningSecret) throws(SharingError) {
        guard keys[key.id] == nil else { throw .signingKeyTaken }
        guard keys.count < SigningKey.limit else { throw .tooManySigningKeys }
        keys[key.id] = (key, secret)
    }

    subscript(id: String) -> (key: SigningKey, secret: SigningSecret)? { keys[id] }

    var list: [SigningKey] { keys.values.map(\.key).sorted(by: SigningKey.isListedBefore) }

    mutating func remove(_ id: String) -> Bool { keys.removeValue(forKey: id) != nil }
}
