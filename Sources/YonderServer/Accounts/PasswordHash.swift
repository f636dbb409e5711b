import Crypto
import CryptoExtras
import Foundation

/// A password's scrypt key with what it was made from.
struct PasswordHash {
    let cost: PasswordCost
    let salt: [UInt8]
    let key: [UInt8]

    init(cost: PasswordCost, salt: [UInt8], key: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// Reads ``text``; `nil` if it isn't one.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Self.cost(parts[2]),
            let salt = Base64URL.bytes(parts[3]), let key = Base64URL.bytes(parts[4])
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

    /// As it is stored.
    var text: String {
        "$scrypt$ln=\(cost.exponent),r=8,p=\(cost.parallelism)$\(Base64URL.text(salt))$\(Base64URL.text(key))"
    }

    /// The 32 bytes that scrypt makes of a password, or none if it can't.
    @Sendable static func key(_ password: String, salt: [UInt8], cost: PasswordCost) -> [UInt8] {
        let key = try? KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: Data(salt),
            outputByteCount: 32,
            rounds: 1 << cost.exponent,
            blockSize: 8,
            parallelism: cost.parallelism,
            // The memory for `p` blocks at once isn't needed; the library counts a few blocks beside `N`.
            maxMemory: cost.memory + 1_048_576
        )
        return key?.withUnsafeBytes { Array($0) } ?? []
    }
}
