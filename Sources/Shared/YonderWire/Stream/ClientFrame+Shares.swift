import YonderGeodesy
import YonderModel
import YonderJSON

// Reading and writing of the frames about shares, which `ClientFrame+Parsing.swift` and `ClientFrame+Writing.swift` ask
// first. A refusal names the field; nothing traps. Both directions stand here, so that a member is added to both; older
// servers refuse one that they don't know. The members are promised in `Documentation/stream.md` and tried by
// `ClientFrameTests`.
extension ClientFrame {
    /// Reads a frame about shares, or answers `nil` if it is none.
    static func share(_ fields: FrameFields) throws(SharingError) -> ClientFrame? {
        if fields.equals(.type, "heartbeat") { return try heartbeat(fields) }
        if fields.equals(.type, "share") { return try startShare(fields) }
        if fields.equals(.type, "changeShare") { return try changeShare(fields) }
        if fields.equals(.type, "stopShare") {
            try fields.allow(FrameFieldSet(.type, .key, .chat, .share))
            return .stopShare(key: try fields.key(), chat: try fields.chat(), try fields.share())
        }
        if fields.equals(.type, "stopShares") {
            try fields.allow(FrameFieldSet(.type, .key, .chat, .share, .before))
            let stop = ShareStop(
                chat: try fields.identifier(.chat),
                share: try fields.identifier(.share),
                before: try fields.nullableKeptTime(.before) ?? nil
            )
            return .stopShares(key: try fields.key(), stop)
        }
        if fields.equals(.type, "ask") {
            try fields.allow(FrameFieldSet(.type, .key, .chat, .user))
            let user = try fields.required(fields.identifier(.user), .user) as UserID
            return .ask(key: try fields.key(), chat: try fields.chat(), user: user)
        }
        return nil
    }

    private static func startShare(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .key, .chat, .until, .arrival, .keep, .battery))
        var arrival: Arrival?
        if let data = try fields.object(.arrival) { arrival = try Arrival(data) }
        let wish = ShareWish(
            until: try fields.nullableKeptTime(.until) ?? nil,
            arrival: arrival,
            keeping: try fields.keeping() ?? .kept,
            showsBattery: try fields.boolean(.battery)
        )
        return .startShare(key: try fields.key(), chat: try fields.chat(), wish)
    }

    private static func changeShare(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .key, .chat, .share, .until, .keep, .battery))
        let edit = ShareEdit(
            until: try fields.nullableKeptTime(.until),
            keeping: try fields.keeping(),
            showsBattery: try fields.boolean(.battery)
        )
        return .changeShare(key: try fields.key(), chat: try fields.chat(), try fields.share(), edit)
    }

    private static func heartbeat(_ fields: FrameFields) throws(SharingError) -> ClientFrame {
        try fields.allow(FrameFieldSet(.type, .chat, .share, .fix, .battery, .charging, .paused))
        var fix: ShareHeartbeat.Fix?
        if let data = try fields.object(.fix) { fix = try ShareHeartbeat.Fix(data) }
        let heartbeat = ShareHeartbeat(
            fix: fix,
            battery: try fields.double(.battery),
            isCharging: try fields.boolean(.charging),
            isPaused: try fields.boolean(.paused) ?? false
        )
        guard let heartbeat else { throw fields.invalid(.battery, "a number from 0 to 1") }
        return .heartbeat(chat: try fields.chat(), share: try fields.identifier(.share), heartbeat)
    }

    /// Writes a frame about shares.
    ///
    /// - Returns: `false` if it is none.
    func writeShare(_ writer: inout JSONWriter) -> Bool {
        switch self {
        case .startShare(let key, let chat, let wish):
            Self.begin("share", key, chat, &writer)
            writer.members(of: wish)
        case .changeShare(let key, let chat, let share, let edit):
            Self.begin("changeShare", key, chat, &writer)
            writer.raw(",\"share\":")
            writer.identifier(share)
            writer.members(of: edit)
        case .stopShare(let key, let chat, let share):
            Self.begin("stopShare", key, chat, &writer)
            writer.raw(",\"share\":")
            writer.identifier(share)
        case .stopShares(let key, let stop):
            writer.raw("{\"type\":\"stopShares\",\"key\":")
            writer.string(key)
            writer.members(of: stop)
        case .heartbeat(let chat, let share, let heartbeat):
            writer.raw("{\"type\":\"heartbeat\",\"chat\":")
            writer.identifier(chat)
            if let share {
                writer.raw(",\"share\":")
                writer.identifier(share)
            }
            writer.members(of: heartbeat)
        case .ask(let key, let chat, let user):
            Self.begin("ask", key, chat, &writer)
            writer.raw(",\"user\":")
            writer.identifier(user)
        default: return false
        }
        return true
    }
}

extension FrameFields {
    fileprivate func share() throws(SharingError) -> ShareID {
        try required(identifier(.share), .share)
    }

    fileprivate func keeping() throws(SharingError) -> Share.Keeping? {
        try choice(.keep, of: Share.Keeping.self, "\"kept\" or \"expiring\"")
    }
}

extension JSONWriter {
    fileprivate mutating func members(of wish: ShareWish) {
        if let until = wish.until {
            raw(",\"until\":")
            integer(until.milliseconds)
        }
        if let arrival = wish.arrival {
            raw(",\"arrival\":")
            object(arrival)
        }
        raw(wish.keeping == .kept ? ",\"keep\":\"kept\"" : ",\"keep\":\"expiring\"")
        battery(wish.showsBattery)
    }

    fileprivate mutating func members(of edit: ShareEdit) {
        if let until = edit.until {
            raw(",\"until\":")
            if let until { integer(until.milliseconds) } else { raw("null") }
        }
        if let keeping = edit.keeping {
            raw(keeping == .kept ? ",\"keep\":\"kept\"" : ",\"keep\":\"expiring\"")
        }
        battery(edit.showsBattery)
    }

    private mutating func battery(_ isShown: Bool?) {
        if let isShown { raw(isShown ? ",\"battery\":true" : ",\"battery\":false") }
    }

    fileprivate mutating func members(of heartbeat: ShareHeartbeat) {
        if let fix = heartbeat.fix {
            raw(",\"fix\":{\"time\":")
            integer(fix.time.milliseconds)
            number(",\"accuracy\":", fix.accuracy?.meters)
            number(",\"latitude\":", fix.coordinate?.latitude)
            number(",\"longitude\":", fix.coordinate?.longitude)
            raw("}")
        }
        number(",\"battery\":", heartbeat.battery)
        if let isCharging = heartbeat.isCharging {
            raw(isCharging ? ",\"charging\":true" : ",\"charging\":false")
        }
        if heartbeat.isPaused { raw(",\"paused\":true") }
    }

    private mutating func number(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        raw(name)
        double(value)
    }
}
