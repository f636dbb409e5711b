package import YonderModel
import YonderJSON

/// A new version of a share in a frame, or only its new freshness if the receiver has the rest.
package struct ShareChange: Hashable, Sendable {
    /// The share's id.
    package let id: ShareID

    /// The share, or `nil` if it is as the receiver has it.
    package let share: Share?

    /// How fresh its positions are.
    package let freshness: Freshness

    /// The share as a viewer sees it, or `nil` if only its freshness is here.
    package var shown: ShownShare? { share.map { ShownShare($0, freshness) } }

    /// Creates a change with a whole share.
    package init(_ shown: ShownShare) {
        (id, share, freshness) = (shown.id, shown.share, shown.freshness)
    }

    /// Creates a change of a share's freshness alone.
    package init(_ id: ShareID, _ freshness: Freshness) {
        (self.id, share, self.freshness) = (id, nil, freshness)
    }
}

/// The running shares that every subscriber of a topic has, so that later frames of the topic leave out what hasn't changed.
///
/// A share that has ended is always sent whole.
///
/// `SessionTopic` of the hub has one for each topic, and asks it what to send all subscribers; the client reads the changes
/// in `ShownShare+Parsing.swift`. Nothing fails. A share that any subscriber may lack must be sent whole, or that client
/// couldn't show it (`KnownSharesTests`, `ShareStreamTests`). A subscriber is sent a freshness alone only if its query asked
/// for it with `partial`, which older clients don't (`Documentation/stream.md`).
package struct KnownShares: Sendable {
    private var shares: [ShareID: Share] = [:]

    /// Creates what the subscribers of a new topic have: nothing.
    package init() {}

    /// Call this with an answer to a subscriber: what a later change leaves out must be in every subscriber's answer.
    package mutating func answered(_ answer: [ShownShare]) {
        guard !shares.isEmpty else { return }
        let theirs = Set(answer.map(\.share))
        shares = shares.filter { theirs.contains($0.value) }
    }

    /// What to send all subscribers of new versions of shares.
    package mutating func changes(_ shown: [ShownShare]) -> [ShareChange] {
        shown.map { shown in
            let isKnown = shares[shown.id] == shown.share
            guard shown.freshness.state != .ended else {
                shares[shown.id] = nil
                return ShareChange(shown)
            }
            shares[shown.id] = shown.share
            return isKnown ? ShareChange(shown.id, shown.freshness) : ShareChange(shown)
        }
    }
}

extension JSONWriter {
    /// Appends a change of a share.
    mutating func object(_ change: ShareChange) {
        if let shown = change.shown { return object(shown) }
        raw("{\"share\":")
        identifier(change.id)
        raw(",\"freshness\":")
        object(change.freshness)
        raw("}")
    }
}
