import YonderGeodesy
import YonderModel

@testable import YonderWire

/// One of each frame, and some with all that they may have.
enum StreamSamples {
    static let chatID = identifier(77) as ChatID
    static let ada = identifier(1234) as UserID
    static let bea = identifier(Int64.max) as UserID
    static let time = Timestamp(milliseconds: 1_764_000_000_000)

    static func identifier<Subject>(_ number: Int64) -> Identifier<Subject> {
        guard let identifier = Identifier<Subject>(number) else { fatalError("\(number) is negative") }
        return identifier
    }

    static func position(_ text: String) -> WorldPosition {
        guard let position = WorldPosition(text) else { fatalError("\(text) is no position") }
        return position
    }

    static let data = MessageData(
        checked: [UInt8](#"{"latitude":"59.913900","longitude":"10.752200", "x":[null,"é\\\n"]}"#.utf8)
    )

    /// All above 0, as who stopped there asks for it.
    static let unlimited: MessageQuery = {
        var query = MessageQuery(chat: chatID)
        query.limit = MessageQuery.unlimited
        return query
    }()

    static func name<Subject>(_ name: String) -> SchemaName<Subject> {
        guard let name = SchemaName<Subject>(name) else { fatalError("\(name) is no name") }
        return name
    }

    static func region(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> Region {
        guard let region = Region(west: west, south: south, east: east, north: north) else {
            fatalError("no region")
        }
        return region
    }

    static func coordinate(_ latitude: Int32, _ longitude: Int32) -> Coordinate.Rounded {
        guard let coordinate = Coordinate.Rounded(latitude: latitude, longitude: longitude) else {
            fatalError("no coordinate")
        }
        return coordinate
    }

    static let clientFrames: [ClientFrame] = [
        .subscribe(id: 1, query: .chats(limit: 1_000)), .subscribe(id: 1, query: .chats(limit: 7)),
        .subscribe(id: 2, query: .world),
        .subscribe(id: 12, query: .contacts),
        .subscribe(id: 3, query: .presence(chatID)),
        .subscribe(id: 4, query: .messages(MessageQuery(chat: chatID))),
        .subscribe(
            id: ClientFrame.ids.upperBound,
            query: .messages(
                MessageQuery(
                    chat: chatID,
                    tag: .location,
                    sender: bea,
                    since: 41,
                    from: time,
                    to: Timestamp(milliseconds: -5),
                    latest: true,
                    limit: 10_000
                )
            )
        ),
        .subscribe(id: 6, query: .messages(unlimited)),
        .subscribe(id: 7, query: .messages(MessageQuery(chat: chatID, since: 41))),
        .unsubscribe(id: 4),
        .send(
            SendFrame(key: "k1", chat: chatID, draft: MessageDraft(tag: .text, content: "hi \"you\"\u{1}\n"))
        ),
        .send(
            SendFrame(
                key: "ключ",
                chat: chatID,
                draft: MessageDraft(tag: .location, data: data, expires: time),
                keep: false
            )
        ),
        .recall(key: "k2", chat: chatID, number: 57),
        .subject(key: "k3", chat: chatID, subject: "Sunday walk"),
        .lockSubject(key: "k3", chat: chatID, isLocked: true),
        .lockSubject(key: "k3", chat: chatID, isLocked: false),
        .keepPositions(key: "k3", chat: chatID, .day),
        .add(key: "k4", chat: chatID, users: [ada, bea]),
        .leave(key: "k5", chat: chatID), .leave(key: "k5", chat: chatID, stayOut: true),
        .remove(key: "k8", chat: chatID, user: bea),
        .owner(key: "k9", chat: chatID, user: ada),
        .read(chat: chatID, number: 0),
        .read(chat: chatID, number: .max),
        .start(key: "k6", invitees: [ada], subject: "Sunday walk", isOneToOne: false),
        .start(key: "k7", invitees: [], subject: "", isOneToOne: true),
        .pin(at: position("59.9139,10.7522")),
        .pin(at: position("59.9139,10.7522"), until: time),
        .subscribe(id: 8, query: .objects(ObjectRegionQuery(cafe, in: berlin))),
        .subscribe(id: 9, query: .objects(ObjectRegionQuery(cafe, field: at, in: fiji, limit: 0))),
        .subscribe(id: 10, query: .people(PeopleRegionQuery(in: .everywhere))),
        .subscribe(id: 11, query: .people(PeopleRegionQuery(in: fiji, limit: 1_000))),
        .move(id: 8, step: 1, region: fiji),
        .move(id: 8, step: ClientFrame.steps.upperBound, region: berlin),
        .subscribe(id: 12, query: .freshness(chatID, isPartial: true)),
        .subscribe(id: 13, query: .shares),
        .startShare(key: "k8", chat: chatID, ShareWish()),
        .startShare(
            key: "k9",
            chat: chatID,
            ShareWish(
                until: time,
                arrival: Arrival(coordinate: Coordinate(coordinate(525_200_066, 134_049_541))),
                keeping: .expiring,
                showsBattery: false
            )
        ),
        .changeShare(key: "k10", chat: chatID, identifier(5), ShareEdit(until: .some(nil), keeping: .kept)),
        .changeShare(key: "k11", chat: chatID, identifier(5), ShareEdit(until: time, showsBattery: true)),
        .stopShare(key: "k12", chat: chatID, identifier(5)),
        .stopShares(key: "k13"),
        .stopShares(
            key: "k14",
            ShareStop(chat: chatID, share: identifier(5), before: time)
        ),
        .heartbeat(chat: chatID, share: nil, beat),
        .heartbeat(chat: chatID, share: identifier(5), fixBeat),
        .ask(key: "k14", chat: chatID, user: bea),
        .ping,
    ]

    static let beat = heartbeat(ShareHeartbeat(isPaused: true))
    static let fixBeat = heartbeat(
        ShareHeartbeat(
            fix: ShareHeartbeat.Fix(
                time: time,
                accuracy: Distance(meters: 12.5),
                coordinate: Coordinate(coordinate(525_200_066, 134_049_541))
            ),
            battery: 0.25,
            isCharging: false
        )
    )

    private static func heartbeat(_ heartbeat: ShareHeartbeat?) -> ShareHeartbeat {
        guard let heartbeat else { fatalError("no heartbeat") }
        return heartbeat
    }

    static let shown = ShownShare(
        Share(
            id: identifier(5),
            chat: chatID,
            user: ada,
            started: time,
            until: time + .seconds(900),
            arrival: Arrival(coordinate: Coordinate(coordinate(525_200_066, 134_049_541))),
            keeping: .expiring
        ),
        Freshness(
            state: .live,
            asOf: time,
            since: time,
            gap: .seconds(15),
            battery: 0.5,
            isCharging: true,
            changes: [
                Freshness.Change(time: time + .seconds(30), state: .slow),
                Freshness.Change(time: time + .seconds(900), state: .ended),
            ]
        )
    )
    static let over = ShownShare(
        Share(
            id: identifier(6),
            chat: chatID,
            user: bea,
            started: time,
            end: Share.End(time: time + .seconds(1), ending: .arrived)
        ),
        Freshness(ended: Share.End(time: time + .seconds(1), ending: .arrived))
    )

    static let text = Message(
        chat: chatID,
        number: 57,
        sender: ada,
        tag: .text,
        content: "hi\t\\",
        time: time,
        written: 12
    )
    static let location = Message(
        chat: chatID,
        number: 58,
        sender: bea,
        tag: .location,
        data: data,
        time: time,
        expires: time + .seconds(60),
        isLate: true
    )
    static let recalled = text.emptied(recalled: true)
    static let unkept = Message(
        chat: chatID,
        number: nil,
        sender: ada,
        tag: .location,
        data: data,
        time: time
    )

    static let chat = NamedChat(
        Chat(
            id: chatID,
            isOneToOne: false,
            subject: "Sunday \"walk\"",
            isSubjectLocked: true,
            positions: .year,
            participants: [
                Participant(user: ada, role: .owner, color: 0, spans: [ParticipationSpan(first: 1)]),
                Participant(user: bea, role: .member, color: 1, spans: []),
            ],
            first: 1,
            last: 58,
            written: 12,
            active: time + .seconds(1),
            created: time
        ),
        users: [
            ada: User(id: ada, name: "Ada", email: "ada@example.org", avatar: "/a.png", hue: 217),
            bea: User(id: bea, name: "Béa"),
        ],
        view: ChatView(read: ReadPosition(number: 57, written: 11), preview: preview, reads: [bea: 56])
    )
    static let preview = MessagePreview(
        number: 57,
        sender: ada,
        tag: .text,
        content: "hi\t\\",
        time: time,
        expires: time
    )
    static let unread = NamedChat(
        Chat(id: chatID, isOneToOne: true, subject: "", participants: [], created: time),
        users: [:],
        view: ChatView(read: ReadPosition())
    )

    static let serverFrames: [ServerFrame] = [
        .hello(Hello(user: ada, name: "Ada", time: time)),
        .hello(
            Hello(
                time: time,
                page: "0f6a73e0f1f1",
                node: "1f",
                limits: StreamLimits(frame: 1, message: 2, subscriptions: 3)
            )
        ),
        .messages(
            MessagesFrame(
                id: 1,
                topic: 7,
                first: 1,
                through: 58,
                isCurrent: true,
                messages: [text, location, recalled]
            )
        ),
        .messages(MessagesFrame(id: 1, topic: 7, first: 1, through: 0, isCurrent: false, messages: [])),
        .chats(id: 2, topic: 8, isCurrent: true, [chat, unread]),
        .chats(id: 2, topic: 8, isCurrent: true, next: ChatPlace(active: time, chat: chatID), [chat]),
        .contacts(
            id: 6,
            topic: 11,
            isCurrent: true,
            [User(id: ada, name: "Ada", hue: 26), User(id: bea, name: "B")]
        ),
        .contact(topic: 11, User(id: ada, name: "Ada", email: "ada@example.org", avatar: "/a.png", hue: 359)),
        .contactGone(topic: 11, bea),
        .presence(id: 3, topic: 9, isCurrent: true, online: [ada, bea]),
        .world(
            id: 4,
            topic: 10,
            isCurrent: true,
            you: "a1b2",
            pins: [WorldPin(pin: "c3d4", at: position("59.9139,10.7522")), WorldPin(pin: "e5f6")]
        ),
        .region(
            RegionFrame(
                topic: 12,
                answer: RegionFrame.Answer(id: 5, step: 0, isCurrent: false, limit: 300, field: at),
                total: 12_345,
                entered: [.object(place), .object(bare)]
            )
        ),
        .region(
            RegionFrame(
                topic: 12,
                answer: RegionFrame.Answer(id: 5, step: 3),
                total: 0,
                left: [.object(place.id), .person(chatID, bea)],
                entered: [.person(person)],
                changed: [.object(place), .person(person)],
                moved: [.object(move), .object(level), .person(walker)]
            )
        ),
        .region(RegionFrame(topic: 12, total: 12_346, left: [.object(place.id)])),
        .region(RegionFrame(topic: 12, moved: [.object(move)])),
        .message(topic: 7, location),
        .message(topic: 7, unkept),
        .chat(topic: 8, chat),
        .activity(topic: 8, ChatActivity(chat: chatID, written: 13, active: time, preview: preview)),
        .activity(topic: 8, ChatActivity(chat: chatID, preview: .some(nil))),
        .activity(
            topic: 8,
            ChatActivity(chat: chatID, read: ReadPosition(number: 58, written: 12), reads: [ada: 1, bea: 2])
        ),
        .chatLeft(topic: 8, chatID),
        .online(topic: 9, ada, false),
        .pin(topic: 10, WorldPin(pin: "c3d4", at: position("59.9140,10.7522"))),
        .pin(topic: 10, WorldPin(pin: "c3d4")),
        .gone(topic: 10, "c3d4"),
        .unsubscribed(id: 1),
        .ended(id: 1, topic: 7, SharingError(.notParticipant, "You left this chat.")),
        .sent(key: "k1", chat: chatID, number: 57, time: time),
        .sent(key: "k1", chat: chatID, number: nil, time: time),
        .started(key: "k6", existed: true, chat),
        .error(FrameRefusal(SharingError(.unknownChat, "No such chat."), id: 1)),
        .error(
            FrameRefusal(
                SharingError(.tooManyRequests, "Too fast.", retryAfter: .seconds(1)),
                key: "k1",
                chat: chatID
            )
        ),
        .shares(.freshness, id: 5, topic: 11, isCurrent: true, [shown, over]),
        .shares(.shares, id: 6, topic: 12, isCurrent: true, []),
        .sharesChanged(.freshness, topic: 11, [ShareChange(shown.id, shown.freshness), ShareChange(over)]),
        .sharesChanged(.shares, topic: 12, [ShareChange(shown)]),
        .shared(key: "k8", shown, number: 59, time: time),
        .stopped(key: "k13", [identifier(5)]),
        .asked(chat: chatID, user: bea),
        .pong(time: time),
    ]
}
