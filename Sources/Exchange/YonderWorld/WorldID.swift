/// The name of a member of the world: random per connection, linked to no account, and never a database key.
///
/// `WorldRoom` draws one for each connection that enters, and `WorldNews` reads those of other nodes. Two nodes may draw
/// the same: `WorldReplica` then shows one of them. Length and alphabet are known to clients (`Documentation/stream.md`)
/// and must stay.
package struct WorldID: Hashable, Sendable, CustomStringConvertible {
    /// Ten characters of `a…z2…7`, 50 random bits.
    package let description: String

    private init(characters: [UInt8]) {
        description = String(decoding: characters, as: UTF8.self)
    }

    /// Reads a name; `nil` unless it has ten characters of `a…z2…7`.
    package init?(_ characters: [UInt8]) {
        guard characters.count == Self.length, characters.allSatisfy(Self.alphabet.contains) else {
            return nil
        }
        self.init(characters: characters)
    }

    /// Draws a new random name.
    package static func random(using generator: inout some RandomNumberGenerator) -> WorldID {
        var bits = generator.next()
        var characters: [UInt8] = []
        for _ in 0..<length {
            characters.append(alphabet[Int(bits & 31)])
            bits >>= 5
        }
        return WorldID(characters: characters)
    }

    private static let length = 10
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
}
