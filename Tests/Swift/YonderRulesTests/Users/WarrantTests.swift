import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@Suite struct WarrantTests {
    private static let user = User(id: .random(), name: "Ada")
    private static let now = Timestamp(milliseconds: 1_000_000)

    private func held(
        version: Int64 = 3,
        needsOperator: Bool = false,
        expires: Timestamp? = nil
    ) -> HeldSignIn {
        HeldSignIn(
            user: Self.user.id,
            credential: .random(),
            expires: expires,
            version: version,
            needsOperator: needsOperator,
            time: Self.now
        )
    }

    private func account(version: Int64 = 3, isOperator: Bool = false, isDisabled: Bool = false) -> Account {
        var account = Account(
            user: Self.user,
            isOperator: isOperator,
            isDisabled: isDisabled,
            created: Timestamp(milliseconds: 0)
        )
        account.version = version
        return account
    }

    @Test func `an equal version is good, and asks for nothing more`() {
        let refusal = held().refusal(account()) {
            Issue.record("It asked.")
            return false
        }
        #expect(refusal == nil)
    }

    @Test(arguments: [Int64(2), 4])
    func `another version is good only if the session or token is still stored`(version: Int64) {
        #expect(held().refusal(account(version: version)) { true } == nil)
        #expect(held().refusal(account(version: version)) { false }?.code == .notSignedIn)
    }

    @Test func `an account that was removed or disabled ends every right`() {
        #expect(held().refusal(nil) { true }?.code == .notSignedIn)
        #expect(held().refusal(account(isDisabled: true)) { true }?.code == .notSignedIn)
    }

    @Test func `a sign-in that has expired at the change ends the right`() {
        #expect(held(expires: Self.now).refusal(account()) { true }?.code == .notSignedIn)
        #expect(held(expires: Self.now + .seconds(1)).refusal(account()) { true } == nil)
        let later = Warrant.signIn(held(expires: Self.now + .seconds(1))).used(at: Self.now + .seconds(2))
        guard case .signIn(let used) = later else { return }
        #expect(used.refusal(account()) { true }?.code == .notSignedIn)
    }

    @Test func `an operator's change is refused to who is one no longer`() {
        let held = held(needsOperator: true)
        #expect(held.refusal(account(isOperator: true)) { true } == nil)
        #expect(held.refusal(account(version: 4)) { true }?.code == .notAllowed)
    }
}
