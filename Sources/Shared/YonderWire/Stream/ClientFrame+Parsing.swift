import YonderModel
import YonderJSON

// Reads the JSON of the frames that a client sends, for `Session` of the hub; frames of shares are in
// `ClientFrame+Shares.swift`, of regions in `Regions/`. Each frame comes from a stranger: nothing traps, and a refusal names
// the field and what is accepted, with the frame's key or id where it could be read. Unknown fields are refused, so that a
// client's mistake shows at once. A further frame is a function here, its names in `types`, and its writing in
// `ClientFrame+Writing.swift`. Fields of older clients must stay accepted (`ClientFrameTests`, `Documentation/stream.md`).
extension ClientFrame {
    /// Reads a frame.
    ///
    /// - Throws: ``FrameRefusal`` with code `invalidJSON`, `invalidFrame`, `unknownQuery`, `unknownField`,
    ///   `missingField` or `invalidField`, looked for in this order.
    package static func parse(_ bytes: UnsafeRawBufferPointer) throws(FrameRefusal) -> ClientFrame {
        var fields = FrameFields(bytes, refusesHalfPairs: true)
        do throws(SharingError) {
            try scan(&fields, bytes)
            return try frame(fields)
        } catch {
            throw refusal(error, fields)
        }
    }

    private static func scan(_ fields: inout FrameFields, _ bytes: UnsafeRawBufferPointer)
        throws(SharingError)
    {
        do throws(JSONFault) {
            var scanner = JSONScanner(bytes)
            guard scanner.next != UInt8(ascii: "{") else { return try fields.scan() }
            _ = try scanner.skipValue()
            try scanner.end()
        } catch {
            throw SharingError(.invalidJSON, "Not JSON: \(error.sentence(in: bytes)).")
        }
        throw SharingError(.invalidFrame, "A frame must be a JSON object.")
    }

    /// The types of all frames, for messages.
    private static let types = """
        send, recall, subject, add, leave, remove, owner, read, start, subscribe, unsubscribe, move, pin, share, \
        changeShare, stopShare, stopShares, heartbeat, ask or ping
        """

    private static func refusal(_ error: SharingError, _ fields: FrameFields) -> FrameRefusal {
        let key: String? = try? fields.key()
        return FrameRefusal(
            error,
            id: (try? fields.integer(.id, in: ids)) ?? nil,
            key: key,
            chat: key == nil ? nil : (try? fields.identifier(.chat)) ?? nil
        )
    }

    private static func frame(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        if fields.equals(.type, "send") { return try send(fields) }
        if fields.equals(.type, "pin") { return try pin(fields) }
        if fields.equals(.type, "move") { return try move(fields) }
        if fields.equals(.type, "subscribe") { return try subscribe(fields) }
        if fields.equals(.type, "unsubscribe") { return try unsubscribe(fields) }
        if fields.equals(.type, "recall") { return try recall(fields) }
        if fields.equals(.type, "subject") { return try subject(fields) }
        if fields.equals(.type, "add") { return try add(fields) }
        if fields.equals(.type, "leave") { return try leave(fields) }
        if fields.equals(.type, "remove") {
            let (key, chat, user) = try other(fields)
            return .remove(key: key, chat: chat, user: user)
        }
        if fields.equals(.type, "owner") {
            let (key, chat, user) = try other(fields)
            return .owner(key: key, chat: chat, user: user)
        }
        if fields.equals(.type, "read") { return try read(fields) }
        if fields.equals(.type, "start") { return try start(fields) }
        if let share = try share(fields) { return share }
        if fields.equals(.type, "ping") {
            try fields.allow(FrameFieldSet(.type))
            return .ping
        }
        throw SharingError(.invalidFrame, fields.has(.type) ? "type must be \(types)." : "type is missing.")
    }

    private static func send(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(sendFields)
        let draft = MessageDraft(
            tag: try fields.required(fields.tag(), .tag),
            content: try fields.string(.content) ?? "",
            data: try fields.object(.data),
            expires: try fields.keptTime(.expires)
        )
        return .send(
            SendFrame(
                key: try fields.key(),
                chat: try fields.chat(),
                draft: draft,
                keep: try fields.boolean(.keep) ?? true
            )
        )
    }

    private static let sendFields = FrameFieldSet(.type, .key, .chat, .tag, .content, .data, .expires, .keep)

    private static func pin(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .at, .until))
        let at = try fields.required(fields.position(), .at)
        return .pin(at: at, until: try fields.keptTime(.until))
    }

    private static func subscribe(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        let query: StreamQuery
        if fields.equals(.query, "messages") {
            try fields.allow(messageQueryFields)
            query = .messages(try fields.messageQuery())
        } else if fields.equals(.query, "chats") {
            try fields.allow(FrameFieldSet(.type, .id, .query, .limit))
            let limit = try fields.integer(.limit, in: StreamQuery.chatLimits)
            query = .chats(limit: limit.map(Int.init) ?? StreamQuery.chatLimit)
        } else if fields.equals(.query, "contacts") {
            try fields.allow(FrameFieldSet(.type, .id, .query))
            query = .contacts
        } else if fields.equals(.query, "presence") {
            try fields.allow(FrameFieldSet(.type, .id, .query, .chat))
            query = .presence(try fields.chat())
        } else if fields.equals(.query, "freshness") {
            try fields.allow(FrameFieldSet(.type, .id, .query, .chat, .partial))
            query = .freshness(try fields.chat(), isPartial: try fields.boolean(.partial) ?? false)
        } else if fields.equals(.query, "shares") {
            try fields.allow(FrameFieldSet(.type, .id, .query))
            query = .shares
        } else if fields.equals(.query, "world") {
            try fields.allow(FrameFieldSet(.type, .id, .query))
            query = .world
        } else if fields.equals(.query, "objects") {
            try fields.allow(FrameFieldSet(.type, .id, .query, .entity, .field, .region, .limit))
            query = .objects(try ObjectRegionQuery(fields))
        } else if fields.equals(.query, "people") {
            try fields.allow(FrameFieldSet(.type, .id, .query, .region, .limit))
            query = .people(try PeopleRegionQuery(fields))
        } else {
            _ = try fields.required(fields.string(.query), .query)
            throw SharingError(
                .unknownQuery,
                "query must be messages, chats, contacts, presence, freshness, shares, world, objects or people."
            )
        }
        return .subscribe(id: try fields.id(), query: query)
    }

    private static let messageQueryFields = FrameFieldSet(
        .type,
        .id,
        .query,
        .chat,
        .tag,
        .sender,
        .since,
        .from,
        .to,
        .latest,
        .limit
    )

    private static func move(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .id, .step, .region))
        return .move(
            id: try fields.id(),
            step: try fields.required(fields.integer(.step, in: steps), .step),
            region: try fields.required(fields.region(), .region)
        )
    }

    private static func unsubscribe(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .id))
        return .unsubscribe(id: try fields.id())
    }

    private static func recall(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .key, .chat, .number))
        let number = try fields.required(fields.integer(.number, in: 1...Int64.max), .number)
        return .recall(key: try fields.key(), chat: try fields.chat(), number: number)
    }

    private static func subject(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .key, .chat, .subject, .subjectLocked, .positions))
        guard [FrameField.subject, .subjectLocked, .positions].count(where: fields.has) < 2 else {
            throw SharingError(
                .invalidField,
                "subject, subjectLocked and positions must be sent in a frame each."
            )
        }
        if fields.has(.subjectLocked) { return try lockSubject(fields) }
        if fields.has(.positions) { return try keepPositions(fields) }
        let subject = try fields.required(fields.string(.subject), .subject)
        return .subject(key: try fields.key(), chat: try fields.chat(), subject: subject)
    }

    private static func lockSubject(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        let isLocked = try fields.required(fields.boolean(.subjectLocked), .subjectLocked)
        return .lockSubject(key: try fields.key(), chat: try fields.chat(), isLocked: isLocked)
    }

    private static func keepPositions(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        let keeping = try fields.required(
            fields.choice(.positions, of: PositionKeeping.self, PositionKeeping.choices),
            .positions
        )
        return .keepPositions(key: try fields.key(), chat: try fields.chat(), keeping)
    }

    private static func add(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .key, .chat, .users))
        try fields.insist(on: .users)
        return .add(key: try fields.key(), chat: try fields.chat(), users: try fields.identifiers(.users))
    }

    private static func leave(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .key, .chat, .stayOut))
        return .leave(
            key: try fields.key(),
            chat: try fields.chat(),
            stayOut: try fields.boolean(.stayOut) ?? false
        )
    }

    private static func other(_ fields: FrameFields) throws(SharingError) -> (String, ChatID, UserID) {
        try fields.allow(FrameFieldSet(.type, .key, .chat, .user))
        let user: UserID = try fields.required(fields.identifier(.user), .user)
        return (try fields.key(), try fields.chat(), user)
    }

    private static func read(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .chat, .number))
        let number = try fields.required(fields.integer(.number, in: 0...Int64.max), .number)
        return .read(chat: try fields.chat(), number: number)
    }

    private static func start(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .key, .invitees, .subject, .oneToOne))
        try fields.insist(on: .invitees)
        return .start(
            key: try fields.key(),
            invitees: try fields.identifiers(.invitees),
            subject: try fields.string(.subject) ?? "",
            isOneToOne: try fields.boolean(.oneToOne) ?? false
        )
    }
}

extension FrameFields {
    /// Refuses a field outside `known`.
    func allow(_ known: FrameFieldSet) throws(SharingError) {
        if let unknownName {
            throw SharingError(.unknownField, "Unknown field \(unknownName); allowed are \(known.names).")
        }
        if let foreign = present.subtracting(known).first {
            throw SharingError(.unknownField, "Unknown field \(foreign.name); allowed are \(known.names).")
        }
    }

    fileprivate func insist(on field: FrameField) throws(SharingError) {
        guard has(field) else { throw SharingError(.missingField, "\(field.name) is missing.") }
    }

    fileprivate func id() throws(SharingError) -> Int64 {
        try required(integer(.id, in: ClientFrame.ids), .id)
    }

    func key() throws(SharingError) -> String {
        let key = try required(string(.key), .key)
        try IdempotencyKey.check(key)
        return key
    }

    func chat() throws(SharingError) -> ChatID {
        try required(identifier(.chat), .chat)
    }

    fileprivate func position() throws(SharingError) -> WorldPosition? {
        guard let text = plainBytes(.at) else {
            guard let text = try string(.at) else { return nil }
            guard let position = WorldPosition(text) else { throw invalidPosition }
            return position
        }
        guard let position = WorldPosition(text) else { throw invalidPosition }
        return position
    }

    private var invalidPosition: SharingError {
        invalid(.at, "a latitude and a longitude joined by a comma, at most \(WorldPosition.byteLimit) bytes")
    }

    fileprivate func messageQuery() throws(SharingError) -> MessageQuery {
        let since = try integer(.since, in: 0...Int64.max - 1)
        let limit = try integer(.limit, in: 1...Int64(MessageQuery.maximumLimit)).map(Int.init)
        var query = MessageQuery(
            chat: try chat(),
            tag: try tag(),
            sender: try identifier(.sender),
            since: since ?? 0,
            from: try time(.from),
            to: try time(.to),
            latest: try boolean(.latest) ?? false,
            limit: limit ?? MessageQuery.defaultLimit
        )
        // A query with `since` and no limit is of a client that resumes, and gets everything above `since`.
        if since != nil, limit == nil { query.limit = MessageQuery.unlimited }
        return query
    }
}

extension FrameFields {
    /// A message's tag, or `nil` if the field isn't there.
    func tag() throws(SharingError) -> MessageTag? {
        if equals(.tag, "Location") { return .location }
        guard let name = try string(.tag) else { return nil }
        guard let tag = MessageTag(name) else {
            throw invalid(.tag, "1 to 64 visible ASCII characters without \" and backslashes")
        }
        return tag
    }
}
