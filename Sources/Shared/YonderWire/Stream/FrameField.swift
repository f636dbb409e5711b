import YonderModel
import YonderJSON

/// The names of the fields in the stream's frames, in both directions.
///
/// `FrameFields` looks up each key of a received frame here. A new field is a case and a name at the same place of both
/// lists; at most 128 fit ``FrameFieldSet``, and names of at most 16 bytes are found. A name that isn't here is unknown: a
/// server refuses it, a client ignores it. Names must stay, as clients of every version send them (`ClientFrameTests`,
/// `DocumentedFrameTests`); the order of cases may change, and with it that of names in messages.
enum FrameField: UInt8, CaseIterable, Sendable {
    case type, id, query, chat, tag, sender, since, from, to, latest, limit, key, content, data, expires
    case keep, number, subject, users, invitees, oneToOne, at, topic, first, through, current, messages
    case time, recalled, chats, participants, created, last, user, role, color, present, name, email, avatar
    case online, you, pins, pin, limits, frame, message, subscriptions, version, existed, code, retryAfter
    case entity, region, field, step, total, left, entered, changed, moved
    case until, arrival, share, shares, freshness, fix, battery, charging, paused
    case late, written, read, readWritten, preview, active, reads, hue, contacts, contact, state, owner, image
    case started, cause, asOf, gap, changes, page, node, subjectLocked, positions
    case next, stayOut, before, previous, partial

    /// The names, in the order of the cases.
    private static let names: [StaticString] = [
        "type", "id", "query", "chat", "tag", "sender", "since", "from", "to", "latest", "limit", "key",
        "content", "data", "expires", "keep", "number", "subject", "users", "invitees", "oneToOne", "at",
        "topic", "first", "through", "current", "messages", "time", "recalled", "chats", "participants",
        "created", "last", "user", "role", "color", "present", "name", "email", "avatar", "online", "you",
        "pins", "pin", "limits", "frame", "message", "subscriptions", "version", "existed", "code",
        "retryAfter", "entity", "region", "field", "step", "total", "left", "entered", "changed", "moved",
        "until", "arrival", "share", "shares", "freshness", "fix", "battery", "charging", "paused",
        "late", "written", "read", "readWritten", "preview", "active", "reads", "hue", "contacts", "contact",
        "state", "owner", "image", "started", "cause", "asOf", "gap", "changes", "page", "node",
        "subjectLocked", "positions", "next", "stayOut", "before",
        "previous", "partial",
    ]

    /// The fields whose names have so many bytes, at the index of that number.
    private static let byLength: [[FrameField]] = (0...16).map { length in
        allCases.filter { $0.name.utf8CodeUnitCount == length }
    }

    /// The name on the wire.
    var name: StaticString { Self.names[Int(rawValue)] }

    /// The field that `key` names, or `nil`.
    @inline(__always)
    init?(_ key: JSONString, in bytes: UnsafeRawBufferPointer) {
        guard !key.hasEscapes else {
            self.init(escaped: key, in: bytes)
            return
        }
        guard key.range.count < Self.byLength.count else { return nil }
        for field in Self.byLength[key.range.count] where key.equals(field.name, in: bytes) {
            self = field
            return
        }
        return nil
    }

    private init?(escaped key: JSONString, in bytes: UnsafeRawBufferPointer) {
        let field = Self.allCases.first { key.equals($0.name, in: bytes) }
        guard let field else { return nil }
        self = field
    }
}

/// Some of the fields.
struct FrameFieldSet: OptionSet, Sendable {
    let rawValue: UInt128

    init(rawValue: UInt128) {
        self.rawValue = rawValue
    }

    init(_ field: FrameField) {
        rawValue = 1 << UInt128(field.rawValue)
    }

    init(_ fields: FrameField...) {
        rawValue = fields.reduce(0) { $0 | 1 << UInt128($1.rawValue) }
    }

    /// The names of the fields, with commas between, for messages.
    var names: String {
        FrameField.allCases.filter { contains(FrameFieldSet($0)) }.map(\.name.description).joined(
            separator: ", "
        )
    }

    /// The one that is declared first, or `nil` if there is none.
    var first: FrameField? {
        rawValue == 0 ? nil : FrameField(rawValue: UInt8(rawValue.trailingZeroBitCount))
    }
}
