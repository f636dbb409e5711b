import Testing

@testable import YonderNATS

struct NATSSubjectTests {
    @Test(arguments: ["a", "y.main.c.255", "A-1_x.$b", String(repeating: "a", count: 255)])
    func `a subject has tokens parted by dots`(text: String) throws {
        let subject = try #require(NATSSubject(text))
        #expect(subject.text == text)
        #expect(!subject.isPattern)
    }

    @Test(arguments: ["*", ">", "y.*.c", "y.main.>", "*.*"])
    func `a pattern has a star or an arrow for tokens`(text: String) throws {
        #expect(try #require(NATSSubject(text)).isPattern)
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a..b", "a b", "a\tb", "a\r\nPUB b 0", "é", "a.>.b", "\u{7F}",
        String(repeating: "a", count: 256),
    ])
    func `other texts are no subject`(text: String) {
        #expect(NATSSubject(text) == nil)
    }
}
