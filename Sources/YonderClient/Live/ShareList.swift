import YonderModel
import YonderWire

/// The shares in a chat or the caller's own, kept current.
struct ShareList: LiveList {
    let query: StreamQuery
    private(set) var isCurrent = false
    private var shares: [ShareID: ShownShare] = [:]
    private var isFresh = true

    init(_ query: StreamQuery) {
        self.query = query
    }

    /// In the order in which they were started.
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
            for share in changed { take(share) }
            return isCurrent ? .changes(changed) : .nothing
        default: return .nothing
        }
    }

    /// An expiring share goes with its end, a kept one stays until the person starts another.
    private mutating func take(_ share: ShownShare) {
        let isOver = share.freshness.state == .ended
        shares[share.id] = isOver && share.share.keeping == .expiring ? nil : share
        guard !isOver else { return }
        shares = shares.filter {
            $0.value.share.user != share.share.user || $0.value.freshness.state != .ended
        }
    }
}
