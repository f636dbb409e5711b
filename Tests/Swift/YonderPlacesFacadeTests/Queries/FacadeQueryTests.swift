import HTTPTypes
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderPlacesFacade

struct FacadeQueryTests {
    private let entity = Entity(
        ObjectSamples.places,
        created: ObjectSamples.time,
        updated: ObjectSamples.time
    )
    private let rating = ObjectKey.field(ObjectSamples.field("rating"))
    private let name = ObjectKey.field(ObjectSamples.field("name"))
    private let near = ObjectKey.field(ObjectSamples.field("near"))

    private func query(_ text: String, _ params: String...) throws -> FacadeQuery {
        try FacadeQuery(text, params, in: entity)
    }

    private func is_(_ number: Double) -> ObjectCriteria { .where(rating, .equals(.number(number))) }

    @Test(arguments: ["", "   ", "\n"])
    func `an empty query asks for everything`(text: String) throws {
        let query = try query(text)
        #expect(query.criteria == .all && query.order == nil)
    }

    @Test func `each operator is what it says`() throws {
        let four = FieldValue.number(4)
        #expect(try query("where rating = ?", "4").criteria == .where(rating, .equals(four)))
        #expect(try query("where rating<?", "4").criteria == .where(rating, .less(four)))
        #expect(try query("where rating<=?", "4").criteria == .where(rating, .atMost(four)))
        #expect(try query(" WHERE rating>? ", "4").criteria == .where(rating, .greater(four)))
        #expect(try query("where rating >=?", "4").criteria == .where(rating, .atLeast(four)))
        let other = FieldValue.reference(ObjectSamples.id(7))
        #expect(try query("where near is ?", "place/7").criteria == .where(near, .equals(other)))
        #expect(try query("where near is not ?", "7").criteria == !.where(near, .equals(other)))
        #expect(try query("where this = ?", "7").criteria == .where(.id, .equals(other)))
        #expect(
            try query("where name like ?", " old  café ").criteria
                == (.where(name, .contains("old")) || .where(name, .contains("café")))
        )
        #expect(try query("where rating in ?", "1\n2").criteria == (is_(1) || is_(2)))
        #expect(try query("where rating not in ?", "1\n2").criteria == !(is_(1) || is_(2)))
        let time = FieldValue.date(Timestamp(milliseconds: 5))
        #expect(try query("where created_at > ?", "5").criteria == .where(.created, .greater(time)))
        #expect(try query("where updated_at < ?", "5").criteria == .where(.updated, .less(time)))
    }

    @Test func `and and or bind from right to left, and as parentheses say`() throws {
        let text = "where rating=? and rating=? or rating=?"
        #expect(try query(text, "1", "2", "3").criteria == (is_(1) && (is_(2) || is_(3))))
        let grouped = "where (rating=? and rating=?) or rating=?"
        #expect(try query(grouped, "1", "2", "3").criteria == ((is_(1) && is_(2)) || is_(3)))
        let nested = "where ((rating=?) or (rating=? and (rating=?)))"
        #expect(try query(nested, "1", "2", "3").criteria == (is_(1) || (is_(2) && is_(3))))
    }

    @Test func `an order goes up unless it says down`() throws {
        #expect(try query("sort by rating").order == ObjectOrder([.init(rating)]))
        #expect(try query("sort by rating asc").order == ObjectOrder([.init(rating)]))
        #expect(try query("sort by rating desc").order == ObjectOrder([.init(rating, isDescending: true)]))
        let both = try query("where rating=? sort by created_at desc", "1")
        #expect(both.criteria == is_(1) && both.order == ObjectOrder([.init(.created, isDescending: true)]))
    }

    @Test(arguments: [
        ("where", "InvalidQuery"), ("where rating", "InvalidQuery"), ("where rating=", "InvalidQuery"),
        ("where rating=4", "InvalidQuery"), ("where =?", "InvalidQuery"), ("rating=?", "InvalidQuery"),
        ("where rating=? and", "InvalidQuery"), ("where (rating=?", "InvalidQuery"),
        ("where rating=?)", "InvalidQuery"), ("where rating==?", "InvalidQuery"),
        ("where rating=? xor rating=?", "InvalidQuery"), ("where rating=?; drop", "InvalidQuery"),
        ("where rating='4'", "InvalidQuery"), ("where rating is is ?", "InvalidQuery"),
        ("where rating not ?", "InvalidQuery"), ("sort", "InvalidQuery"), ("sort by", "InvalidQuery"),
        ("sort by rating sideways", "InvalidQuery"), ("sort by rating, name", "InvalidQuery"),
        ("where réting=?", "InvalidQuery"), ("where nothing=?", "FieldNotFound"),
        ("sort by nothing", "FieldNotFound"), ("where created=?", "FieldNotFound"),
        ("where more=?", "InvalidField"), ("where at=?", "InvalidField"), ("sort by at", "InvalidField"),
        ("where rating like ?", "InvalidField"),
        ("where near has ?", "UnsupportedQuery"), ("where near.name=?", "UnsupportedQuery"),
        ("where this in ?.near", "UnsupportedQuery"), ("join near", "UnsupportedQuery"),
        ("where name=? join last 5 near having rating > ?", "UnsupportedQuery"),
    ])
    func `an unsupported part of a query is refused by name`(text: String, status: String) {
        expect(status, text, text.filter { $0 == "?" }.map { _ in "4" })
    }

    @Test func `there is a value for each question mark, and none more`() {
        expect("InvalidQuery", "where rating=? and rating=?", ["1"])
        expect("InvalidQuery", "where rating=?", ["1", "2"])
        expect("InvalidQuery", "", ["1"])
    }

    @Test func `a query has its limits`() throws {
        let chain = { (count: Int) in
            "where " + Array(repeating: "rating=?", count: count).joined(separator: " and ")
        }
        let ones = { Array(repeating: "1", count: $0) }
        _ = try FacadeQuery(chain(32), ones(32), in: entity)
        expect("TooMany", chain(33), ones(33))
        expect("TooMany", "where " + String(repeating: "(", count: 2_000), [])
        expect("TooLarge", String(repeating: " ", count: 4_097), [])
        let lines = Array(repeating: "1", count: 101)
        _ = try FacadeQuery("where rating in ?", [lines.dropFirst().joined(separator: "\n")], in: entity)
        expect("TooMany", "where rating in ?", [lines.joined(separator: "\n")])
        expect("TooMany", "where name like ?", [lines.joined(separator: " ")])
        expect("InvalidQuery", "where name like ?", [" "])
    }

    @Test func `the values and words of all constraints count together`() throws {
        let half = Array(repeating: "1", count: 50)
        let (values, words) = (half.joined(separator: "\n"), half.joined(separator: " "))
        let both = "where rating not in ? or name like ?"
        _ = try FacadeQuery(both, [values, words], in: entity)
        expect("TooMany", both, [values, words + " 1"])
        expect("TooMany", both + " and rating in ?", [values, words, "1"])
    }

    @Test func `random words are read or refused, and nothing else happens`() {
        let words = [
            "where", "sort", "by", "rating", "name", "=", "<=", "?", "(", ")", "and", "or", "not", "in", "is",
            "like", "join", ".", ",", "5", "desc", "this",
        ]
        for seed in UInt64(0)..<3_000 {
            var random = SeededGenerator(seed: seed)
            let text = (0..<Int.random(in: 0..<15, using: &random))
                .map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
            do throws(FacadeRefusal) {
                _ = try FacadeQuery(text, [], in: entity)
            } catch {
                #expect(error.status.code.code == 400)
            }
        }
    }

    private func expect(
        _ status: String,
        _ text: String,
        _ params: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do throws(FacadeRefusal) {
            _ = try FacadeQuery(text, params, in: entity)
            Issue.record("\(text) was taken.", sourceLocation: sourceLocation)
        } catch {
            #expect(error.status.name == status, sourceLocation: sourceLocation)
        }
    }
}
