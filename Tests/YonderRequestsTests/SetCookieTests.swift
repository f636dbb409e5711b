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

    @Test func `at most eight cookies are kept, and those that are known change`() {
        var session = Session(origin: "https://yonder.example", cookies: [:])
        session.take((0..<20).map { "c\($0)=1" })
        #expect(session.cookies.count == 8)
        session.take(["c0=2", "c1=; Max-Age=0"])
        #expect(session.cookies["c0"] == "2")
        #expect(session.cookies["c1"] == nil)
        #expect("\(session) \(String(reflecting: session))".contains("=") == false)
    }
}
