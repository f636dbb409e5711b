import Crypto
import YonderGeodesy

/// The nonces used recently: each may be used once with a key.
///
/// A nonce is remembered while a request with it could be valid, and for at least five minutes. When the
/// memory is full, further requests are refused, and no nonce is forgotten early. The memory is empty at
/// every start.
///
/// `Signatures` has the one of a server behind a mutex and asks it for each signed request. It is a plain value, and
/// nothing throws. The capacity bounds the memory; a key alone can't fill it. That no nonce is forgotten while its
/// request is valid must stay, or a request could be sent twice: the time is that of `SignatureClaim`'s tolerance
/// (`NonceMemoryTests`).
struct NonceMemory: Sendable {
    enum Outcome: Hashable {
        case fresh
        case used
        case full
    }

    /// The nonces that are forgotten at the same time.
    private struct Slice: Sendable {
        var nonces: Set<Mark> = []
        var counts: [String: Int] = [:]
    }

    /// The first half of the SHA-256 hash of a key and a nonce.
    struct Mark: Hashable, Sendable {
        private let high: UInt64
        private let low: UInt64

        init(_ key: String, _ nonce: String) {
            let digest = Array(SHA256.hash(data: Array("\(key)\n\(nonce)".utf8)))
            high = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// The hash, as 16 bytes.
        var bytes: [UInt8] {
            [high, low].flatMap { word in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
            }
        }
    }

    private static let sliceLength: Int64 = 60_000

    private let capacity: Int
    private let perKey: Int

    /// The slices by the minute in which they are forgotten.
    private var slices: [Int64: Slice] = [:]

    /// Creates a memory for `capacity` nonces, and for `perKey` of each key.
    init(capacity: Int = 262_144, perKey: Int = 131_072) {
        self.capacity = capacity
        self.perKey = perKey
    }

    /// The number of nonces remembered.
    var count: Int { slices.values.reduce(0) { $0 + $1.nonces.count } }

    /// Records the nonce of a request that is valid otherwise.
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
