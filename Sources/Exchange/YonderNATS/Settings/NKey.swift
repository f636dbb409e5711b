import Crypto
import YonderJSON
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A user's nkey: the Ed25519 key with which a client proves to NATS which user it is.
///
/// The seed's text is base32 of two bytes of kind, 32 bytes of seed and a CRC-16, lowest byte first
/// (nats-io/nkeys, *strkey.go*). It is in no description of the key.
///
/// `BusSettings` reads `--bus-key` into one, where an error ends the start; `NATSSession` has it sign the nonce of each
/// server. That the seed stands in no text or message must stay. The form is nats.io's (`NKeyTests`, with the key of its
/// documentation); ``longestFile`` may be changed.
package struct NKey: Sendable {
    /// The public key's text, which begins with `U`: the server's configuration has it.
    package let publicKey: String

    private let key: Curve25519.Signing.PrivateKey

    /// The first two bytes of a user's seed, which make its text begin with `SU`.
    private static let seedPrefix: [UInt8] = [18 << 3 | userPrefix >> 5, (userPrefix & 31) << 3]
    private static let userPrefix: UInt8 = 20 << 3

    /// The longest file that is read for a seed, in bytes.
    private static let longestFile = 4_096

    /// Reads a user's seed, as in `SUA…`.
    ///
    /// - Throws: `invalidKey`; the message doesn't quote the seed.
    package init(seed: String) throws(NATSError) {
        guard let bytes = Base32.decode(seed.utf8), bytes.count == 36 else {
            throw NATSError(.invalidKey, "An nkey's seed must be 58 characters of base32 that begin with SU.")
        }
        guard Self.crc(bytes.dropLast(2)) == UInt16(bytes[34]) | UInt16(bytes[35]) << 8 else {
            throw NATSError(.invalidKey, "The nkey's checksum is wrong; copy the whole seed.")
        }
        guard Array(bytes.prefix(2)) == Self.seedPrefix,
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes[2..<34])
        else {
            throw NATSError(.invalidKey, "The nkey must be a user's seed, which begins with SU.")
        }
        self.init(key)
    }

    /// Makes a new key.
    package init() {
        self.init(Curve25519.Signing.PrivateKey())
    }

    private init(_ key: Curve25519.Signing.PrivateKey) {
        self.key = key
        publicKey = Self.text([Self.userPrefix] + key.publicKey.rawRepresentation)
    }

    /// The seed's text, a secret, which ``init(seed:)`` reads.
    package var seed: String { Self.text(Self.seedPrefix + key.rawRepresentation) }

    /// Reads a file with a seed in a line of its own; empty lines and lines that begin with `#` or `-` are skipped.
    ///
    /// - Throws: `invalidKey` if the file can't be read, is longer than 4 KiB, or has no seed or several.
    package init(file path: String) throws(NATSError) {
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.longestFile else {
            throw NATSError(.invalidKey, "The nkey's file \(path) must be readable and at most 4 KiB long.")
        }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .compactMap { String($0.utf8.trimmed) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("-") }
        guard lines.count == 1 else {
            throw NATSError(
                .invalidKey,
                "The nkey's file \(path) must have one line, the seed; it has \(lines.count)."
            )
        }
        try self.init(seed: lines[0])
    }

    /// Signs the server's nonce; returns base64 for URLs, without padding.
    package func sign(_ nonce: String) throws(NATSError) -> String {
        do {
            let signature = try key.signature(for: Data(nonce.utf8))
            return signature.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        } catch {
            throw NATSError(.invalidKey, "The nonce can't be signed: \(error)")
        }
    }

    /// Bytes and their checksum as text.
    private static func text(_ bytes: [UInt8]) -> String {
        let sum = crc(bytes[...])
        return Base32.encode(bytes + [UInt8(truncatingIfNeeded: sum), UInt8(sum >> 8)])
    }

    /// The CRC-16 of nkeys: XMODEM, polynomial 0x1021, from 0.
    private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(into: UInt16(0)) { sum, byte in
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
    }
}

extension NKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public key.
    package var description: String { publicKey }
    package var debugDescription: String { publicKey }
    package var customMirror: Mirror { Mirror(self, children: [("publicKey", publicKey)]) }
}
