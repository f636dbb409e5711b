import Crypto
import CryptoExtras
import Foundation

/// A password's scrypt key with what it was made from.
struct PasswordHash {
    /// The binary logarithms of `N` that are accepted; the upper one takes 128 MiB.
    static let costs = 1...17

    let cost: Int
    let salt: [UInt8]
    let key: [UInt8]

    init(cost: Int, salt: [UInt8], key: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// Reads ``text``; `nil` if it isn't one.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            parts[2].hasPrefix("ln="), parts[2].hasSuffix(",r=8,p=1"),
            let cost = Int(parts[2].dropFirst(3).dropLast(8)), Self.costs.contains(cost),
            let salt = Base64URL.bytes(parts[3]), let key = Base64URL.bytes(parts[4])
        else { return nil }
        self.init(cost: cost, salt: salt, key: key)
    }

    /// As it is stored.
    var text: String {
        "$scrypt$ln=\(cost),r=8,p=1$\(Base64URL.text(salt))$\(Base64URL.text(key))"
    }

    /// The 32 bytes that scrypt makes of a password, or none if it can't.
    static func key(_ password: String, salt: [UInt8], cost: Int) -> [UInt8] {
        let key = try? KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: Data(salt),
            outputByteCount: 32,
            rounds: 1 << cost,
            blockSize: 8,
            parallelism: 1
        )
        return key?.withUnsafeBytes { Array($0) } ?? []
    }
}
