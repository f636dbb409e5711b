import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(10))) struct SubscriptionsTests {
    private static let refusal = SharingError(.notParticipant, "You left this chat.")

    private static func connected() -> Subscriptions {
        var subscriptions = Subscriptions(readerCapacity: 8)
        _ = subscriptions.connected()
        return subscriptions
    }

    private static func messages() -> MessageList { MessageList(MessageQuery(chat: Sample.chat)) }

    private static func region() -> RegionList<RegionPerson> {
        RegionList(.everywhere, limit: 10) { .people(PeopleRegionQuery(in: $0, limit: 10)) }
    }

    private static func page(_ id: Int64, topic: Int64, chats: [NamedChat] = []) -> ServerFrame {
        .chats(id: id, topic: topic, isCurrent: true, chats)
    }

    @Test func `invariant 1 of Subscriptions: readers of one query share it, and those of a region don't`() {
        var subscriptions = Self.connected()
        let first = subscriptions.open(ChatList())
        #expect(first.frames == [.subscribe(id: 1, query: .chats(limit: 1_000))])
        let second = subscriptions.open(ChatList())
        #expect(second.frames.isEmpty)
        #expect(second.feed === first.feed)
        let one = subscriptions.openAlone(Self.region())
        let other = subscriptions.openAlone(Self.region())
        #expect(one.feed !== other.feed)
        #expect([one.id, other.id] == [2, 3])
    }

    @Test func `invariant 2 of Subscriptions: each connection is sent all of them, in their order`() {
        var subscriptions = Subscriptions(readerCapacity: 8)
        #expect(subscriptions.open(ChatList()).frames.isEmpty)
        #expect(subscriptions.hold(WorldList()).isEmpty)
        #expect(subscriptions.open(ContactList()).frames.isEmpty)
        let queries: [ClientFrame] = [
            .subscribe(id: 1, query: .chats(limit: 1_000)), .subscribe(id: 2, query: .world),
            .subscribe(id: 3, query: .contacts),
        ]
        #expect(subscriptions.connected() == queries)
        subscriptions.disconnected()
        #expect(subscriptions.resubscribe(1).isEmpty)
        #expect(subscriptions.connected() == queries)
        #expect(subscriptions.resubscribe(3) == [queries[2]])
    }

    @Test func `invariant 3 of Subscriptions: the last reader ends it, with a frame if it is connected`() {
        var subscriptions = Self.connected()
        let opened = subscriptions.open(ChatList())
        var updates: LiveUpdates<[NamedChat], ChatChange>? = opened.feed.addReader {}
        #expect(updates != nil)
        #expect(subscriptions.release(opened.id).isEmpty)
        updates = nil
        #expect(subscriptions.release(opened.id) == [.unsubscribe(id: opened.id)])
        #expect(subscriptions.release(opened.id).isEmpty)

        let again = subscriptions.open(ChatList())
        #expect(again.id != opened.id)
        subscriptions.disconnected()
        #expect(subscriptions.release(again.id).isEmpty)
        #expect(subscriptions.connected().isEmpty)
    }

    @Test func `invariant 3 of Subscriptions: a held one lasts without a reader until it is let go`() {
        var subscriptions = Self.connected()
        #expect(subscriptions.hold(WorldList()) == [.subscribe(id: 1, query: .world)])
        #expect(subscriptions.hold(WorldList()).isEmpty)
        #expect(subscriptions.release(1).isEmpty)
        let updates = subscriptions.open(WorldList()).feed.addReader {}
        #expect(subscriptions.letGo(.world).isEmpty)
        withExtendedLifetime(updates) {}
        #expect(subscriptions.letGo(.world).isEmpty)
        #expect(subscriptions.hold(WorldList()).isEmpty)
    }

    @Test func `invariant 4 of Subscriptions: a change reaches the subscription that has its topic now`()
        async throws
    {
        var subscriptions = Self.connected()
        let chats = subscriptions.open(ChatList())
        let contacts = subscriptions.open(ContactList())
        var reader = chats.feed.addReader {}.makeAsyncIterator()
        #expect(subscriptions.answered(chats.id, topic: 7, Self.page(chats.id, topic: 7)).isEmpty)
        #expect(try await reader.next() == .list([]))
        subscriptions.changed(topic: 7, .chatLeft(topic: 7, Sample.chat))
        #expect(try await reader.next() == .change(.left(Sample.chat)))

        subscriptions.disconnected()
        _ = subscriptions.connected()
        let answer = ServerFrame.contacts(id: contacts.id, topic: 7, isCurrent: true, [])
        _ = subscriptions.answered(contacts.id, topic: 7, answer)
        subscriptions.changed(topic: 7, .chatLeft(topic: 7, Sample.identifier(78)))
        _ = subscriptions.answered(chats.id, topic: 8, Self.page(chats.id, topic: 8))
        #expect(try await reader.next() == .list([]))
    }

    @Test func `a subscription refused for load is sent again later, and another refusal ends it`()
        async throws
    {
        var subscriptions = Self.connected()
        let opened = subscriptions.open(Self.messages())
        var reader = opened.feed.addReader {}.makeAsyncIterator()
        let busy = SharingError(.tooManyRequests, "Too fast.", retryAfter: .seconds(3))
        #expect(subscriptions.refused(opened.id, busy) == .later(.seconds(3)))
        #expect(subscriptions.resubscribe(opened.id).count == 1)
        #expect(subscriptions.refused(opened.id, Self.refusal) == .ended)
        #expect(await #expect(throws: SharingError.self) { try await reader.next() } == Self.refusal)
        #expect(subscriptions.refused(opened.id, Self.refusal) == .unknown)
        #expect(subscriptions.resubscribe(opened.id).isEmpty)
    }

    @Test func `the end of the client ends every subscription, and a query can be opened anew`() async throws
    {
        var subscriptions = Self.connected()
        var reader = subscriptions.open(ChatList()).feed.addReader {}.makeAsyncIterator()
        _ = subscriptions.hold(WorldList())
        subscriptions.end(Self.refusal)
        #expect(await #expect(throws: SharingError.self) { try await reader.next() } == Self.refusal)
        #expect(subscriptions.connected().isEmpty)
        #expect(subscriptions.hold(WorldList()) == [.subscribe(id: 3, query: .world)])
    }
}
