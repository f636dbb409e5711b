import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct ContactListTests {
    private func user(_ id: Int64, _ name: String) throws -> User {
        User(id: try #require(UserID(id)), name: name, hue: 100)
    }

    @Test func `contacts are pending until the last page, then current and by name`() throws {
        let (ada, bea, cleo) = (try user(3, "Ada"), try user(2, "Bea"), try user(1, "Cleo"))
        var list = ContactList()
        #expect(list.apply(.contacts(id: 1, topic: 5, isCurrent: false, [cleo])) == .nothing)
        #expect(list.apply(.contact(topic: 5, bea)) == .nothing)
        #expect(list.apply(.contacts(id: 1, topic: 5, isCurrent: true, [ada])) == .list)
        #expect(list.snapshot == [ada, bea, cleo])
    }

    @Test func `a contact that is new, renamed or gone is a change, and keeps the list by name`() throws {
        let (ada, bea) = (try user(3, "Ada"), try user(2, "Bea"))
        var list = ContactList()
        _ = list.apply(.contacts(id: 1, topic: 5, isCurrent: true, [bea]))
        #expect(list.apply(.contact(topic: 5, ada)) == .changes([.changed(ada)]))
        #expect(list.snapshot == [ada, bea])
        var renamed = ada
        renamed.name = "Zoë"
        #expect(list.apply(.contact(topic: 5, renamed)) == .changes([.changed(renamed)]))
        #expect(list.snapshot == [bea, renamed])
        #expect(list.apply(.contactGone(topic: 5, bea.id)) == .changes([.removed(bea.id)]))
        #expect(list.snapshot == [renamed])
    }

    @Test func `the answer after a cut takes the place of what was known before`() throws {
        let (ada, bea) = (try user(3, "Ada"), try user(2, "Bea"))
        var list = ContactList()
        _ = list.apply(.contacts(id: 1, topic: 5, isCurrent: true, [ada]))
        list.reopen()
        #expect(!list.isCurrent && list.snapshot == [ada])
        #expect(list.apply(.contacts(id: 2, topic: 6, isCurrent: true, [bea])) == .list)
        #expect(list.snapshot == [bea])
    }
}
