import YonderModel
import YonderWire

/// The shares in a chat or the caller's own, kept current.
///
/// `SharingClient.freshness(in:)` and `shares()` open one; `LiveFeed` has it and applies frames. A freshness without its
/// share, of a share that isn't known, is passed over. Readers keep the list of before until an answer is complete. Which
/// ended shares stay must be as the server lists them, or a reconnect would change the list (`ShareListTests`,
/// `ShareCallTests`).
struct ShareList: LiveList {
    let query: StreamQuery
    private(set) var isCurrent = false
    private var shares: [ShareID: ShownShare] = [:]
    private var isFresh = true

    init(_ query: StreamQuery) {
        self.query = query
    }

    /// The shares, in the order in which they were started.
    var snapshot: [ShownShare] {
        shares.values.sorted { ($0.share.started, $0.id) < ($1.share.started, $1.id) }
    }

    mutating func reopen() {
        isCurrent = false
        isFresh = true
    }

    mutating func apply(_ frame: ServerFrame) -> LiveStep<ShownShare> {
        switch frame {
        case .shares(_, _, _, let isCurrent, let page):
            if isFresh { shares = [:] }
            isFresh = false
            for share in page { shares[share.id] = share }
            self.isCurrent = isCurrent
            return isCurrent ? .list : .nothing
        case .sharesChanged(_, _, let changed):
            let shown = changed.compactMap { change in
                (change.share ?? shares[change.id]?.share).map { ShownShare($0, change.freshness) }
            }
            for share in shown { take(share) }
            return isCurrent ? .changes(shown) : .nothing
        default: return .nothing
        }
    }

    /// Adds a new version of a share, and removes the shares that the server doesn't list.
    ///
    /// The server lists running shares. In a chat it also lists, for each participant without a running share, the
    /// newest one that ended and whose positions are kept.
    private mutating func take(_ share: ShownShare) {
        shares[share.id] = share
        let theirs = shares.values.filter { $0.share.user == share.share.user }
        let over = theirs.filter { $0.freshness.state == .ended }
        let isShown = query != .shares && over.count == theirs.count
        let kept = over.filter { isShown && $0.share.keeping == .kept }
        let newest = kept.max { ($0.freshness.asOf, $0.id) < ($1.freshness.asOf, $1.id) }
        for share in over where share.id != newest?.id { shares[share.id] = nil }
    }
}
