import YonderWire

@testable import YonderWorld

extension WorldID {
    /// The name with this number, of 32 that tests draw from.
    static func numbered(_ number: Int) -> WorldID {
        var generator = Fixed(bits: UInt64(number & 31))
        return .random(using: &generator)
    }

    private struct Fixed: RandomNumberGenerator {
        let bits: UInt64

        mutating func next() -> UInt64 { bits }
    }
}

extension WorldEvent {
    static func moved(_ member: WorldID, _ place: Int) -> WorldEvent {
        .moved(member, at: Array("\(place),1".utf8))
    }
}

extension MemberPin {
    init(_ member: WorldID, _ place: Int? = nil) {
        self.init(member, at: place.map { Array("\($0),1".utf8) } ?? [])
    }
}
