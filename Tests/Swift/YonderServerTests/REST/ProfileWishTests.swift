import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderServer

@Suite struct ProfileWishTests {
    private let account = Account(
        user: User(id: .random(), name: "Ada", email: "old@example.com", avatar: "/images/1"),
        created: Timestamp(milliseconds: 0)
    )

    @Test func `what a person sends as it is stored undoes no other change of it, made meanwhile`() {
        let wish = ProfileWish(name: "Augusta", email: "old@example.com", avatar: .some(nil))
        let changes = wish.changes(of: account)
        #expect(changes.parts == [.name, .avatar])
        var profile = Profile(name: "Ada", email: "new@example.com", avatar: "/images/2")
        changes.apply(to: &profile)
        #expect(profile == Profile(name: "Augusta", email: "new@example.com", avatar: nil))
    }

    @Test func `a removal of what isn't there is no change`() {
        var bare = account
        bare.user = User(id: account.user.id, name: "Ada")
        let wish = ProfileWish(email: .some(nil), avatar: .some(nil), reads: bare.showsReads)
        #expect(wish.changes(of: bare).parts.isEmpty)
        #expect(wish.changes(of: account).parts == [.email, .avatar])
    }
}
