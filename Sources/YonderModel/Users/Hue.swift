/// The hues in which users are drawn: kept with the account, so that every viewer sees a user in the same color.
public enum Hue {
    /// The degrees on the color wheel that a user may have; those before are the color of sharing.
    public static let range = 26...359

    /// How many of the hues are given to users: the last of the range look red beside the color of sharing.
    static let given = 314
}

/// The hues that are free among some users, by the golden angle.
package struct FreeHues {
    /// Two hues closer than this many degrees look alike.
    private static let distance = 8

    /// How many candidates are tried before two users get the same hue.
    private static let candidates = 64

    private var taken: Set<Int>
    private var users: Int
    private let start: Int

    /// Creates the free hues of a chat's participants, or of a user's contacts.
    ///
    /// - Parameters:
    ///   - taken: Their hues, one for each of them.
    ///   - start: The index of the first candidate. Users without a common chat start at different ones.
    package init(among taken: [Int], from start: Int = 0) {
        self.taken = Set(taken)
        users = taken.count
        self.start = start
    }

    /// Creates the free hues of a user's contacts, beginning with a candidate of the user's own.
    package init(among taken: [Int], for user: UserID) {
        self.init(among: taken, from: Int(UInt64(bitPattern: user.rawValue) % 1_024))
    }

    /// Takes the first candidate that is not close to a taken one.
    ///
    /// - Returns: A hue in ``Hue/range``. If every candidate is close to a taken one, the hue is shared.
    package mutating func take() -> Int {
        let free = (start..<start + Self.candidates).lazy.map(Self.candidate).first { hue in
            !taken.contains { abs($0 - hue) < Self.distance || 360 - abs($0 - hue) < Self.distance }
        }
        let hue = free ?? Self.candidate(start + users)
        taken.insert(hue)
        users += 1
        return hue
    }

    /// Each candidate is turned by the golden ratio from the one before, so that any number of them lie apart.
    private static func candidate(_ index: Int) -> Int {
        let turn = (0.55 + Double(index) * 0.618_033_988_749_894_9).truncatingRemainder(dividingBy: 1)
        return Hue.range.lowerBound + Int(turn * Double(Hue.given))
    }
}
