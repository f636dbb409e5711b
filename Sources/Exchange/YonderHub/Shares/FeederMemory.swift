import YonderModel
import YonderRules

/// The sign-ins that this server knows to be stored as feeders of running shares, so that a phone's heartbeats write once.
///
/// Shares in memory have no feeders of their own: what a store's share has is remembered here and taken off, and nobody is sent
/// it. A share has at most ``limit`` here; one that is forgotten is asked for again, which costs the store a look-up.
struct FeederMemory: Sendable {
    /// How many sign-ins of a share are remembered.
    static let limit = 16

    private var sources: [ShareID: [Int64]] = [:]

    /// Remembers a share's feeders until the share ends.
    ///
    /// - Returns: The share without them.
    mutating func learn(_ share: Share) -> Share {
        if share.end != nil { sources[share.id] = nil }
        for source in share.feeders.sources { _ = begins(share.id, source) }
        return share.withoutFeeders
    }

    /// Called with a report of a sign-in.
    ///
    /// - Returns: Whether the store must be told of it; a second call with the same answers that it needn't.
    mutating func begins(_ share: ShareID, _ source: Int64) -> Bool {
        guard !(sources[share]?.contains(source) ?? false) else { return false }
        sources[share, default: []].append(source)
        if sources[share, default: []].count > Self.limit { sources[share]?.removeFirst() }
        return true
    }

    /// Called when the store hasn't noted a sign-in: its next report must be told.
    mutating func forget(_ share: ShareID, _ source: Int64) {
        sources[share]?.removeAll { $0 == source }
        if sources[share]?.isEmpty ?? false { sources[share] = nil }
    }
}

extension Share {
    /// The same share, as the server keeps it in memory.
    var withoutFeeders: Share {
        var share = self
        share.feeders = ShareFeeders()
        return share
    }
}
