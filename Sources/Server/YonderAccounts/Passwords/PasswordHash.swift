import Crypto
import CryptoExtras
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The scrypt key of a password, with its cost and salt.
///
/// `PasswordHasher` makes, writes and reads it. A text that isn't a hash, or has a cost out of range, is `nil` and fits
/// no password. The form is stored with every account and must stay readable (`PasswordTests`, with hashes of other
/// programs); the lengths of new salts and keys may be changed.
struct PasswordHash {
    let cost: PasswordCost
    let salt: [UInt8]
    let key: [UInt8]

    init(cost: PasswordCost, salt: [UInt8], key: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// Reads ``text``; `nil` if the text isn't a hash.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Self.cost(parts[2]),
            let salt = Base64URL.bytes(parts[3].utf8), let key = Base64URL.bytes(parts[4].utf8)
        else { return nil }
        self.init(cost: cost, salt: salt, key: key)
    }

    /// Reads `ln=17,r=8,p=1`.
    private static func cost(_ text: Substring) -> PasswordCost? {
        let parameters = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parameters.count == 3, parameters[0].hasPrefix("ln="), parameters[1] == "r=8",
            parameters[2].hasPrefix("p="), let exponent = Int(parameters[0].dropFirst(3)),
            let parallelism = Int(parameters[2].dropFirst(2)), PasswordCost.exponents.contains(exponent),
            PasswordCost.parallelisms.contains(parallelism)
        else { return nil }
        return PasswordCost(exponent: exponent, parallelism: parallelism)
    }

    /// The hash in its stored form.
    var text: String {
        "$scrypt$ln=\(cost.exponent),r=8,p=\(cost.parallelism)$\(Base64URL.text(salt))$\(Base64URL.text(key))"
    }

    /// Derives the 32 bytes of a password's key; empty if scrypt fails.
    @Sendable static func key(_ password: String, salt: [UInt8], cost: PasswordCost) -> [UInt8] {
        let key = try? KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: Data(salt),
            outputByteCount: 32,
            rounds: 1 << cost.exponent,
            blockSize: 8,
            parallelism: cost.parallelism,
            // The `p` blocks are computed one after the other, so `p` doesn't multiply the memory. The extra
            // MiB is for the few blocks that the library counts beside `N`.
            maxMemory: cost.memory + 1_048_576
        )
        return key?.withUnsafeBytes { Array($0) } ?? []
    }
}
