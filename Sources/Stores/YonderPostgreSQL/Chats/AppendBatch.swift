#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// Messages for one call of `append_v2`: many chats, each in the order of its messages.
///
/// `ChatWriter` fills one with decided messages, a key once, calls the function with its parameters, and reads each chat's
/// part of the answer by its place. A plain value; nothing throws. If the call's outcome is unknown, the same messages go
/// into a next batch, where their keys find what was stored.
///
/// The order and the types of the parameters are those of the function in `SchemaSteps+Ordering.swift`: a change of either
/// needs a function of another name, as servers of the version before call this one (decision 30, `AppendTests`).
///
/// That messages of one chat keep their order must stay; how many a batch has is `ChatWriter`'s choice.
struct AppendBatch {
    /// A message that is to get the next number of its chat.
    struct Entry {
        let item: WriteItem
        let message: Message

        /// Its chat's place in the batch, from 0, and its rank there, from 1.
        let place: Int
        let rank: Int

        /// Its rank among the written messages, the number of which is what the rank is in another message.
        let writtenRank: Int64
    }

    /// A chat of the batch.
    private struct Part {
        let id: ChatID
        let version: Int64
        var count: Int64 = 0
        var written: Int64 = 0
        var active: Int64?
    }

    /// A sender of positions in a chat.
    private struct Mover {
        let place: Int
        let sender: UserID
        let seen: Int64
        var rank: Int64
    }

    private struct Key: Hashable {
        let chat: ChatID
        let sender: UserID
        let bytes: [UInt8]

        init(_ submission: Submission) {
            chat = submission.chat
            sender = submission.sender
            bytes = Array(submission.key.utf8)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(chat)
            hasher.combine(sender)
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private(set) var entries: [Entry] = []
    private var parts: [Part] = []
    private var places: [ChatID: Int] = [:]
    private var movers: [Mover] = []
    private var moverPlaces: [Int: [UserID: Int]] = [:]
    private var keys: Set<Key> = []

    /// Whether the call locks its chats before it looks up keys, because an earlier call with one of the messages failed as
    /// a duplicate.
    private(set) var locks = false

    /// Makes room for messages.
    init(capacity: Int = 0) {
        entries.reserveCapacity(capacity)
        keys.reserveCapacity(capacity)
    }

    /// The chats, in the order of the answer.
    var chats: [ChatID] { parts.map(\.id) }

    /// Whether a key is in the batch already, so that the submission must wait for the next one.
    func has(_ submission: Submission) -> Bool { keys.contains(Key(submission)) }

    /// Adds a decided message; for a position, `seen` is the number of the sender's last one that isn't late, before this
    /// batch.
    mutating func append(_ item: WriteItem, _ message: Message, version: Int64, seen: Int64?) {
        let place = place(of: message.chat, version)
        parts[place].count += 1
        if message.written != nil { parts[place].written += 1 }
        if message.tag.isActivity {
            parts[place].active = max(parts[place].active ?? .min, message.time.milliseconds)
        }
        let rank = Int(parts[place].count)
        entries.append(
            Entry(item: item, message: message, place: place, rank: rank, writtenRank: parts[place].written)
        )
        keys.insert(Key(item.submission))
        if item.conflicts > 0 { locks = true }
        if let seen { move(message, place, rank: Int64(rank), seen) }
    }

    private mutating func place(of chat: ChatID, _ version: Int64) -> Int {
        if let place = places[chat] { return place }
        places[chat] = parts.count
        parts.append(Part(id: chat, version: version))
        return parts.count - 1
    }

    private mutating func move(_ message: Message, _ place: Int, rank: Int64, _ seen: Int64) {
        let last = message.isLate ? 0 : rank
        if let known = moverPlaces[place]?[message.sender] {
            movers[known].rank = max(movers[known].rank, last)
        } else {
            moverPlaces[place, default: [:]][message.sender] = movers.count
            movers.append(Mover(place: place, sender: message.sender, seen: seen, rank: last))
        }
    }

    /// What `append_v2` takes.
    var parameters: [Parameter] {
        let moving = Set(movers.map(\.place))
        return [
            .bool(locks),
            .ints(parts.map(\.id.rawValue)), .ints(parts.map(\.version)), .ints(parts.map(\.count)),
            .ints(parts.map(\.written)),
            .optionalInts(parts.indices.map { moving.contains($0) ? nil : parts[$0].active }),
            .shorts(entries.map { Int32($0.place + 1) }), .shorts(entries.map { Int32($0.rank) }),
            .ints(entries.map(\.message.sender.rawValue)), .texts(entries.map(\.message.tag.rawValue)),
            .utf8s(entries.map(\.message.content)),
            .byteArrays(entries.map { $0.message.data?.bytes }),
            .ints(entries.map(\.message.time.milliseconds)),
            .optionalInts(entries.map { $0.message.expires?.milliseconds }),
            .utf8s(entries.map(\.item.submission.key)),
            .ints(entries.map { $0.item.submission.keptFingerprint(with: $0.message) }),
            .optionalInts(entries.map { $0.message.written == nil ? nil : $0.writtenRank }),
            .optionalInts(entries.map { $0.message.share?.rawValue }),
            .optionalInts(entries.map(\.message.lateness)),
            .shorts(movers.map { Int32($0.place + 1) }), .ints(movers.map(\.sender.rawValue)),
            .ints(movers.map(\.seen)), .ints(movers.map(\.rank)),
            .optionalInts(movers.map { parts[$0.place].active }),
        ]
    }

    /// The answer for a chat of which nothing was written, because a sender has a newer position.
    static let behindPosition: Int64 = -2

    static let statement = Statement(
        name: "append_v2",
        sql: """
            SELECT bases, written, floors FROM append_v2(
                $1::boolean, $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::int[], $8::int[],
                $9::bigint[], $10::text[], $11::bytea[], $12::bytea[], $13::bigint[], $14::bigint[], $15::bytea[],
                $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::int[], $21::bigint[], $22::bigint[],
                $23::bigint[], $24::bigint[]
            )
            """
    )
}

extension AppendBatch.Entry {
    /// The answer, once the chat's numbers, its written messages and its newest time before the batch are known.
    func acceptance(base: Int64, written: Int64, notBefore floor: Timestamp) -> Submission.Acceptance {
        var stored = Message(
            chat: message.chat,
            number: base + Int64(rank),
            sender: message.sender,
            tag: message.tag,
            content: message.content,
            data: message.data,
            time: max(message.time, floor),
            expires: message.expires,
            written: message.written == nil ? nil : written + writtenRank,
            isLate: message.isLate,
            isRecalled: message.isRecalled
        )
        stored.share = message.share
        return Submission.Acceptance(message: stored, isRepeat: false, written: written + writtenRank)
    }
}

/// A submission on its way through a commit.
struct WriteItem {
    /// Its request, and its place there.
    let request: Int
    let place: Int

    let submission: Submission

    /// Whether it was sent and the outcome isn't known: then it may find itself under its key.
    var wasSent = false

    /// How often a row of its keys existed unexpectedly.
    var conflicts = 0

    /// How often a statement with this item timed out on a lock.
    var lockTimeouts = 0

    /// Whether a stored message is this submission's own, from an attempt whose answer was lost.
    ///
    /// Its time is that of the submission, or was raised to that of the message before it.
    func isOwn(_ message: Message) -> Bool { wasSent && message.time >= submission.time }
}
#endif
