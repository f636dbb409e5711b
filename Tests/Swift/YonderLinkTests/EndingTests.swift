import Foundation
import Testing
import YonderLink
import YonderModel

/// How a stream ends, and what page and SDK make of it: `Tests/Fixtures/endings/endings.json`, which `Tests/Web/endings.test.js` reads, too.
@Suite struct EndingTests {
    /// An ending, and what comes of it.
    struct Ending: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let close: Close?
        let session: Answer?
        let signedIn: Bool
        let again: Bool

        var testDescription: String { name }
    }

    /// The code and the reason of a close frame.
    struct Close: Decodable, Sendable {
        let code: UInt16
        let reason: String

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            code = try parts.decode(UInt16.self)
            reason = try parts.decode(String.self)
        }
    }

    /// The server's answer to `GET /v1/session`.
    struct Answer: Decodable, Sendable {
        let status: Int
        let body: [UInt8]

        private enum Key: CodingKey { case status, body }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            status = try fields.decode(Int.self, forKey: .status)
            if let text = try? fields.decode(String.self, forKey: .body) {
                body = Array(text.utf8)
            } else {
                body = Array(try JSONEncoder().encode(fields.decode(AnyJSON.self, forKey: .body)))
            }
        }
    }

    private struct Fixture: Decodable {
        let endings: [Ending]
    }

    private static let endings: [Ending] = {
        let file = URL(filePath: #filePath).appending(path: "../../../Fixtures/endings/endings.json")
            .standardized
        guard let bytes = try? Data(contentsOf: file) else { return [] }
        return (try? JSONDecoder().decode(Fixture.self, from: bytes))?.endings ?? []
    }()

    @Test func `the fixture has every ending`() { #expect(Self.endings.count == 16) }

    @Test(arguments: endings) func `page and SDK agree how a stream ends`(_ ending: Ending) {
        let cookie = [LinkHeader("Cookie", "__Host-yonder=x")]
        let closure: LinkClosure =
            if let close = ending.close {
                LinkClosure(code: close.code, reason: close.reason)
            } else if let answer = ending.session {
                LinkClosure(refusedAs: LinkAnswer(status: answer.status, body: answer.body), for: cookie)
            } else {
                .lost("Nothing answers.")
            }
        switch closure {
        case .lost, .later: #expect(ending.again && ending.signedIn)
        case .refused(let error): #expect(!ending.again && error.code == .notSignedIn && !ending.signedIn)
        }
    }
}

/// Any value of JSON.
private enum AnyJSON: Codable {
    case object([String: AnyJSON])
    case text(String)
    case number(Double)
    case flag(Bool)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            self = .object(try value.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        }
    }
}
