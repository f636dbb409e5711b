import YonderGeodesy
import YonderModel
import YonderRules

// The bytes of what a commit published, in a frame between nodes: for each value a function of the writer and one of the
// reader, in the same order of fields. Reading throws a `BusFault` for what can't be, never traps, and never makes a value
// that the model wouldn't; the node then reads the store. A changed form raises `BusFrame.version` (`BusFrameTests`).
// `BusFrame+Coding.swift` calls it for frames of commits and shares.
extension BusWriter {
    mutating func id<Subject>(_ id: Identifier<Subject>) { integer(id.rawValue) }

    /// Writes a time, which other nodes read if it is one of ``Timestamp/ofPeers``; another one, as of years ago, becomes the nearest.
    mutating func time(_ time: Timestamp) {
        let range = Timestamp.ofPeers
        integer(min(max(time.milliseconds, range.lowerBound), range.upperBound))
    }

    mutating func published(_ published: Published) {
        message(published.message)
        blob(published.body)
        list(published.moved) { $0.participant($1) }
        optional(published.recalled) { $0.message($1) }
        integer(published.written)
        list(published.shares) { $0.share($1) }
        flag(published.message.isKept)
    }

    private mutating func message(_ message: Message) {
        id(message.chat)
        integer(message.number ?? 0)
        id(message.sender)
        text(message.tag.rawValue)
        text(message.content)
        optional(message.data) { $0.blob($1.bytes) }
        time(message.time)
        optional(message.expires) { $0.time($1) }
        optional(message.written) { $0.integer($1) }
        flag(message.isLate)
        flag(message.isRecalled)
        optional(message.share) { $0.id($1) }
    }

    private mutating func participant(_ participant: Participant) {
        id(participant.user)
        text(participant.roleWord)
        integer(Int64(participant.color))
        list(participant.spans) { writer, span in
            writer.integer(span.first)
            writer.optional(span.last) { $0.integer($1) }
        }
    }

    mutating func share(_ share: Share) {
        id(share.id)
        id(share.chat)
        id(share.user)
        time(share.started)
        optional(share.until) { $0.time($1) }
        optional(share.arrival) { writer, arrival in
            writer.real(arrival.coordinate.latitude)
            writer.real(arrival.coordinate.longitude)
            writer.real(arrival.radius.meters)
        }
        text(share.keepingWord)
        flag(share.showsBattery)
        optional(share.source) { $0.integer($1) }
        integer(share.after)
        optional(share.end) { writer, end in
            writer.time(end.time)
            writer.text(end.endingWord)
        }
        flag(share.isErased)
    }
}

extension BusReader {
    mutating func id<Subject>() throws(BusFault) -> Identifier<Subject> {
        try checked(Identifier(try integer(in: 0...(.max))))
    }

    /// A time of ``Timestamp/ofPeers``.
    mutating func time() throws(BusFault) -> Timestamp {
        Timestamp(milliseconds: try integer(in: Timestamp.ofPeers))
    }

    /// The number of a message, which is 0 on the bus for a message that isn't kept.
    private mutating func messageNumber() throws(BusFault) -> Int64? {
        let number = try number()
        return number == 0 ? nil : number
    }

    /// A distance in meters, which is finite.
    mutating func distance() throws(BusFault) -> Distance { try checked(Distance(meters: try real())) }

    private mutating func optionalTime() throws(BusFault) -> Timestamp? {
        try optional { reader throws(BusFault) in try reader.time() }
    }

    private mutating func optionalNumber() throws(BusFault) -> Int64? {
        try optional { reader throws(BusFault) in try reader.number() }
    }

    mutating func published() throws(BusFault) -> Published {
        let published = Published(
            try message(),
            body: try blob(),
            moved: try list { reader throws(BusFault) in try reader.participant() },
            recalled: try optional { reader throws(BusFault) in try reader.message() },
            written: try number(),
            shares: try list { reader throws(BusFault) in try reader.share() }
        )
        guard try flag() == published.message.isKept else { throw fault }
        return published
    }

    private mutating func message() throws(BusFault) -> Message {
        var message = Message(
            chat: try id(),
            number: try messageNumber(),
            sender: try id(),
            tag: try checked(MessageTag(try text())),
            content: try text(),
            data: try optional { reader throws(BusFault) in MessageData(checked: try reader.blob()) },
            time: try time(),
            expires: try optionalTime(),
            written: try optionalNumber(),
            isLate: try flag(),
            isRecalled: try flag()
        )
        message.share = try optional { reader throws(BusFault) in try reader.id() }
        return message
    }

    private mutating func participant() throws(BusFault) -> Participant {
        let user: UserID = try id()
        let role = try text()
        var participant = Participant(
            user: user,
            role: .member,
            color: try count(upTo: Int(Int32.max)),
            spans: try list { reader throws(BusFault) in
                ParticipationSpan(first: try reader.number(), last: try reader.optionalNumber())
            }
        )
        participant.setRole(word: role)
        return participant
    }

    mutating func share() throws(BusFault) -> Share {
        let id: ShareID = try id()
        let (chat, user): (ChatID, UserID) = (try self.id(), try self.id())
        let (started, until) = (try time(), try optionalTime())
        let arrival = try optional { reader throws(BusFault) in try reader.arrival() }
        let keeping = try text()
        var share = Share(
            id: id,
            chat: chat,
            user: user,
            started: started,
            until: until,
            arrival: arrival,
            keeping: .expiring,
            showsBattery: try flag(),
            source: try optional { reader throws(BusFault) in Int64(bitPattern: try reader.mark()) },
            after: try number(),
            end: try optional { reader throws(BusFault) in
                Share.End(time: try reader.time(), word: try reader.text())
            },
            isErased: try flag()
        )
        share.setKeeping(word: keeping)
        return share
    }

    private mutating func arrival() throws(BusFault) -> Arrival {
        let coordinate = try checked(Coordinate(latitude: try real(), longitude: try real()))
        return try checked(Arrival(coordinate: coordinate, radius: try distance()))
    }
}
