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

    /// The wish without what is stored already, so that its application changes nothing else, whatever is stored by then.
    func changes(of account: Account) -> ProfileWish {
        let user = account.user
        var changes = self
        if let name, Self.areEqual(name, user.name) { changes.name = nil }
        if let email, Self.areEqual(email, user.email) { changes.email = nil }
        if let avatar, Self.areEqual(avatar, user.avatar) { changes.avatar = nil }
        if hue == user.hue { changes.hue = nil }
        if reads == account.showsReads { changes.reads = nil }
        return changes
    }

    /// The parts that are asked for.
    var parts: Set<PersonLedger.ProfilePart> {
        var parts: Set<PersonLedger.ProfilePart> = []
        if name != nil { parts.insert(.name) }
        if email != nil { parts.insert(.email) }
        if avatar != nil { parts.insert(.avatar) }
        if hue != nil { parts.insert(.hue) }
        if reads != nil { parts.insert(.reads) }
        return parts
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
