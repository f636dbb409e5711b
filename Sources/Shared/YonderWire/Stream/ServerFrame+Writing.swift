import YonderGeodesy
package import YonderModel
import YonderJSON

// The JSON of the frames that a server sends; those of regions are in `Regions/`. Sessions and topics call it, on their
// event loops; REST writes the same objects. Writing never fails. Clients of every version read it: names and forms must
// stay, members may be added (`DocumentedFrameTests`, `ServerFrameTests`).
extension ServerFrame {
    /// The beginning of a topic's `message` frames, up to the message itself.
    package static func messagePrefix(topic: Int64) -> [UInt8] {
        var writer = JSONWriter(capacity: 48)
        writer.raw("{\"type\":\"message\",\"topic\":")
        writer.integer(topic)
        writer.raw(",")
        return writer.bytes
    }

    /// The rest of the frame after ``messagePrefix(topic:)``, the same for every topic; without a number if unkept.
    package static func messageBody(_ message: Message) -> [UInt8] {
        var writer = JSONWriter(capacity: 192 + message.content.utf8.count + (message.data?.bytes.count ?? 0))
        writer.members(of: message)
        return writer.bytes
    }

    /// The frame's text, whole.
    package func encoded() -> [UInt8] {
        var writer = JSONWriter()
        if !writeAnswer(&writer), !writeChange(&writer) { writeReply(&writer) }
        writer.raw("}")
        return writer.bytes
    }

    private func writeAnswer(_ writer: inout JSONWriter) -> Bool {
        switch self {
        case .hello(let hello): writer.members(of: hello)
        case .messages(let page):
            writer.begin(page)
            writer.list(page.messages) { $0.object($1) }
        case .chats(let id, let topic, let isCurrent, let next, let chats):
            writer.begin("chats", id, topic, isCurrent)
            writer.optional(",\"next\":", next?.text)
            writer.raw(",\"chats\":")
            writer.list(chats) { $0.object($1) }
        case .contacts(let id, let topic, let isCurrent, let contacts):
            writer.begin("contacts", id, topic, isCurrent)
            writer.raw(",\"contacts\":")
            writer.list(contacts) { $0.object($1) }
        case .presence(let id, let topic, let isCurrent, let online):
            writer.begin("presence", id, topic, isCurrent)
            writer.raw(",\"online\":")
            writer.identifiers(online)
        case .world(let id, let topic, let isCurrent, let you, let pins):
            writer.begin("world", id, topic, isCurrent)
            writer.optional(",\"you\":", you)
            writer.raw(",\"pins\":")
            writer.list(pins) { $0.object($1) }
        case .shares(let kind, let id, let topic, let isCurrent, let shares):
            writer.begin(kind == .shares ? "shares" : "freshness", id, topic, isCurrent)
            writer.raw(",\"shares\":")
            writer.list(shares) { $0.object($1) }
        case .region(let frame): writer.members(of: frame)
        default: return false
        }
        return true
    }

    private func writeChange(_ writer: inout JSONWriter) -> Bool {
        switch self {
        case .message(let topic, let message):
            writer.raw(Self.messagePrefix(topic: topic))
            writer.raw(Self.messageBody(message).dropLast())
        case .chat(let topic, let chat):
            writer.begin("chat", topic: topic)
            writer.raw(",\"chat\":")
            writer.object(chat)
        case .activity(let topic, let activity):
            writer.begin("activity", topic: topic)
            writer.members(of: activity)
        case .chatLeft(let topic, let chat):
            writer.begin("chatLeft", topic: topic)
            writer.raw(",\"chat\":")
            writer.identifier(chat)
        case .contact(let topic, let user):
            writer.begin("contact", topic: topic)
            writer.raw(",\"contact\":")
            writer.object(user)
        case .contactGone(let topic, let user):
            writer.begin("contactGone", topic: topic)
            writer.raw(",\"user\":")
            writer.identifier(user)
        case .online(let topic, let user, let isOnline):
            writer.begin("online", topic: topic)
            writer.raw(",\"user\":")
            writer.identifier(user)
            writer.boolean(",\"online\":", isOnline)
        case .sharesChanged(let kind, let topic, let shares):
            writer.begin(kind == .shares ? "shares" : "freshness", topic: topic)
            writer.raw(",\"shares\":")
            writer.list(shares) { $0.object($1) }
        case .pin(let topic, let pin):
            writer.begin("pin", topic: topic)
            writer.raw(",")
            writer.members(of: pin)
        case .gone(let topic, let pin):
            writer.begin("gone", topic: topic)
            writer.optional(",\"pin\":", pin)
        default: return false
        }
        return true
    }

    private func writeReply(_ writer: inout JSONWriter) {
        switch self {
        case .unsubscribed(let id):
            writer.raw("{\"type\":\"unsubscribed\"")
            writer.optional(",\"id\":", id)
        case .ended(let id, let topic, let error):
            writer.raw("{\"type\":\"ended\"")
            writer.optional(",\"id\":", id)
            writer.optional(",\"topic\":", topic)
            writer.members(of: error)
        case .sent(let key, let chat, let number, let time):
            writer.raw("{\"type\":\"sent\"")
            writer.optional(",\"key\":", key)
            writer.raw(",\"chat\":")
            writer.identifier(chat)
            writer.optional(",\"number\":", number)
            writer.optional(",\"time\":", time.milliseconds)
        case .started(let key, let existed, let chat):
            writer.raw("{\"type\":\"started\"")
            writer.optional(",\"key\":", key)
            writer.boolean(",\"existed\":", existed)
            writer.raw(",\"chat\":")
            writer.object(chat)
        case .shared, .stopped, .asked: writeShares(&writer)
        case .error(let refusal):
            writer.raw("{\"type\":\"error\"")
            writer.optional(",\"id\":", refusal.id)
            writer.optional(",\"key\":", refusal.key)
            if let chat = refusal.chat {
                writer.raw(",\"chat\":")
                writer.identifier(chat)
            }
            writer.members(of: refusal.error)
        case .pong(let time):
            writer.raw("{\"type\":\"pong\"")
            writer.optional(",\"time\":", time.milliseconds)
        default: break
        }
    }
}

extension ServerFrame {
    private func writeShares(_ writer: inout JSONWriter) {
        switch self {
        case .shared(let key, let share, let number, let time):
            writer.raw("{\"type\":\"shared\"")
            writer.optional(",\"key\":", key)
            writer.raw(",\"share\":")
            writer.object(share)
            writer.optional(",\"number\":", number)
            writer.optional(",\"time\":", time.milliseconds)
        case .stopped(let key, let shares):
            writer.raw("{\"type\":\"stopped\"")
            writer.optional(",\"key\":", key)
            writer.raw(",\"shares\":")
            writer.identifiers(shares)
        case .asked(let chat, let user):
            writer.raw("{\"type\":\"asked\",\"chat\":")
            writer.identifier(chat)
            writer.raw(",\"user\":")
            writer.identifier(user)
        default: break
        }
    }
}

extension JSONWriter {
    fileprivate mutating func begin(_ type: StaticString, _ id: Int64, _ topic: Int64, _ isCurrent: Bool) {
        raw("{\"type\":\"")
        raw(type)
        raw("\",\"id\":")
        integer(id)
        raw(",\"topic\":")
        integer(topic)
        boolean(",\"current\":", isCurrent)
    }

    fileprivate mutating func begin(_ type: StaticString, topic: Int64) {
        raw("{\"type\":\"")
        raw(type)
        raw("\",\"topic\":")
        integer(topic)
    }

    fileprivate mutating func begin(_ page: MessagesFrame) {
        begin("messages", page.id, page.topic, page.isCurrent)
        raw(",\"first\":")
        integer(page.first)
        raw(",\"through\":")
        integer(page.through)
        raw(",\"messages\":")
    }

    fileprivate mutating func optional(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        raw(name)
        integer(value)
    }

    fileprivate mutating func optional(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        raw(name)
        string(value)
    }

    fileprivate mutating func boolean(_ name: StaticString, _ value: Bool) {
        raw(name)
        raw(value ? "true" : "false")
    }

    fileprivate mutating func list<Element>(_ elements: [Element], _ write: (inout Self, Element) -> Void) {
        raw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { raw(",") }
            write(&self, element)
        }
        raw("]")
    }

    fileprivate mutating func members(of hello: Hello) {
        raw("{\"type\":\"hello\",\"version\":")
        integer(hello.version)
        if let user = hello.user {
            raw(",\"user\":")
            identifier(user)
        }
        optional(",\"name\":", hello.name)
        optional(",\"time\":", hello.time.milliseconds)
        optional(",\"page\":", hello.page)
        optional(",\"node\":", hello.node)
        if hello.hasPartialShares { raw(",\"partial\":true") }
        optional(",\"limits\":{\"frame\":", hello.limits.frame)
        optional(",\"message\":", hello.limits.message)
        optional(",\"subscriptions\":", hello.limits.subscriptions)
        raw("}")
    }

    fileprivate mutating func members(of error: SharingError) {
        optional(",\"code\":", error.code.rawValue)
        optional(",\"message\":", error.message)
        optional(",\"retryAfter\":", error.retryAfter.map { $0 / .milliseconds(1) }.map(Self.wholeNumber))
    }

    private static func wholeNumber(_ value: Double) -> Int64 {
        Int64(min(max(0, value.rounded(.up)), 1e15))
    }

    /// The members and the closing brace.
    fileprivate mutating func members(of message: Message) {
        raw("\"chat\":")
        identifier(message.chat)
        optional(",\"number\":", message.number)
        raw(",\"sender\":")
        identifier(message.sender)
        raw(",\"tag\":\"")
        raw(message.tag.rawValue.utf8)
        raw("\"")
        optional(",\"content\":", message.content)
        if let data = message.data {
            raw(",\"data\":")
            raw(data.bytes)
        }
        optional(",\"time\":", message.time.milliseconds)
        optional(",\"expires\":", message.expires?.milliseconds)
        optional(",\"written\":", message.written)
        if message.isLate { raw(",\"late\":true") }
        if message.isRecalled { raw(",\"recalled\":true") }
        raw("}")
    }

    fileprivate mutating func members(of pin: WorldPin) {
        raw("\"pin\":")
        string(pin.pin)
        guard let at = pin.at else { return }
        raw(",\"at\":\"")
        raw(at.bytes)
        raw("\"")
    }

    mutating func object(_ user: User) {
        raw("{\"id\":")
        identifier(user.id)
        optional(",\"name\":", user.name)
        optional(",\"email\":", user.email)
        optional(",\"avatar\":", user.avatar)
        optional(",\"hue\":", user.hue.map(Int64.init))
        raw("}")
    }

    mutating func object(_ pin: WorldPin) {
        raw("{")
        members(of: pin)
        raw("}")
    }

    /// Appends a message.
    package mutating func object(_ message: Message) {
        raw("{")
        members(of: message)
    }

    /// Appends a chat with its people.
    package mutating func object(_ named: NamedChat) {
        raw("{\"id\":")
        identifier(named.chat.id)
        boolean(",\"oneToOne\":", named.chat.isOneToOne)
        optional(",\"subject\":", named.chat.subject)
        if named.chat.isSubjectLocked { raw(",\"subjectLocked\":true") }
        if named.chat.positions != .standard {
            raw(",\"positions\":")
            string(named.chat.positions.rawValue)
        }
        optional(",\"created\":", named.chat.created.milliseconds)
        optional(",\"first\":", named.chat.first)
        optional(",\"last\":", named.chat.last)
        optional(",\"written\":", named.chat.written)
        optional(",\"active\":", named.chat.active.milliseconds)
        if let view = named.view { members(of: view) }
        raw(",\"participants\":")
        list(named.chat.participants) { $0.object($1, named.users[$1.user]) }
        raw("}")
    }

    private mutating func members(of view: ChatView) {
        members(of: view.read)
        if let preview = view.preview {
            raw(",\"preview\":")
            object(preview)
        }
        if let reads = view.reads { object(reads) }
    }

    /// Appends a read position's members, with a comma before each.
    package mutating func members(of read: ReadPosition) {
        optional(",\"read\":", read.number)
        optional(",\"readWritten\":", read.written)
    }

    fileprivate mutating func members(of activity: ChatActivity) {
        raw(",\"chat\":")
        identifier(activity.chat)
        optional(",\"written\":", activity.written)
        optional(",\"active\":", activity.active?.milliseconds)
        if let preview = activity.preview {
            raw(",\"preview\":")
            if let preview { object(preview) } else { raw("null") }
        }
        if let read = activity.read { members(of: read) }
        if !activity.reads.isEmpty { object(activity.reads) }
    }

    private mutating func object(_ preview: MessagePreview) {
        raw("{\"number\":")
        integer(preview.number)
        raw(",\"sender\":")
        identifier(preview.sender)
        raw(",\"tag\":\"")
        raw(preview.tag.rawValue.utf8)
        raw("\"")
        optional(",\"content\":", preview.content)
        optional(",\"time\":", preview.time.milliseconds)
        optional(",\"expires\":", preview.expires?.milliseconds)
        raw("}")
    }

    private mutating func object(_ reads: [UserID: Int64]) {
        raw(",\"reads\":{")
        for (index, read) in reads.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { raw(",") }
            identifier(read.key)
            raw(":")
            integer(read.value)
        }
        raw("}")
    }

    private mutating func object(_ participant: Participant, _ user: User?) {
        raw("{\"user\":")
        identifier(participant.user)
        optional(",\"role\":", participant.role.rawValue)
        optional(",\"color\":", Int64(participant.color))
        boolean(",\"present\":", participant.isPresent)
        optional(",\"name\":", user?.name)
        optional(",\"email\":", user?.email)
        optional(",\"avatar\":", user?.avatar)
        optional(",\"hue\":", user?.hue.map(Int64.init))
        raw("}")
    }
}
