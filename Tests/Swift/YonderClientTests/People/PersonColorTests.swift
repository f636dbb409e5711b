import Foundation
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderClient

/// The page passes the same fixture.
@Suite struct PersonColorTests {
    @Test func `each hue that is given has the shade of the fixture`() throws {
        let shades = try ColorFixture.all.shades
        #expect(shades.count == Hue.given.count)
        for (hue, shade) in shades { #expect(PersonColor(hue: try #require(Int(hue))).hex == shade) }
    }

    @Test func `a stranger has the hue of the id`() throws {
        for (id, hue) in try ColorFixture.all.strangers {
            #expect(PersonColor(ofStranger: id).hue == hue, "\(id)")
        }
    }

    @Test func `the people of each view have the hues of the fixture`() throws {
        for view in try ColorFixture.all.views {
            for person in view.people {
                #expect(
                    PersonColor(id: person.id, hue: person.hue).hue == view.hues[person.id],
                    "\(view.title)"
                )
            }
        }
    }

    @Test func `a person has one color, in a chat and in any list`()
        throws
    {
        for view in try ColorFixture.all.views {
            let users = view.people.compactMap { person in
                Int64(person.id).flatMap(UserID.init).map { User(id: $0, name: "N", hue: person.hue) }
            }
            guard users.count == view.hues.count else { continue }
            let chat = Chat(
                id: .random(),
                isOneToOne: false,
                subject: "",
                participants: users.map { Participant(user: $0.id, role: .member, color: 0, spans: []) },
                created: Timestamp(milliseconds: 0)
            )
            let named = NamedChat(chat, users: Dictionary(uniqueKeysWithValues: users.map { ($0.id, $0) }))
            #expect(named.colors.hues == view.hues, "\(view.title)")
            #expect(PersonColor.inView(users).hues == view.hues, "\(view.title)")
        }
    }

    @Test func `a color's parts are those of its code`() {
        let color = PersonColor(hue: 200)
        let parts = [color.red, color.green, color.blue].map { Int(($0 * 255).rounded()) }
        #expect(color.hex == "#" + parts.map { String(format: "%02x", $0) }.joined())
        #expect(PersonColor(of: User(id: .random(), name: "N", hue: 200)) == color)
    }
}

extension [UserID: PersonColor] {
    fileprivate var hues: [String: Int] {
        var hues: [String: Int] = [:]
        for (user, color) in self { hues[user.description] = color.hue }
        return hues
    }
}

/// The file `Tests/Fixtures/colors/colors.json`.
private struct ColorFixture: Decodable {
    struct View: Decodable {
        var title: String
        var people: [Person]
        var hues: [String: Int]
    }

    struct Person: Decodable {
        var id: String
        var hue: Int?
    }

    var shades: [String: String]
    var strangers: [String: Int]
    var views: [View]

    static var all: ColorFixture {
        get throws {
            let file = URL(filePath: #filePath).appending(path: "../../../../Fixtures/colors/colors.json")
                .standardized
            return try JSONDecoder().decode(ColorFixture.self, from: Data(contentsOf: file))
        }
    }
}
