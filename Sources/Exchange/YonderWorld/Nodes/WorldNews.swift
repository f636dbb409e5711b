package import YonderBus
import YonderWire

/// A member of the world with its position, which is empty before the first.
package struct MemberPin: Hashable, Sendable {
    package let member: WorldID
    package let position: [UInt8]

    package init(_ member: WorldID, at position: [UInt8]) {
        self.member = member
        self.position = position
    }
}

/// The content of a frame about a node's members of the world.
///
/// `Exchange+World.swift` publishes what happened on this node, and all pins when another node asks;
/// `WorldReplica` reads those of other nodes. Bytes that aren't a frame throw `BusFault`, and the node asks for all pins
/// again.
///
/// The bytes must stay as they are, as nodes of two versions run side by side: a new kind is a new first byte (decision
/// 33, `WorldNewsTests`). The limit of a frame's bytes may be lowered; above half of the bus's limit a frame with one
/// long event wouldn't fit.
package enum WorldNews: Hashable, Sendable {
    /// Events of the node's members, in the order in which they happened.
    case happened([WorldEvent])

    /// A part of all pins of the node, as they are when the frame is sent; parts are counted from 0.
    case pins([MemberPin], part: Int, isLast: Bool)

    /// The most bytes of one frame's events or pins: half of a frame's limit.
    package static let byteLimit = BusFrame.byteLimit / 2

    /// The highest number of a part: a world has fewer pins.
    private static let partLimit = 1_000_000

    /// The frames of events, each of a bounded size.
    package static func frames(of events: [WorldEvent]) -> [WorldNews] {
        var frames: [WorldNews] = []
        var (first, bytes) = (0, 0)
        for (index, event) in events.enumerated() {
            if bytes + event.byteCount > byteLimit {
                frames.append(.happened(Array(events[first..<index])))
                (first, bytes) = (index, 0)
            }
            bytes += event.byteCount
        }
        if first < events.count { frames.append(.happened(Array(events[first...]))) }
        return frames
    }
}

extension MemberPin {
    /// The pin's size in a frame, in bytes.
    var byteCount: Int { 18 + position.count }
}

extension WorldEvent {
    /// The event's size in a frame, in bytes.
    fileprivate var byteCount: Int { 19 + (position?.count ?? 0) }

    /// The member's position after the event: empty before the first position, `nil` if the member has left.
    var position: [UInt8]? {
        switch self {
        case .joined: []
        case .moved(_, let position): position
        case .left: nil
        }
    }
}

// MARK: Bytes

/// The kinds of news and of events, as they stand in a frame; their numbers never change.
private enum Kind {
    static let happened: UInt8 = 0
    static let pins: UInt8 = 1

    static let joined: UInt8 = 0
    static let moved: UInt8 = 1
    static let left: UInt8 = 2
}

extension WorldNews {
    /// The bytes of the news, behind a byte for their kind.
    package func encoded() -> [UInt8] {
        var writer = BusWriter()
        switch self {
        case .happened(let events):
            writer.byte(Kind.happened)
            writer.list(events) { $0.event($1) }
        case .pins(let pins, let part, let isLast):
            writer.byte(Kind.pins)
            writer.integer(Int64(part))
            writer.flag(isLast)
            writer.list(pins) { writer, pin in
                writer.text(pin.member.description)
                writer.blob(pin.position)
            }
        }
        return writer.bytes
    }

    /// Reads news.
    ///
    /// - Throws: `BusFault` for bytes that can't be decoded, and for a name or a position that no member can have.
    package init(_ bytes: [UInt8]) throws(BusFault) {
        var reader = BusReader(bytes)
        switch try reader.byte() {
        case Kind.happened:
            self = .happened(try reader.list { reader throws(BusFault) in try reader.event() })
        case Kind.pins:
            let (part, isLast) = (try reader.count(upTo: Self.partLimit), try reader.flag())
            let pins = try reader.list { reader throws(BusFault) in
                MemberPin(try reader.member(), at: try reader.position(orEmpty: true))
            }
            self = .pins(pins, part: part, isLast: isLast)
        default: throw reader.fault
        }
        guard reader.isAtEnd else { throw reader.fault }
    }
}

extension BusWriter {
    fileprivate mutating func event(_ event: WorldEvent) {
        switch event {
        case .joined: byte(Kind.joined)
        case .moved: byte(Kind.moved)
        case .left: byte(Kind.left)
        }
        text(event.member.description)
        if case .moved(_, let position) = event { blob(position) }
    }
}

extension BusReader {
    fileprivate mutating func event() throws(BusFault) -> WorldEvent {
        switch try byte() {
        case Kind.joined: .joined(try member())
        case Kind.moved: .moved(try member(), at: try position(orEmpty: false))
        case Kind.left: .left(try member())
        default: throw fault
        }
    }

    fileprivate mutating func member() throws(BusFault) -> WorldID {
        try checked(WorldID(try blob()))
    }

    /// A position; checked, because its bytes are sent to members inside JSON.
    fileprivate mutating func position(orEmpty mayBeEmpty: Bool) throws(BusFault) -> [UInt8] {
        let bytes = try blob()
        if bytes.isEmpty, mayBeEmpty { return bytes }
        return try checked(WorldPosition(bytes)).bytes
    }
}
