import Testing
import YonderGeodesy
import YonderModel
import YonderWorld

@testable import YonderHub

@Suite struct SubscriptionTableTests {
    /// A viewer of the world that is sent nothing.
    private final class Listener: WorldListener {
        let worldForm = WorldForm.events
        let isWritable = true
        let worldAllowance = WorldAllowance()

        func deliver(_ delivery: WorldDelivery) {}

        func flush() {}
    }

    private func member() throws -> WorldMember {
        try WorldRoom(settings: WorldSettings(), topic: 1).enter(Listener(), isMember: false)
    }

    private func code(_ table: SubscriptionTable, _ id: Int64) -> SharingError.Code? {
        do throws(SharingError) {
            try table.check(id)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `invariant 1 of SubscriptionTable: an id has one subscription, and a session so many`() throws
    {
        var table = SubscriptionTable(limit: 2)
        table.insert(.world(try member()), as: 7)
        #expect(code(table, 7) == .duplicateSubscription && code(table, 8) == nil)
        table.insert(.world(try member()), as: 8)
        #expect(code(table, 9) == .tooMany && code(table, 8) == .duplicateSubscription)
        #expect(table.remove(7) != nil && table.remove(7) == nil)
        #expect(code(table, 7) == nil)
    }

    @Test func `invariant 3 of SubscriptionTable: the pin is there as long as the subscription to the world`()
        throws
    {
        var table = SubscriptionTable(limit: 9)
        let member = try member()
        table.insert(.world(member), as: 1)
        #expect(table.pin === member)
        _ = table.remove(2)
        #expect(table.pin === member)
        _ = table.remove(1)
        #expect(table.pin == nil)
    }

    @Test
    func `invariant 2 of SubscriptionTable: those that fell behind are returned once, without removed ones`()
        throws
    {
        var table = SubscriptionTable(limit: 9)
        for id: Int64 in [5, 3, 4] { table.insert(.world(try member()), as: id) }
        for id: Int64 in [5, 4, 3, 5, 6] { table.fellBehind(id) }
        _ = table.remove(4)
        let behind = [table.takeBehind(), table.takeBehind()]
        #expect(behind == [[3, 5], []])
    }

    @Test func `after all were taken it is empty`() throws {
        var table = SubscriptionTable(limit: 9)
        table.insert(.world(try member()), as: 1)
        table.fellBehind(1)
        #expect(table.takeAll().count == 1)
        #expect(table.count == 0 && table.pin == nil && table.takeBehind().isEmpty)
    }
}
