import YonderGeodesy
import YonderModel
import YonderJSON

// The JSON of the frames that a client sends; `SharingClient` writes each once, when it is sent. Writing never fails. The
// server reads it in `ClientFrame+Parsing.swift`, which refuses unknown fields: a member that older servers don't know may
// be written only where the caller asked for what it says (`ClientFrameTests`).
extension ClientFrame {
    /// The frame's text.
    package func encoded() -> [UInt8] {
        var writer = JSONWriter()
        switch self {
        case .subscribe(let id, let query): Self.write(id, query, &writer)
        case .unsubscribe(let id):
            writer.raw("{\"type\":\"unsubscribe\",\"id\":")
            writer.integer(id)
        case .send(let frame): Self.write(frame, &writer)
        case .recall(let key, let chat, let number):
            Self.begin("recall", key, chat, &writer)
            writer.raw(",\"number\":")
            writer.integer(number)
        case .subject(let key, let chat, let subject):
            Self.begin("subject", key, chat, &writer)
            writer.raw(",\"subject\":")
            writer.string(subject)
        case .lockSubject(let key, let chat, let isLocked):
            Self.begin("subject", key, chat, &writer)
            writer.raw(isLocked ? ",\"subjectLocked\":true" : ",\"subjectLocked\":false")
        case .keepPositions(let key, let chat, let keeping):
            Self.begin("subject", key, chat, &writer)
            writer.raw(",\"positions\":")
            writer.string(keeping.rawValue)
        case .add(let key, let chat, let users):
            Self.begin("add", key, chat, &writer)
            writer.raw(",\"users\":")
            writer.identifiers(users)
        case .leave(let key, let chat, let stayOut):
            Self.begin("leave", key, chat, &writer)
            if stayOut { writer.raw(",\"stayOut\":true") }
        case .remove(let key, let chat, let user):
            Self.begin("remove", key, chat, &writer)
            writer.raw(",\"user\":")
            writer.identifier(user)
        case .owner(let key, let chat, let user):
            Self.begin("owner", key, chat, &writer)
            writer.raw(",\"user\":")
            writer.identifier(user)
        case .read(let chat, let number):
            writer.raw("{\"type\":\"read\",\"chat\":")
            writer.identifier(chat)
            writer.raw(",\"number\":")
            writer.integer(number)
        case .start(let key, let invitees, let subject, let isOneToOne):
            writer.raw("{\"type\":\"start\",\"key\":")
            writer.string(key)
            writer.raw(",\"invitees\":")
            writer.identifiers(invitees)
            if !subject.isEmpty {
                writer.raw(",\"subject\":")
                writer.string(subject)
            }
            writer.raw(isOneToOne ? ",\"oneToOne\":true" : ",\"oneToOne\":false")
        case .pin(let at, let until):
            writer.raw("{\"type\":\"pin\",\"at\":\"")
            writer.raw(at.bytes)
            writer.raw("\"")
            if let until {
                writer.raw(",\"until\":")
                writer.integer(until.milliseconds)
            }
        case .move(let id, let step, let region):
            writer.raw("{\"type\":\"move\",\"id\":")
            writer.integer(id)
            writer.raw(",\"step\":")
            writer.integer(step)
            writer.region(region)
        case .ping: writer.raw("{\"type\":\"ping\"")
        case .startShare, .changeShare, .stopShare, .stopShares, .heartbeat, .ask: _ = writeShare(&writer)
        }
        writer.raw("}")
        return writer.bytes
    }

    static func begin(_ type: StaticString, _ key: String, _ chat: ChatID, _ writer: inout JSONWriter) {
        writer.raw("{\"type\":\"")
        writer.raw(type)
        writer.raw("\",\"key\":")
        writer.string(key)
        writer.raw(",\"chat\":")
        writer.identifier(chat)
    }

    private static func write(_ frame: SendFrame, _ writer: inout JSONWriter) {
        begin("send", frame.key, frame.chat, &writer)
        writer.raw(",\"tag\":\"")
        writer.raw(frame.draft.tag.rawValue.utf8)
        writer.raw("\"")
        if !frame.draft.content.isEmpty {
            writer.raw(",\"content\":")
            writer.string(frame.draft.content)
        }
        if let data = frame.draft.data {
            writer.raw(",\"data\":")
            writer.raw(data.bytes)
        }
        if let expires = frame.draft.expires {
            writer.raw(",\"expires\":")
            writer.integer(expires.milliseconds)
        }
        if !frame.keep { writer.raw(",\"keep\":false") }
    }

    private static func write(_ id: Int64, _ query: StreamQuery, _ writer: inout JSONWriter) {
        writer.raw("{\"type\":\"subscribe\",\"id\":")
        writer.integer(id)
        switch query {
        case .messages(let query): write(query, &writer)
        case .chats(let limit):
            writer.raw(",\"query\":\"chats\"")
            if limit != StreamQuery.chatLimit {
                writer.raw(",\"limit\":")
                writer.integer(Int64(limit))
            }
        case .contacts: writer.raw(",\"query\":\"contacts\"")
        case .presence(let chat):
            writer.raw(",\"query\":\"presence\",\"chat\":")
            writer.identifier(chat)
        case .freshness(let chat, let isPartial):
            writer.raw(",\"query\":\"freshness\",\"chat\":")
            writer.identifier(chat)
            if isPartial { writer.raw(",\"partial\":true") }
        case .shares: writer.raw(",\"query\":\"shares\"")
        case .world: writer.raw(",\"query\":\"world\"")
        case .objects(let query): writer.members(of: query)
        case .people(let query): writer.members(of: query)
        }
    }

    private static func write(_ query: MessageQuery, _ writer: inout JSONWriter) {
        writer.raw(",\"query\":\"messages\",\"chat\":")
        writer.identifier(query.chat)
        if let tag = query.tag {
            writer.raw(",\"tag\":\"")
            writer.raw(tag.rawValue.utf8)
            writer.raw("\"")
        }
        if let sender = query.sender {
            writer.raw(",\"sender\":")
            writer.identifier(sender)
        }
        if query.since > 0 || query.limit == MessageQuery.unlimited {
            writer.raw(",\"since\":")
            writer.integer(query.since)
        }
        if let from = query.from {
            writer.raw(",\"from\":")
            writer.integer(from.milliseconds)
        }
        if let to = query.to {
            writer.raw(",\"to\":")
            writer.integer(to.milliseconds)
        }
        if query.latest { writer.raw(",\"latest\":true") }
        // Where `since` stands, no limit means all that follows; where it doesn't, the default.
        let implied = query.since > 0 ? MessageQuery.unlimited : MessageQuery.defaultLimit
        if query.limit != implied, query.limit != MessageQuery.unlimited {
            writer.raw(",\"limit\":")
            writer.integer(Int64(query.limit))
        }
    }
}

extension JSONWriter {
    /// Appends a list of identifiers.
    mutating func identifiers<Subject>(_ ids: [Identifier<Subject>]) {
        raw("[")
        for (index, id) in ids.enumerated() {
            if index > 0 { raw(",") }
            identifier(id)
        }
        raw("]")
    }
}
