import YonderModel
import YonderRules

// The bytes of a frame between nodes. `NodeLink` writes each frame that it publishes, and reads each that the bus delivers;
// a frame that can't be read is counted and taken for lost, and the node reads the store instead. Nodes of two versions run side by side
// while a cluster is updated: a kind's number and form never change, a new kind gets the next number, and a changed form
// raises `BusFrame.version` (decision 32, `BusFrameTests`). Values are in the files beside this one.
extension BusFrame {
    /// The frame's bytes: the version, the node, the number, the time, and the content behind a byte for its kind.
    package func encoded() -> [UInt8] {
        var writer = BusWriter()
        writer.byte(Self.version)
        writer.integer(node)
        writer.integer(number)
        writer.time(sent)
        writer.content(content)
        return writer.bytes
    }

    /// The node and the number of a frame whose content may not be readable.
    ///
    /// - Returns: `nil` for another version, or fewer bytes.
    static func head(of bytes: [UInt8]) -> (node: UInt64, number: UInt64)? {
        var reader = BusReader(bytes)
        guard let version = try? reader.byte(), version == Self.version, let node = try? reader.mark(),
            let number = try? reader.mark()
        else { return nil }
        return (node, number)
    }

    /// Reads a frame.
    ///
    /// - Throws: ``BusFault`` for another version or form.
    package init(_ bytes: [UInt8]) throws(BusFault) {
        var reader = BusReader(bytes)
        guard try reader.byte() == Self.version else { throw BusFault() }
        node = try reader.mark()
        number = try reader.mark()
        sent = try reader.time()
        content = try reader.content()
        guard reader.isAtEnd else { throw BusFault() }
    }
}

/// The kinds of content, as they stand in a frame; their numbers never change.
private enum Kind: UInt8 {
    case alive = 0
    case leaving = 1
    case committed = 2
    case passed = 3
    case read = 4
    case started = 5
    case userChanged = 6
    case contactChanged = 7
    case ended = 8
    case asked = 10
    case blocked = 11
    case presence = 12
    case present = 13
    case ask = 14
    case world = 15
    case request = 16
    case answer = 17
    case heartbeat = 18
    case written = 19
    case objectsChanged = 20
    case definitionsChanged = 21
    case shares = 22
    case answered = 23
}

extension BusWriter {
    private mutating func kind(_ kind: Kind) { byte(kind.rawValue) }

    fileprivate mutating func content(_ content: BusContent) {
        switch content {
        case .alive(let hasStore):
            kind(.alive)
            flag(hasStore)
        case .leaving: kind(.leaving)
        case .committed(let messages):
            kind(.committed)
            list(messages) { $0.published($1) }
        case .passed(let message, let last):
            kind(.passed)
            published(message)
            integer(last)
        case .read(let moves):
            kind(.read)
            list(moves) { $0.move($1) }
        case .started(let chat):
            kind(.started)
            id(chat)
        case .userChanged(let user, let showsReads):
            kind(.userChanged)
            id(user)
            optional(showsReads) { $0.flag($1) }
        case .contactChanged(let contact, let user):
            kind(.contactChanged)
            id(contact)
            id(user)
        case .ended(let change):
            kind(.ended)
            signIns(change)
        case .heartbeat(let heartbeat, let share, let user, let chat):
            kind(.heartbeat)
            self.heartbeat(heartbeat)
            id(share)
            id(user)
            id(chat)
        default: talk(content)
        }
    }

    private mutating func talk(_ content: BusContent) {
        switch content {
        case .written(let use, let writer):
            kind(.written)
            written(use, by: writer)
        case .answered(let positions, let user):
            kind(.answered)
            integer(Int64(positions))
            id(user)
        case .asked(let user, let chat, let asker):
            kind(.asked)
            id(user)
            id(chat)
            id(asker)
        case .blocked(let change):
            kind(.blocked)
            id(change.chat)
            id(change.blocker)
            flag(change.isBlocked)
            integer(change.number)
        case .presence(let came, let gone):
            kind(.presence)
            list(came) { $0.id($1) }
            list(gone) { $0.id($1) }
        case .present(let page):
            kind(.present)
            list(page.users) { $0.id($1) }
            integer(Int64(page.number))
            integer(Int64(page.count))
        case .ask(let node):
            kind(.ask)
            integer(node)
        case .world(let news):
            kind(.world)
            blob(news)
        case .request(let node, let number, let bytes):
            kind(.request)
            integer(node)
            integer(number)
            blob(bytes)
        case .answer(let part):
            kind(.answer)
            integer(part.node)
            integer(part.request)
            integer(Int64(part.number))
            flag(part.isLast)
            optional(part.bytes) { $0.blob($1) }
        case .objectsChanged(let changes):
            kind(.objectsChanged)
            list(changes) { $0.laneChange($1) }
        case .definitionsChanged: kind(.definitionsChanged)
        case .shares(let shares):
            kind(.shares)
            list(shares) { $0.share($1) }
        default: break
        }
    }

    private mutating func signIns(_ change: SignInChange) {
        id(change.user)
        integer(change.versions.lowerBound)
        integer(change.versions.upperBound)
        switch change.ended {
        case .all: byte(0)
        case .role: byte(1)
        case .credentials(let credentials):
            byte(2)
            list(credentials) { $0.blob($1.bytes) }
        }
    }

    private mutating func move(_ move: ReadMove) {
        id(move.mark.chat)
        id(move.mark.reader)
        integer(move.mark.number)
        integer(move.outcome.position.number)
        integer(move.outcome.position.written)
        flag(move.outcome.hasMoved)
        flag(move.outcome.isShown)
    }
}

extension BusReader {
    fileprivate mutating func content() throws(BusFault) -> BusContent {
        switch try checked(Kind(rawValue: try byte())) {
        case .alive: .alive(hasStore: try flag())
        case .leaving: .leaving
        case .committed:
            .committed(try list { reader throws(BusFault) in try reader.published() })
        case .passed: .passed(try published(), last: try number())
        case .read: .read(try list { reader throws(BusFault) in try reader.move() })
        case .started: .started(try id())
        case .userChanged:
            .userChanged(
                try id(),
                showsReads: try optional { reader throws(BusFault) in try reader.flag() }
            )
        case .contactChanged: .contactChanged(try id(), of: try id())
        case .ended: .ended(try signIns())
        case .heartbeat: .heartbeat(try heartbeat(), share: try id(), user: try id(), chat: try id())
        case .written: .written(try writeUse(), by: try writer())
        case .answered: .answered(try use(), to: try id())
        case .asked: .asked(try id(), chat: try id(), by: try id())
        case .blocked:
            .blocked(
                BlockChange(
                    chat: try id(),
                    blocker: try id(),
                    isBlocked: try flag(),
                    number: try number()
                )
            )
        case .presence: .presence(came: try users(), gone: try users())
        case .present: .present(try page())
        case .ask: .ask(try mark())
        case .world: .world(try blob())
        case .request: .request(to: try mark(), number: try mark(), try blob())
        case .answer: .answer(try part())
        case .objectsChanged:
            .objectsChanged(try list { reader throws(BusFault) in try reader.laneChange() })
        case .definitionsChanged: .definitionsChanged
        case .shares: .shares(try list { reader throws(BusFault) in try reader.share() })
        }
    }

    private mutating func part() throws(BusFault) -> AnswerPart {
        AnswerPart(
            node: try mark(),
            request: try mark(),
            number: try count(upTo: AnswerPart.limit),
            isLast: try flag(),
            bytes: try optional { reader throws(BusFault) in try reader.blob() }
        )
    }

    private mutating func signIns() throws(BusFault) -> SignInChange {
        // Any version up to the highest is one way to say *all*; versions are compared alone.
        let (user, first) = (try id() as UserID, try integer(in: 0...(.max)))
        let last = try integer(in: first...(.max))
        let ended: SignInChange.Ended
        switch try byte() {
        case 0: ended = .all
        case 1: ended = .role
        case 2:
            ended = .credentials(
                try list { reader throws(BusFault) in try reader.checked(SecretHash(try reader.blob())) }
            )
        default: throw BusFault()
        }
        return SignInChange(user, versions: first...last, ended: ended)
    }

    private mutating func page() throws(BusFault) -> PresencePage {
        let (users, number) = (try users(), try count(upTo: PresencePage.limit - 1))
        let count = try count(upTo: PresencePage.limit)
        guard number < count else { throw BusFault() }
        return PresencePage(users: users, number: number, count: count)
    }

    private mutating func users() throws(BusFault) -> [UserID] {
        try list { reader throws(BusFault) in try reader.id() }
    }

    private mutating func move() throws(BusFault) -> ReadMove {
        let mark = ReadMark(chat: try id(), reader: try id(), number: try number())
        let position = ReadPosition(number: try number(), written: try number())
        let outcome = ReadMark.Outcome(position: position, hasMoved: try flag(), isShown: try flag())
        return ReadMove(mark: mark, outcome: outcome)
    }
}
