import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct SubscriptionsTests {
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
        #expect(subscriptions.connected() == queries)
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
        #expect(subscriptions.changed(topic: 7, .chatLeft(topic: 7, Sample.chat)).isEmpty)
        #expect(try await reader.next() == .change(.left(Sample.chat)))

        subscriptions.disconnected()
        _ = subscriptions.connected()
        let answer = ServerFrame.contacts(id: contacts.id, topic: 7, isCurrent: true, [])
        _ = subscriptions.answered(contacts.id, topic: 7, answer)
        _ = subscriptions.changed(topic: 7, .chatLeft(topic: 7, Sample.identifier(78)))
        _ = subscriptions.answered(chats.id, topic: 8, Self.page(chats.id, topic: 8))
        #expect(try await reader.next() == .list([]))
    }

    @Test func `invariant 5 of Subscriptions: a new connection ends the waits of the one before`() throws {
        var subscriptions = Self.connected()
        let opened = subscriptions.open(ChatList())
        let busy = SharingError(.unavailable, "Stopping.", retryAfter: .seconds(2))
        guard case .later(let wait, .seconds(2)) = subscriptions.refused(opened.id, busy) else {
            Issue.record("It doesn't wait.")
            return
        }
        subscriptions.disconnected()
        #expect(subscriptions.connected() == [.subscribe(id: opened.id, query: .chats(limit: 1_000))])
        #expect(subscriptions.resubscribe(wait).isEmpty)
        guard case .later(let next, _) = subscriptions.refused(opened.id, busy) else {
            Issue.record("It doesn't wait.")
            return
        }
        #expect(subscriptions.resubscribe(wait).isEmpty)
        #expect(subscriptions.resubscribe(next).count == 1)
        #expect(subscriptions.resubscribe(next).isEmpty)
    }

    @Test func `one that waits is ended without a frame, and what was refused to it before doesn't end it`() {
        var subscriptions = Self.connected()
        let opened = subscriptions.open(ChatList())
        var updates: LiveUpdates<[NamedChat], ChatChange>? = opened.feed.addReader {}
        #expect(updates != nil)
        _ = subscriptions.refused(opened.id, SharingError(.unavailable, "Stopping."))
        #expect(subscriptions.refused(opened.id, Self.refusal) == .unknown)
        updates = nil
        #expect(subscriptions.release(opened.id).isEmpty)
    }

    @Test func `a final code ends a subscription, begun or not, and after any other it is sent again`()
        async throws
    {
        let final = try FinalCodes.fixture()
        #expect(Set(SharingError.finalCodes.map(\.rawValue)) == final)
        for code in final.union(["unavailable", "internalError", "tooMany", "aCodeOfANewerServer"]) {
            for isBegun in [false, true] {
                var subscriptions = Self.connected()
                let opened = subscriptions.open(ChatList())
                var reader = opened.feed.addReader {}.makeAsyncIterator()
                if isBegun { _ = subscriptions.answered(opened.id, topic: 7, Self.page(opened.id, topic: 7)) }
                if isBegun { #expect(try await reader.next() == .list([])) }
                let error = SharingError(SharingError.Code(code), "No.")
                switch subscriptions.refused(opened.id, error) {
                case .unknown: Issue.record("\(code)")
                case .ended:
                    #expect(final.contains(code))
                    #expect(await #expect(throws: SharingError.self) { try await reader.next() } == error)
                case .later(let wait, let time):
                    #expect(!final.contains(code))
                    #expect(time >= Duration.seconds(1) && time <= Duration.seconds(2))
                    #expect(subscriptions.changed(topic: 7, .chatLeft(topic: 7, Sample.chat)).isEmpty)
                    #expect(subscriptions.resubscribe(wait).count == 1)
                }
            }
        }
    }

    @Test func `a wait without a time doubles with each refusal, and begins anew after an answer`() {
        var subscriptions = Self.connected()
        let opened = subscriptions.open(ChatList())
        func refuse() -> Duration {
            guard
                case .later(let wait, let time) = subscriptions.refused(
                    opened.id,
                    SharingError(.unavailable, "")
                )
            else { return .zero }
            _ = subscriptions.resubscribe(wait)
            return time
        }
        for seconds in [1, 2, 4, 8, 15, 15] {
            let time = refuse()
            #expect(time >= Duration.seconds(seconds) && time <= Duration.seconds(2 * seconds))
        }
        _ = subscriptions.answered(opened.id, topic: 1, Self.page(opened.id, topic: 1))
        #expect(refuse() <= .seconds(2))
    }

    @Test func `after the newest position was recalled the newest ones are asked for anew`() {
        var subscriptions = Self.connected()
        let query = MessageQuery(chat: Sample.chat, tag: .location, latest: true)
        let opened = subscriptions.open(MessageList(query))
        func page(_ numbers: [Int64], through: Int64) -> ServerFrame {
            let messages = numbers.map { Sample.message($0, tag: .location) }
            let frame = MessagesFrame(
                id: opened.id,
                topic: 7,
                first: 1,
                through: through,
                isCurrent: true,
                messages: messages
            )
            return .messages(frame)
        }
        let again: [ClientFrame] = [
            .unsubscribe(id: opened.id), .subscribe(id: opened.id, query: .messages(query)),
        ]
        #expect(subscriptions.answered(opened.id, topic: 7, page([5], through: 6)).isEmpty)
        let recall = Sample.message(7, tag: .recall, data: .recall(of: 5))
        #expect(subscriptions.changed(topic: 7, .message(topic: 7, recall)) == again)
        // What the server sent before it took the end is let go.
        #expect(subscriptions.answered(opened.id, topic: 7, page([5], through: 6)).isEmpty)
        #expect(opened.feed.update { $0.snapshot.isEmpty })
        subscriptions.unsubscribed(opened.id)
        #expect(subscriptions.answered(opened.id, topic: 8, page([4], through: 7)).isEmpty)
        #expect(opened.feed.update { $0.snapshot.map(\.number) } == [4])
        subscriptions.disconnected()
        _ = subscriptions.connected()
        let later = Sample.message(8, tag: .recall, data: .recall(of: 4))
        let missed = MessagesFrame(
            id: opened.id,
            topic: 9,
            first: 1,
            through: 8,
            isCurrent: true,
            messages: [later]
        )
        #expect(subscriptions.answered(opened.id, topic: 9, .messages(missed)) == again)
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
