import YonderGeodesy
import YonderModel
import YonderJSON

// Reads the server's frames about regions for the client's `RegionList`, which `ServerFrame+Parsing.swift` passes here. An
// item that can't be read makes the whole frame fail with `missingField` or `invalidField`, which ends that connection; the
// client asks anew on the next one. Unknown members are ignored, so that a newer server may add some. Names and forms are
// those of `RegionFrame+Writing.swift` and must stay (decision 9, `ServerFrameTests`, `DocumentedFrameTests`).
// A further member may be read if older servers may leave it out.
extension RegionFrame {
    init(_ fields: FrameFields) throws(SharingError) {
        self.init(
            topic: try fields.required(fields.integer(.topic), .topic),
            answer: try Answer(fields),
            total: try fields.integer(.total, in: 0...Int64.max).map(Int.init),
            left: try fields.strings(.left).map { key throws(SharingError) in
                guard let key = RegionKey(key) else { throw fields.invalid(.left, "a list of keys") }
                return key
            },
            entered: try fields.regionItems(.entered),
            changed: try fields.regionItems(.changed),
            moved: try fields.values(.moved).map { value throws(SharingError) in
                try RegionMove(try FrameFields(scanning: value, of: .moved), value)
            }
        )
    }
}

extension RegionFrame.Answer {
    fileprivate init?(_ fields: FrameFields) throws(SharingError) {
        guard let id = try fields.integer(.id) else { return nil }
        self.init(
            id: id,
            step: try fields.integer(.step, in: 0...ClientFrame.steps.upperBound) ?? 0,
            isCurrent: try fields.required(fields.boolean(.current), .current),
            limit: try fields.integer(.limit, in: 0...Int64(Int32.max)).map(Int.init),
            field: try fields.schemaName(.field)
        )
    }
}

extension RegionKey {
    /// Reads a key in its wire form.
    fileprivate init?(_ text: String) {
        guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            guard let id = ObjectID(text) else { return nil }
            self = .object(id)
            return
        }
        guard let chat = ChatID(String(text[..<slash])),
            let user = UserID(String(text[text.utf8.index(after: slash)...]))
        else { return nil }
        self = .person(chat, user)
    }
}

extension FrameFields {
    fileprivate func regionItems(_ field: FrameField) throws(SharingError) -> [RegionItem] {
        try values(field).map { value throws(SharingError) in
            let fields = try FrameFields(scanning: value, of: field)
            if let person = try RegionPerson(fields, value) { return .person(person) }
            return .object(try ObjectRecord(json: value))
        }
    }
}

extension RegionMove {
    fileprivate init(_ fields: FrameFields, _ value: UnsafeRawBufferPointer) throws(SharingError) {
        if let person = try RegionPerson(fields, value) {
            self = .person(person)
            return
        }
        // A moved object has the same JSON members as a position.
        let position = MessageData(checked: [UInt8](value)).position(at: Timestamp(milliseconds: 0))
        guard let position else { throw fields.invalid(.moved, "a list of objects with their positions") }
        self = .object(
            ObjectMove(
                id: try fields.required(fields.identifier(.id), .id),
                coordinate: position.coordinate.rounded,
                altitude: position.altitude,
                updated: try ObjectMove.updated(value)
            )
        )
    }
}

extension ObjectMove {
    fileprivate static func updated(_ value: UnsafeRawBufferPointer) throws(SharingError) -> Timestamp {
        var updated: Int64?
        var scanner = JSONScanner(value)
        try? scanner.object { scanner, key throws(JSONFault) in
            if key.equals("updated", in: scanner.bytes) {
                updated = try scanner.integer()
            } else {
                _ = try scanner.skipValue()
            }
        }
        guard let updated else { throw SharingError(.missingField, "updated is missing.") }
        return Timestamp(milliseconds: updated)
    }
}

extension RegionPerson {
    /// Reads a person; `nil` if the value has no `user`, and so is an object.
    fileprivate init?(_ fields: FrameFields, _ value: UnsafeRawBufferPointer) throws(SharingError) {
        guard fields.has(.user) else { return nil }
        let time = try fields.required(fields.time(.time), .time)
        guard let position = MessageData(checked: [UInt8](value)).position(at: time) else {
            throw SharingError(.missingField, "latitude or longitude of a person is missing.")
        }
        self.init(
            chat: try fields.required(fields.identifier(.chat), .chat),
            user: try fields.required(fields.identifier(.user), .user),
            name: try fields.string(.name),
            number: try fields.integer(.number, in: 1...Int64.max),
            time: time,
            position: position
        )
    }
}
