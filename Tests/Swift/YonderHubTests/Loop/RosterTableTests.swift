import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderHub

@Suite struct RosterTableTests {
    private func chat(_ number: Int64) throws -> Chat {
        let (id, ada) = (try #require(ChatID(number)), try #require(UserID(1)))
        let wish = ChatStart(creator: ada, invitees: [try #require(UserID(number + 1))])
        return try ChatRules.start(wish, id: id, at: Timestamp(milliseconds: 0))
    }

    @Test func `a chat that is held stays known, however many others come after it`() throws {
        var table = RosterTable(limit: 10)
        let held = Set(try (1...30).map { try chat($0).id })
        table.isHeld = { held.contains($0) }
        for number in Int64(1)...1_000 { table.insert(try chat(number)) }
        for id in held { #expect(table.isPresent(try #require(UserID(1)), in: id) == true) }
        #expect(Array(table.chats).count <= held.count + 15, "those that nothing holds are bounded")
        table.isHeld = { _ in false }
        for number in Int64(1_001)...1_100 { table.insert(try chat(number)) }
        #expect(Array(table.chats).count <= 15)
    }

    @Test func `of chats that nothing holds, those used least recently go first`() throws {
        var table = RosterTable(limit: 10)
        for number in Int64(1)...10 { table.insert(try chat(number)) }
        _ = table.people(in: try chat(1).id)
        for number in Int64(11)...12 { table.insert(try chat(number)) }
        let ada = try #require(UserID(1))
        let known = try [1, 2, 12].map { table.isPresent(ada, in: try chat($0).id) }
        #expect(known == [true, nil, true])
    }
}
