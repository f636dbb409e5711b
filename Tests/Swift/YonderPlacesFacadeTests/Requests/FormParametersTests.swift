import TestSupport
import Testing

@testable import YonderPlacesFacade

struct FormParametersTests {
    private func pairs(_ form: String) throws -> [[String]] {
        try FormParameters(form.utf8).list.map { [$0.name, $0.value] }
    }

    @Test func `escapes and pluses are read, empty parts passed over`() throws {
        #expect(
            try pairs("a=1&&b=%C3%A9+%2b&c&d=&e=x=y&")
                == [["a", "1"], ["b", "é +"], ["c", ""], ["d", ""], ["e", "x=y"]]
        )
        #expect(try pairs("") == [])
    }

    @Test func `a list's brackets are left out`() throws {
        #expect(try pairs("p[]=1&p%5B%5D=2&p[3]=3") == [["p", "1"], ["p", "2"], ["p", "3"]])
    }

    @Test(arguments: [
        "a=%", "a=%1", "a=%zz", "a=%FF", "a=%C3", "%=1", "=1", "é=1", "a b=1", "a%26b=1", "a%3D=1", "p[x]=1",
    ])
    func `text other than a form is refused`(form: String) {
        #expect(throws: FacadeRefusal.self) { try FormParameters(form.utf8) }
    }

    @Test func `there are so many parameters and no more`() throws {
        let most = Array(repeating: "a=1", count: FormParameters.limit).joined(separator: "&")
        #expect(try FormParameters(most.utf8).list.count == FormParameters.limit)
        do {
            _ = try FormParameters((most + "&a=1").utf8)
            Issue.record("That was one too many.")
        } catch {
            #expect(error.status == .tooMany)
        }
    }

    @Test func `random bytes are read or refused, and nothing else happens`() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            let signs = Array("%&=+[]a0\u{0}\u{7F}~é".utf8)
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                signs.randomElement(using: &random) ?? 0
            }
            do throws(FacadeRefusal) {
                for parameter in try FormParameters(bytes).list {
                    #expect(!parameter.name.isEmpty && !parameter.name.contains { "=&[]".contains($0) })
                }
            } catch {
                #expect(error.status == .invalidRequest)
            }
        }
    }
}
