import Testing

@testable import YonderRequests

@Suite struct SetCookieTests {
    @Test func `a cookie is its name and its value`() throws {
        let cookie = try #require(SetCookie("__Host-yonder=abc_-; Path=/; Max-Age=3600; HttpOnly; Secure"))
        #expect((cookie.name, cookie.value) == ("__Host-yonder", "abc_-"))
        #expect(SetCookie(" a = b ")?.value == "b")
        #expect(SetCookie("a=b=c")?.value == "b=c")
    }

    @Test(arguments: ["a=", "a=b; Max-Age=0", "a=b; max-age=-1; Path=/", "a=b;MAX-AGE = 0"])
    func `a cookie that is over is removed`(_ field: String) throws {
        let cookie = try #require(SetCookie(field))
        #expect(cookie.value == nil)
    }

    @Test(arguments: ["", "a", "=b", "a=b c", "ä=b", "a=\u{1}", "a=" + String(repeating: "x", count: 4_096)])
    func `anything else is no cookie`(_ field: String) {
        #expect(SetCookie(field) == nil)
    }

    @Test func `only the server's own cookies are kept, and those change`() {
        var session = Session(origin: "https://yonder.example", cookies: [:])
        session.take(
            (0..<20).map { "c\($0)=1" } + ["__Host-yonder=a", "__Host-yonder-device=d", "yonder-other=x"]
        )
        #expect(session.cookies == ["__Host-yonder": "a", "__Host-yonder-device": "d"])
        #expect(session.signIn == Session.signIn(in: "__Host-yonder-device=d; __Host-yonder=a"))
        session.take(["__Host-yonder=b", "__Host-yonder-device=; Max-Age=0"])
        #expect(session.cookies == ["__Host-yonder": "b"] && session.isSignedIn)
        session.take(["__Host-yonder=; Max-Age=0"])
        #expect(!session.isSignedIn && Session.signIn(in: nil) == nil)
        #expect("\(session) \(String(reflecting: session))".contains("=") == false)
    }
}
