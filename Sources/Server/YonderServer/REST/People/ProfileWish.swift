import YonderModel
import YonderRules

/// What a person asks their profile to be; `nil` is left as it is, and of `email` and `avatar` the inner `nil` removes it.
///
/// What is there already is no change: it is neither written nor sent nor counted. Texts are compared as bytes.
struct ProfileWish: Sendable {
    var name: String?
    var email: String??
    var avatar: String??
    var hue: Int?
    var reads: Bool?

    /// The parts that would differ from what is stored.
    func changes(of account: Account) -> Set<PersonLedger.ProfilePart> {
        let user = account.user
        var changes: Set<PersonLedger.ProfilePart> = []
        if let name, !Self.areEqual(name, user.name) { changes.insert(.name) }
        if let email, !Self.areEqual(email, user.email) { changes.insert(.email) }
        if let avatar, !Self.areEqual(avatar, user.avatar) { changes.insert(.avatar) }
        if let hue, hue != user.hue { changes.insert(.hue) }
        if let reads, reads != account.showsReads { changes.insert(.reads) }
        return changes
    }

    /// The profile with what is asked for.
    func profile(of user: User) -> Profile {
        var profile = Profile(name: user.name, email: user.email, avatar: user.avatar)
        apply(to: &profile)
        return profile
    }

    /// Changes a profile to what is asked for.
    func apply(to profile: inout Profile) {
        if let name { profile.name = name }
        if let email { profile.email = email }
        if let avatar { profile.avatar = avatar }
    }

    private static func areEqual(_ one: String?, _ other: String?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }
}
