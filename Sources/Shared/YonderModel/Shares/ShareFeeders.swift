package import YonderGeodesy

/// The sign-ins that feed a share: that started it, or sent it a position or a heartbeat.
///
/// Each is the number of its stored secret hash, by which implicit shares name theirs. The newest four are kept: a share ends
/// once all of them have ended. A full list takes another sign-in at most once a minute, so that any number of sign-ins
/// that take turns cost one write a minute; one that isn't taken is taken with a later report. A value; its ``bytes`` are
/// what stores keep, and a part of them that can't be read is left out.
package struct ShareFeeders: Hashable, Sendable {
    private struct Feeder: Hashable, Sendable {
        let source: Int64
        let since: Timestamp
    }

    /// How many sign-ins are kept.
    package static let limit = 4

    /// How long a full list stays as it is.
    package static let pause = Duration.seconds(60)

    private var feeders: [Feeder] = []

    /// Creates a list without a sign-in.
    package init() {}

    /// The numbers of the sign-ins, the one that fed the share first first.
    package var sources: [Int64] { feeders.map(\.source) }

    /// Whether no sign-in is known, as of a share that an earlier version started.
    package var isEmpty: Bool { feeders.isEmpty }

    /// Whether a report of this sign-in changes the list.
    package func takes(_ source: Int64, at now: Timestamp) -> Bool {
        // 0 is no sign-in.
        guard source != 0, !feeders.contains(where: { $0.source == source }) else { return false }
        guard feeders.count >= Self.limit, let newest = feeders.last else { return true }
        return !(.zero..<Self.pause).contains(now - newest.since)
    }

    /// Adds a sign-in, in place of the oldest of four, if ``takes(_:at:)`` says so.
    package mutating func add(_ source: Int64, at now: Timestamp) {
        guard takes(source, at: now) else { return }
        if feeders.count >= Self.limit { feeders.removeFirst() }
        feeders.append(Feeder(source: source, since: now))
    }
}

extension ShareFeeders {
    /// Reads a list: 16 bytes a sign-in, its number and since when it is in the list, most significant byte first.
    package init(bytes: [UInt8]) {
        for start in stride(from: 0, to: bytes.count - 15, by: 16).suffix(Self.limit) {
            let since = Timestamp(milliseconds: Self.integer(bytes[(start + 8)..<(start + 16)]))
            feeders.append(Feeder(source: Self.integer(bytes[start..<(start + 8)]), since: since))
        }
    }

    /// The list as stores keep it.
    package var bytes: [UInt8] {
        feeders.flatMap { [$0.source, $0.since.milliseconds] }.flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
