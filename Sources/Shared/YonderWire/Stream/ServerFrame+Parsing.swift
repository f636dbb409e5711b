package import YonderModel
import YonderJSON

// Reads the JSON of the frames that a server sends, for `ConnectionLoop` of the client. A frame that can't be read is an
// error, after which the client connects again; an unknown type or field is passed over, because a newer server may send it,
// and an unknown word gets a value that this version has. Every member that `ServerFrame+Writing.swift` writes is read here;
// one that older servers don't write must have a default (`ServerFrameTests`). Only the value that an unknown word gets may
// change, and only to one that promises less.
extension ServerFrame {
    /// Reads a frame, whose unknown fields it ignores; `nil` for a type that this version doesn't know.
    ///
    /// - Throws: ``SharingError`` with code `invalidJSON`, `invalidFrame`, `missingField` or `invalidField`.
    package static func parse(_ bytes: UnsafeRawBufferPointer) throws(SharingError) -> ServerFrame? {
        var fields = FrameFields(bytes)
        do throws(JSONFault) {
            try fields.scan()
        } catch {
            throw SharingError(.invalidJSON, "Not JSON: \(error.reason.rawValue) at byte \(error.offset).")
        }
        let type = try fields.required(fields.string(.type), .type)
        if let answer = try answer(type, fields) { return answer }
        if let change = try change(type, fields) { return change }
        return try reply(type, fields)
    }

    private static func answer(_ type: String, _ fields: FrameFields) throws(SharingError) -> ServerFrame? {
        switch type {
        case "hello": .hello(try Hello(fields))
        case "messages": .messages(try MessagesFrame(fields))
        case "chats":
            .chats(
                id: try fields.number(.id),
                topic: try fields.number(.topic),
                isCurrent: try fields.flag(.current),
                next: try fields.string(.next).flatMap(ChatPlace.init),
                try fields.objects(.chats) { chat throws(SharingError) in try NamedChat(chat) }
            )
        case "contacts":
            .contacts(
                id: try fields.number(.id),
                topic: try fields.number(.topic),
                isCurrent: try fields.flag(.current),
                try fields.objects(.contacts) { contact throws(SharingError) in try User(contact: contact) }
            )
        case "presence":
            .presence(
                id: try fields.number(.id),
                topic: try fields.number(.topic),
                isCurrent: try fields.flag(.current),
                online: try fields.identifiers(.online)
            )
        case "world":
            .world(
                id: try fields.number(.id),
                topic: try fields.number(.topic),
                isCurrent: try fields.flag(.current),
                you: try fields.string(.you),
                pins: try fields.objects(.pins) { pin throws(SharingError) in try WorldPin(pin) }
            )
        case "freshness", "shares":
            fields.has(.id)
                ? .shares(
                    type == "shares" ? .shares : .freshness,
                    id: try fields.number(.id),
                    topic: try fields.number(.topic),
                    isCurrent: try fields.flag(.current),
                    try fields.shares()
                )
                : .sharesChanged(
                    type == "shares" ? .shares : .freshness,
                    topic: try fields.number(.topic),
                    try fields.shareChanges()
                )
        case "region": .region(try RegionFrame(fields))
        default: nil
        }
    }

    private static func change(_ type: String, _ fields: FrameFields) throws(SharingError) -> ServerFrame? {
        switch type {
        case "message": .message(topic: try fields.number(.topic), try Message(fields))
        case "chat": .chat(topic: try fields.number(.topic), try fields.namedChat())
        case "activity": .activity(topic: try fields.number(.topic), try ChatActivity(fields))
        case "chatLeft": .chatLeft(topic: try fields.number(.topic), try fields.id(.chat))
        case "contact":
            .contact(
                topic: try fields.number(.topic),
                try User(contact: try fields.required(fields.fields(.contact), .contact))
            )
        case "contactGone": .contactGone(topic: try fields.number(.topic), try fields.id(.user))
        case "online":
            .online(topic: try fields.number(.topic), try fields.id(.user), try fields.flag(.online))
        case "pin": .pin(topic: try fields.number(.topic), try WorldPin(fields))
        case "gone": .gone(topic: try fields.number(.topic), try fields.text(.pin))
        default: nil
        }
    }

    private static func reply(_ type: String, _ fields: FrameFields) throws(SharingError) -> ServerFrame? {
        switch type {
        case "unsubscribed": .unsubscribed(id: try fields.number(.id))
        case "ended":
            .ended(id: try fields.number(.id), topic: try fields.number(.topic), try SharingError(fields))
        case "sent":
            .sent(
                key: try fields.text(.key),
                chat: try fields.id(.chat),
                number: try fields.integer(.number),
                time: try fields.required(fields.time(.time), .time)
            )
        case "started":
            .started(
                key: try fields.text(.key),
                existed: try fields.flag(.existed),
                try fields.namedChat()
            )
        case "shared":
            .shared(
                key: try fields.text(.key),
                try ShownShare(try fields.required(fields.fields(.share), .share)),
                number: try fields.number(.number),
                time: try fields.required(fields.time(.time), .time)
            )
        case "stopped": .stopped(key: try fields.text(.key), try fields.identifiers(.shares))
        case "asked": .asked(chat: try fields.id(.chat), user: try fields.id(.user))
        case "error":
            .error(
                FrameRefusal(
                    try SharingError(fields),
                    id: try fields.integer(.id),
                    key: try fields.string(.key),
                    chat: try fields.identifier(.chat)
                )
            )
        case "pong": .pong(time: try fields.required(fields.time(.time), .time))
        default: nil
        }
    }
}

extension FrameFields {
    fileprivate func number(_ field: FrameField) throws(SharingError) -> Int64 {
        try required(integer(field), field)
    }

    fileprivate func flag(_ field: FrameField) throws(SharingError) -> Bool {
        try required(boolean(field), field)
    }

    fileprivate func text(_ field: FrameField) throws(SharingError) -> String {
        try required(string(field), field)
    }

    fileprivate func id<Subject>(_ field: FrameField) throws(SharingError) -> Identifier<Subject> {
        try required(identifier(field), field)
    }

    fileprivate func namedChat() throws(SharingError) -> NamedChat {
        try NamedChat(try required(fields(.chat), .chat))
    }
}

extension Hello {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        let limits = try fields.fields(.limits)
        let usual = StreamLimits()
        self.init(
            version: try fields.number(.version),
            user: try fields.identifier(.user),
            name: try fields.string(.name),
            time: try fields.required(fields.time(.time), .time),
            page: try fields.string(.page),
            node: try fields.string(.node),
            hasPartialShares: try fields.boolean(.partial) ?? false,
            limits: StreamLimits(
                frame: try limits?.integer(.frame) ?? usual.frame,
                message: try limits?.integer(.message) ?? usual.message,
                subscriptions: try limits?.integer(.subscriptions) ?? usual.subscriptions
            )
        )
    }
}

extension MessagesFrame {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        self.init(
            id: try fields.number(.id),
            topic: try fields.number(.topic),
            first: try fields.number(.first),
            through: try fields.number(.through),
            isCurrent: try fields.flag(.current),
            messages: try fields.objects(.messages) { message throws(SharingError) in try Message(message) }
        )
    }
}

extension Message {
    init(_ fields: FrameFields) throws(SharingError) {
        self.init(
            chat: try fields.id(.chat),
            number: try fields.integer(.number, in: 1...Int64.max),
            sender: try fields.id(.sender),
            tag: try fields.required(fields.tag(), .tag),
            content: try fields.string(.content) ?? "",
            data: try fields.object(.data),
            time: try fields.required(fields.time(.time), .time),
            expires: try fields.time(.expires),
            written: try fields.integer(.written),
            isLate: try fields.boolean(.late) ?? false,
            isRecalled: try fields.boolean(.recalled) ?? false
        )
    }
}

extension WorldPin {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        let at = try fields.string(.at)
        let position = at.flatMap { WorldPosition($0) }
        guard at == nil || position != nil else { throw fields.invalid(.at, "a position") }
        self.init(pin: try fields.text(.pin), at: position)
    }
}

extension SharingError {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        let wait = try fields.integer(.retryAfter, in: 0...Int64.max)
        self.init(
            Code(try fields.text(.code)),
            try fields.string(.message) ?? "",
            retryAfter: wait.map { .milliseconds($0) }
        )
    }
}

extension NamedChat {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        let people = try fields.objects(.participants) { person throws(SharingError) in
            (try Participant(person), try User(participant: person))
        }
        let chat = Chat(
            id: try fields.id(.id),
            isOneToOne: try fields.flag(.oneToOne),
            subject: try fields.string(.subject) ?? "",
            isSubjectLocked: try fields.boolean(.subjectLocked) ?? false,
            positions: try fields.string(.positions).flatMap(PositionKeeping.init(rawValue:)) ?? .standard,
            participants: people.map(\.0),
            first: try fields.integer(.first) ?? 1,
            last: try fields.integer(.last) ?? 0,
            written: try fields.integer(.written) ?? 0,
            active: try fields.time(.active),
            created: try fields.required(fields.time(.created), .created)
        )
        let named = people.compactMap { person in person.1.map { (person.0.user, $0) } }
        self.init(chat, users: Dictionary(named) { first, _ in first }, view: try ChatView(fields))
    }
}

extension ReadPosition {
    fileprivate init?(_ fields: FrameFields) throws(SharingError) {
        guard let number = try fields.integer(.read) else { return nil }
        self.init(number: number, written: try fields.integer(.readWritten) ?? 0)
    }
}

extension ChatView {
    fileprivate init?(_ fields: FrameFields) throws(SharingError) {
        guard let read = try ReadPosition(fields) else { return nil }
        self.init(
            read: read,
            preview: try fields.fields(.preview).map { preview throws(SharingError) in
                try MessagePreview(preview)
            },
            reads: try fields.reads()
        )
    }
}

extension MessagePreview {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        self.init(
            number: try fields.number(.number),
            sender: try fields.id(.sender),
            tag: try fields.required(fields.tag(), .tag),
            content: try fields.string(.content) ?? "",
            time: try fields.required(fields.time(.time), .time),
            expires: try fields.time(.expires)
        )
    }
}

extension ChatActivity {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        var preview: MessagePreview?? = nil
        if fields.isNull(.preview) {
            preview = .some(nil)
        } else if let found = try fields.fields(.preview) {
            preview = .some(try MessagePreview(found))
        }
        self.init(
            chat: try fields.id(.chat),
            written: try fields.integer(.written),
            active: try fields.time(.active),
            preview: preview,
            read: try ReadPosition(fields),
            reads: try fields.reads() ?? [:]
        )
    }
}

extension FrameFields {
    /// How far people have read: an object with a number for each.
    fileprivate func reads() throws(SharingError) -> [UserID: Int64]? {
        guard let bytes = try objectBytes(.reads) else { return nil }
        var reads: [UserID: Int64] = [:]
        do throws(JSONFault) {
            var scanner = JSONScanner(bytes)
            try scanner.object { scanner, key throws(JSONFault) in
                let number = try scanner.integer()
                if let user = UserID(key.text(in: bytes)) { reads[user] = number }
            }
        } catch {
            throw invalid(.reads, "an object of numbers by user")
        }
        return reads
    }
}

extension Participant {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        self.init(
            user: try fields.id(.user),
            // A role of a newer server's is one that may read and send.
            role: try fields.string(.role).flatMap(Role.init(rawValue:)) ?? .member,
            color: Int(try fields.integer(.color, in: 0...Int64(Int32.max)) ?? 0),
            spans: try fields.flag(.present) ? [ParticipationSpan(first: 1)] : []
        )
    }
}

extension User {
    fileprivate init(contact fields: FrameFields) throws(SharingError) {
        self.init(
            id: try fields.id(.id),
            name: try fields.text(.name),
            email: try fields.string(.email),
            avatar: try fields.string(.avatar),
            hue: try fields.integer(.hue, in: 0...359).map(Int.init)
        )
    }

    fileprivate init?(participant fields: FrameFields) throws(SharingError) {
        guard let name = try fields.string(.name) else { return nil }
        self.init(
            id: try fields.id(.user),
            name: name,
            email: try fields.string(.email),
            avatar: try fields.string(.avatar),
            hue: try fields.integer(.hue, in: 0...359).map(Int.init)
        )
    }
}
