/// The name of a member of the world: random per connection, linked to no account, and never a database key.
package struct WorldID: Hashable, Sendable, CustomStringConvertible {
    /// Ten characters of `a…z2…7`, 50 random bits.
    package let description: String

    /// Draws a new random name.
    package static func random(using generator: inout some RandomNumberGenerator) -> WorldID {
        var bits = generator.next()
        var characters: [UInt8] = []
        for _ in 0..<10 {
            characters.append(alphabet[Int(bits & 31)])
            bits >>= 5
        }
        return WorldID(description: String(decoding: characters, as: UTF8.self))
    }

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
}
