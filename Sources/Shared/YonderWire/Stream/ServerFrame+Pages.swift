import YonderModel
import YonderJSON

// Cuts long answers: the hub's lists (`ChatLists`, `ShareLists`, …) and `CatchUp` send the frames one by one, and the client
// puts them together until one says that it is current (`Subscriptions`). It can't fail. An entry is never cut. ``pageLimit``
// may change, as clients accept any size below their limit of a frame; `headerReserve` must be more than all members beside
// the entries (`ServerFrameTests`).
extension ServerFrame {
    /// The frame's text, an answer cut into pages of at most ``pageLimit`` bytes; only the last one says that it is
    /// current.
    ///
    /// An entry that is longer has a page of its own.
    package func encodedPages() -> [[UInt8]] {
        switch self {
        case .messages(let page):
            return Self.pages(page.messages, size: Self.size) { messages, isLast in
                var part = page
                part.messages = Array(messages)
                part.isCurrent = isLast && page.isCurrent
                part.through = isLast ? page.through : messages.last?.number ?? page.through
                return .messages(part)
            }
        case .chats(let id, let topic, let isCurrent, let next, let chats):
            return Self.pages(chats, size: Self.size) { chats, isLast in
                let next = isLast ? next : nil
                return .chats(id: id, topic: topic, isCurrent: isLast && isCurrent, next: next, Array(chats))
            }
        case .contacts(let id, let topic, let isCurrent, let contacts):
            return Self.pages(contacts, size: Self.size) { contacts, isLast in
                .contacts(id: id, topic: topic, isCurrent: isLast && isCurrent, Array(contacts))
            }
        case .presence(let id, let topic, let isCurrent, let online):
            return Self.pages(online, size: { _ in 22 }) { online, isLast in
                .presence(id: id, topic: topic, isCurrent: isLast && isCurrent, online: Array(online))
            }
        case .world(let id, let topic, let isCurrent, let you, let pins):
            return Self.pages(pins, size: Self.size) { pins, isLast in
                .world(id: id, topic: topic, isCurrent: isLast && isCurrent, you: you, pins: Array(pins))
            }
        case .shares(let kind, let id, let topic, let isCurrent, let shares):
            return Self.pages(shares, size: { _ in 512 }) { shares, isLast in
                .shares(kind, id: id, topic: topic, isCurrent: isLast && isCurrent, Array(shares))
            }
        case .region(let frame): return frame.encodedPages()
        default: return [encoded()]
        }
    }

    private static func pages<Element>(
        _ elements: [Element],
        size: (Element) -> Int,
        _ frame: (ArraySlice<Element>, _ isLast: Bool) -> ServerFrame
    ) -> [[UInt8]] {
        var pages: [[UInt8]] = []
        var start = 0
        var bytes = 0
        for (index, element) in elements.enumerated() {
            let size = size(element) + 1
            if index > start, bytes + size > pageLimit - headerReserve {
                pages.append(frame(elements[start..<index], false).encoded())
                start = index
                bytes = 0
            }
            bytes += size
        }
        pages.append(frame(elements[start...], true).encoded())
        return pages
    }

    /// More than a page has beside its entries.
    private static let headerReserve = 256

    private static func size(_ message: Message) -> Int {
        var writer = JSONWriter()
        writer.object(message)
        return writer.bytes.count
    }

    private static func size(_ chat: NamedChat) -> Int {
        var writer = JSONWriter()
        writer.object(chat)
        return writer.bytes.count
    }

    private static func size(_ user: User) -> Int {
        var writer = JSONWriter()
        writer.object(user)
        return writer.bytes.count
    }

    private static func size(_ pin: WorldPin) -> Int {
        var writer = JSONWriter()
        writer.object(pin)
        return writer.bytes.count
    }
}
