import Crypto
import YonderGeodesy

/// Which nonces were used lately: each is good once for a key.
///
/// One is remembered for as long as a request with it could be right, and at least for five minutes. When there is no room
/// the request is refused, and none is forgotten before its time. It begins empty at every start.
struct NonceMemory: Sendable {
    enum Outcome: Hashable {
        case fresh
        case used
        case full
    }

    /// The nonces that are forgotten at the same moment.
    private struct Slice: Sendable {
        var nonces: Set<Mark> = []
        var counts: [String: Int] = [:]
    }

    /// Half of a SHA-256 over a key and a nonce.
    private struct Mark: Hashable, Sendable {
        let high: UInt64
        let low: UInt64

        init(_ key: String, _ nonce: String) {
            let digest = Array(SHA256.hash(data: Array("\(key)\n\(nonce)".utf8)))
            high = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static let sliceLength: Int64 = 60_000

    private let capacity: Int
    private let perKey: Int

    /// By the minute in which they are forgotten.
    private var slices: [Int64: Slice] = [:]

    /// Creates a memory for so many nonces, and so many of each key.
    init(capacity: Int = 262_144, perKey: Int = 131_072) {
        self.capacity = capacity
        self.perKey = perKey
    }

    /// How many nonces it remembers.
    var count: Int { slices.values.reduce(0) { $0 + $1.nonces.count } }

    /// Takes the nonce of a request that is right otherwise.
    mutating func take(_ nonce: String, of key: String, signed time: Timestamp, at now: Timestamp) -> Outcome
    {
        let minute = now.milliseconds / Self.sliceLength
        for end in slices.keys where end < minute { slices[end] = nil }
        let mark = Mark(key, nonce)
        guard !slices.values.contains(where: { $0.nonces.contains(mark) }) else { return .used }
        let ofKey = slices.values.reduce(0) { $0 + ($1.counts[key] ?? 0) }
        guard count < capacity, ofKey < perKey else { return .full }
        let end = (max(time, now) + SignatureClaim.tolerance).milliseconds / Self.sliceLength
        slices[end, default: Slice()].nonces.insert(mark)
        slices[end, default: Slice()].counts[key, default: 0] += 1
        return .fresh
    }
}
