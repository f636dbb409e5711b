/// The hues in which users are drawn: kept with the account, so that every viewer sees a user in the same color.
public enum Hue {
    /// The degrees on the color wheel that a user may have; those before are the color of sharing.
    public static let range = 26...359

    /// The hues that are given to users: the last of the range look red beside the color of sharing.
    package static let given = 26...339

    /// How many degrees of the color wheel lie between two hues, at most 180.
    package static func distance(_ one: Int, _ other: Int) -> Int {
        let turn = abs(one - other) % 360
        return min(turn, 360 - turn)
    }
}

/// Chooses the hues of users, each the farthest from the hues of the accounts that it is to be told apart from.
///
/// `AccountTable+Hues` of the stores makes one in the transaction in which a user gets a hue, which is kept for good. It
/// can't fail: with more users than hues some are equal. ``Hue/range`` must stay, as
/// stored hues lie in it and the page's sharing color is outside; which hue is given may change (`HueTests`,
/// `PersonColorTests`).
package struct FreeHues {
    /// With up to this many accounts on a server, all of them count.
    private static let smallServer = 16

    /// How many accounts of the server the first argument of ``init(of:around:)`` should have, if there are as many.
    package static let sample = smallServer + 1

    /// How far from each hue of ``Hue/given`` the nearest taken one is.
    private var room = [Int](repeating: .max, count: Hue.given.count)
    private let isFirst: Bool

    /// Creates the hues that a user can get.
    ///
    /// - Parameters:
    ///   - accounts: The hues of ``sample`` accounts of the server; `nil` for an account without a hue.
    ///   - near: The hues of the accounts with which the user shares a contact or a chat.
    package init(of accounts: [Int?], around near: some Sequence<Int>) {
        let isSmall = accounts.count <= Self.smallServer
        isFirst = isSmall && accounts.allSatisfy { $0 == nil }
        for hue in isSmall ? accounts.compactMap(\.self) : Array(near) { occupy(hue) }
    }

    /// Takes the hue that is the farthest from every taken one; of several, the first.
    package mutating func take(for user: UserID) -> Int {
        let number = Int(UInt64(bitPattern: user.rawValue) % UInt64(room.count))
        let most = room.max() ?? 0
        // Groups that meet later rarely began with the same of eight hues. From each of these, the next seven lie 43° apart.
        let start = isFirst ? 0 : min(number % 8 * 45, room.count - 1)
        let place = most == .max ? start : most == 0 ? number : room.firstIndex(of: most) ?? 0
        occupy(Hue.given.lowerBound + place)
        return Hue.given.lowerBound + place
    }

    private mutating func occupy(_ hue: Int) {
        for place in room.indices {
            room[place] = min(room[place], Hue.distance(Hue.given.lowerBound + place, hue))
        }
    }
}
