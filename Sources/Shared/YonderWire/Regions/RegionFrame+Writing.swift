import YonderGeodesy
import YonderModel
package import YonderJSON

extension RegionFrame {
    /// The frame cut into pages of at most ``ServerFrame/pageLimit`` bytes; in an answer only the last page
    /// is current.
    func encodedPages() -> [[UInt8]] {
        pages(limit: ServerFrame.pageLimit)
    }

    fileprivate func pages(limit: Int) -> [[UInt8]] {
        var writer = RegionPageWriter(topic: topic, limit: limit)
        for key in left { writer.append(.left) { $0.regionKey(key) } }
        for item in entered { writer.append(.entered) { $0.regionItem(item) } }
        for item in changed { writer.append(.changed) { $0.regionItem(item) } }
        for move in moved { writer.append(.moved) { $0.regionMove(move) } }
        return writer.finish(total: total, answer: answer)
    }
}

/// Writes the frames of a live region, page by page, from pieces of JSON.
///
/// A sender with many subscribers encodes each item once, and appends the same bytes to each subscriber's
/// pages.
///
/// The hub's regions call ``begin(topic:)``, any number of `append`, and ``finish(total:answer:)``, and so on for the next
/// subscription. Nothing fails; an item that is larger than a page gets a page of its own. Clients of every version read the
/// frames (`RegionFrame+Parsing.swift`): names and forms must stay (decision 9, `Documentation/stream.md`,
/// `DocumentedFrameTests`).
///
/// The size of a page may change with `ServerFrame.pageLimit`; `headerReserve` must be more than all members beside the
/// items.
package struct RegionPageWriter {
    /// The lists of items that a server's frame about a region has, one for each kind of change.
    package enum List: Int, CaseIterable, Sendable {
        case left, entered, changed, moved

        fileprivate var name: StaticString {
            switch self {
            case .left: ",\"left\":["
            case .entered: ",\"entered\":["
            case .changed: ",\"changed\":["
            case .moved: ",\"moved\":["
            }
        }
    }

    private var topic: Int64
    private let limit: Int

    // A page's lists by number; each piece is followed by a comma.
    private var lists: InlineArray<4, [UInt8]> = .init(repeating: [])
    private var bytes = 0

    /// The number of bytes appended.
    package private(set) var byteCount = 0
    private var full: [InlineArray<4, [UInt8]>] = []
    private var piece = JSONWriter()

    // An upper bound for a frame's bytes outside its lists: names, four numbers, and a field's name.
    private static let headerReserve = 320

    /// Begins the pages of a subscription.
    ///
    /// - Parameters:
    ///   - topic: The subscription's topic.
    ///   - limit: The most bytes of a page, unless a single item has more.
    package init(topic: Int64, limit: Int = ServerFrame.pageLimit) {
        self.topic = topic
        self.limit = limit - Self.headerReserve
    }

    /// Begins the pages of another subscription, after ``finish(total:answer:)``.
    ///
    /// - Parameter topic: That subscription's topic.
    package mutating func begin(topic: Int64) {
        self.topic = topic
    }

    /// Whether no piece was appended.
    package var isEmpty: Bool { byteCount == 0 }

    /// Appends an encoded item to a list.
    package mutating func append(_ piece: some Collection<UInt8>, to list: List) {
        makeRoom(piece.count + 1)
        lists[list.rawValue].append(contentsOf: piece)
        lists[list.rawValue].append(UInt8(ascii: ","))
    }

    /// Appends the JSON that `write` produces to a list.
    package mutating func append(_ list: List, _ write: (inout JSONWriter) -> Void) {
        piece.removeAll()
        write(&piece)
        append(piece.bytes, to: list)
    }

    private mutating func makeRoom(_ count: Int) {
        if bytes > 0, bytes + count > limit {
            full.append(lists)
            lists = .init(repeating: [])
            bytes = 0
        }
        bytes += count
        byteCount += count
    }

    /// Ends the pages of this subscription and returns them.
    ///
    /// - Parameters:
    ///   - total: The number of items inside, or `nil` to leave it out. It is written on each page of an
    ///     answer, and on the last page of a change.
    ///   - answer: The request that is answered, or `nil` for an update; only the last page is current.
    /// - Returns: The frames: at least one.
    package mutating func finish(total: Int?, answer: RegionFrame.Answer?) -> [[UInt8]] {
        var encoded = full.map { frame($0, total, answer, isLast: false) }
        encoded.append(frame(lists, total, answer, isLast: true))
        full.removeAll()
        for index in lists.indices { lists[index].removeAll(keepingCapacity: true) }
        (bytes, byteCount) = (0, 0)
        return encoded
    }

    private func frame(
        _ lists: InlineArray<4, [UInt8]>,
        _ total: Int?,
        _ answer: RegionFrame.Answer?,
        isLast: Bool
    ) -> [UInt8] {
        var size = 0
        for index in lists.indices { size += lists[index].count }
        var writer = JSONWriter(capacity: size + Self.headerReserve)
        writer.beginRegion(topic, answer, isLast: isLast)
        if let total, answer != nil || isLast {
            writer.raw(",\"total\":")
            writer.integer(Int64(total))
        }
        if let answer { writer.end(answer) }
        for list in List.allCases where !lists[list.rawValue].isEmpty {
            writer.raw(list.name)
            writer.raw(lists[list.rawValue].dropLast())
            writer.raw("]")
        }
        writer.raw("}")
        return writer.bytes
    }
}

extension JSONWriter {
    /// Appends a region's frame as one page, without its closing brace.
    mutating func members(of frame: RegionFrame) {
        for page in frame.pages(limit: Int.max) { raw(page.dropLast()) }
    }

    fileprivate mutating func beginRegion(_ topic: Int64, _ answer: RegionFrame.Answer?, isLast: Bool) {
        raw("{\"type\":\"region\"")
        if let answer {
            raw(",\"id\":")
            integer(answer.id)
        }
        raw(",\"topic\":")
        integer(topic)
        guard let answer else { return }
        raw(",\"step\":")
        integer(answer.step)
        raw(isLast && answer.isCurrent ? ",\"current\":true" : ",\"current\":false")
    }

    fileprivate mutating func end(_ answer: RegionFrame.Answer) {
        if let limit = answer.limit {
            raw(",\"limit\":")
            integer(Int64(limit))
        }
        if let field = answer.field {
            raw(",\"field\":")
            string(field.description)
        }
    }

    /// Appends the key of an item in a region.
    package mutating func regionKey(_ key: RegionKey) {
        raw("\"")
        switch key {
        case .object(let id): integer(id.rawValue)
        case .person(let chat, let user):
            integer(chat.rawValue)
            raw("/")
            integer(user.rawValue)
        }
        raw("\"")
    }

    /// Appends an item in a region, whole.
    package mutating func regionItem(_ item: RegionItem) {
        switch item {
        case .object(let object): record(object)
        case .person(let person): regionPerson(person)
        }
    }

    /// Appends the new position of an item in a region.
    package mutating func regionMove(_ move: RegionMove) {
        switch move {
        case .object(let move): objectMove(move)
        case .person(let person): regionPerson(person)
        }
    }

    /// Appends the new position of an object.
    package mutating func objectMove(_ move: ObjectMove) {
        raw("{\"id\":")
        identifier(move.id)
        raw(",\"latitude\":")
        degrees(move.coordinate.latitude)
        raw(",\"longitude\":")
        degrees(move.coordinate.longitude)
        if let altitude = move.altitude {
            raw(",\"altitude\":")
            shortest(altitude.meters)
        }
        raw(",\"updated\":")
        integer(move.updated.milliseconds)
        raw("}")
    }

    /// Appends a person; the position's time is written only if it differs from the message's.
    package mutating func regionPerson(_ person: RegionPerson) {
        raw("{\"chat\":")
        identifier(person.chat)
        raw(",\"user\":")
        identifier(person.user)
        if let name = person.name {
            raw(",\"name\":")
            string(name)
        }
        if let number = person.number {
            raw(",\"number\":")
            integer(number)
        }
        raw(",\"time\":")
        integer(person.time.milliseconds)
        raw(",\"latitude\":")
        double(person.position.coordinate.latitude)
        raw(",\"longitude\":")
        double(person.position.coordinate.longitude)
        rest(of: person.position)
        if person.position.timestamp != person.time {
            raw(",\"timestamp\":")
            integer(person.position.timestamp.milliseconds)
        }
        raw("}")
    }
}
