import Testing
import YonderJSON

@Suite struct LoggedTextTests {
    @Test(arguments: [
        ("localhost:8080", "localhost:8080"), ("a\u{1B}[2Jb", "a\\x1b[2Jb"), ("a\nb", "a\\x0ab"),
        ("ä", "\\xc3\\xa4"), ("\\x1b", "\\x5cx1b"), ("", ""),
    ])
    func `a peer's text in the log has no control character and none that can be taken for one`(
        text: String,
        logged: String
    ) {
        #expect(text.utf8.logged() == logged)
    }

    @Test func `a long text is cut, and says so`() {
        let long = String(repeating: "a", count: 30_000)
        #expect(long.utf8.logged() == String(repeating: "a", count: 64) + "...")
        #expect(long.utf8.prefix(64).logged() == String(repeating: "a", count: 64))
        #expect("abcdef".utf8.logged(atMost: 3) == "abc...")
    }
}
