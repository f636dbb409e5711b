import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct SigningKeyTests {
    @Test(arguments: ["", "a b", "é", String(repeating: "a", count: 65), "a\n", "a/b"])
    func `an id is letters, digits and two signs`(id: String) {
        #expect(SigningKey(id: id, name: "x", rights: .read, created: Timestamp(milliseconds: 0)) == nil)
    }

    @Test(arguments: ["", "a\u{7}", String(repeating: "a", count: 101)])
    func `a name is short and visible`(name: String) {
        #expect(SigningKey(id: "a", name: name, rights: .read, created: Timestamp(milliseconds: 0)) == nil)
    }

    @Test func `new ids and secrets are long, plain, and never the same`() {
        let ids = Set((0..<100).map { _ in SigningKey.randomID() })
        let secrets = Set((0..<100).map { _ in SigningSecret.random().text })
        #expect(ids.count == 100 && ids.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
        #expect(secrets.count == 100 && secrets.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test(arguments: ["", "short", "fifteen letters", "with a space in it", "beyond ASCII: ☕️☕️☕️"])
    func `a secret is long enough and visible`(text: String) {
        #expect(SigningSecret(text) == nil)
    }

    @Test func `a secret says nothing of itself where a value is printed`() {
        let secret = SigningSecret.random()
        let holder = (key: "a", secret: secret)
        var dumped = ""
        dump(holder, to: &dumped)
        let texts = ["\(secret)", String(reflecting: secret), "\(holder)", dumped]
        for text in texts { #expect(!text.contains(secret.text)) }
    }
}
