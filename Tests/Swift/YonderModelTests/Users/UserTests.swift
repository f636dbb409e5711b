import TestSupport
import Testing
import YonderModel
import YonderRules

struct UserTests {
    @Test func `an identifier is read as it is written`() {
        for seed in UInt64(0)..<1_000 {
            var random = SeededGenerator(seed: seed)
            let id = UserID.random(using: &random)
            #expect(UserID(id.description) == id && id.rawValue > 0)
        }
        #expect(UserID("0")?.rawValue == 0)
        #expect(UserID("9223372036854775807")?.rawValue == .max)
    }

    @Test(arguments: [
        "", "-1", "+1", "01", " 1", "1 ", "9223372036854775808", "99999999999999999999", "1a", "١",
    ])
    func `text other than a decimal number is no identifier`(text: String) {
        #expect(UserID(text) == nil)
    }

    @Test func `a profile is what people can read`() throws {
        try Profile(name: "Ada", email: "ada@example.org", avatar: "https://example.org/a.png").validate()
        try Profile(name: "Ada", avatar: "/a.png").validate()
        for profile in [
            Profile(name: ""), Profile(name: "  "), Profile(name: "a\nb"),
            Profile(name: String(repeating: "x", count: 101)), Profile(name: "Ada", email: "ada"),
            Profile(name: "Ada", email: "a@b@c"), Profile(name: "Ada", avatar: "//example.org/a.png"),
            Profile(name: "Ada", avatar: "/\\\\example.org/a.png"),
            Profile(name: "Ada", avatar: "javascript:alert(1)"), Profile(name: "Ada", avatar: "/a\"b"),
        ] {
            let error = #expect(throws: SharingError.self) { try profile.validate() }
            #expect(error?.code == .invalidField)
        }
    }

    @Test(arguments: [
        "\u{202A}", "\u{202E}", "\u{2066}", "\u{2068}", "\u{2069}", "\u{85}", "\u{7F}", "\u{FFFD}",
    ])
    func `a name can't change the order of the words beside it`(control: String) throws {
        for profile in [
            Profile(name: "Ada\(control)nimda"), Profile(name: "Ada", email: "a\(control)@example.org"),
        ] {
            let error = #expect(throws: SharingError.self) { try profile.validate() }
            #expect(error?.code == .invalidField)
        }
        #expect(throws: SharingError.self) { try ChatStart.check(subject: "a\(control)b") }
    }

    @Test(arguments: ["عمر", "שרה \u{200F}", "José", "👩‍👩‍👧", "名前"])
    func `names in any script are names`(name: String) throws {
        try Profile(name: name).validate()
        try ChatStart.check(subject: name)
    }

    @Test(arguments: [
        ("ada", true), ("a.b_c-1", true), ("Ada", false), ("", false), ("a b", false), ("é", false),
    ])
    func `a login is of lower-case letters, digits and three signs`(login: String, isValid: Bool) {
        #expect(Account.isValid(login: login) == isValid)
    }
}
