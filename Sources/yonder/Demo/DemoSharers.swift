import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules

/// People of the demo who stand somewhere, one in each state of freshness that walkers don't show.
///
/// Their earlier reports are submitted with their times in the past; one of the shares is over.
///
/// `Demo` begins and runs them when `yonder serve --demo` starts, beside `DemoPerson`. A refusal ends the demo's start
/// with an error; a share that its person ended is left alone. Nothing else depends on it: people, places and ages may be
/// changed, but each state of `Freshness` should stay visible, as screens are tried on the demo.
struct DemoSharers {
    let exchange: Exchange

    /// A person, and the state that their share is to show.
    struct Sharer {
        let user: User
        let chat: ChatID
        let state: Freshness.State
        let coordinate: Coordinate
    }

    /// Has each of them share as their state wants it.
    ///
    /// - Returns: The shares, those that are over as well.
    /// - Throws: The codes of ``Exchange/take(_:)``.
    func begin(_ sharers: [Sharer]) async throws(SharingError) -> [ShareID: Sharer] {
        var shares: [ShareID: Sharer] = [:]
        for sharer in sharers {
            if let share = try await begin(sharer) { shares[share] = sharer }
        }
        return shares
    }

    /// Sends the heartbeats of the phones that are still reached, until it is canceled.
    ///
    /// - Throws: `CancellationError`.
    func run(_ shares: [ShareID: Sharer]) async throws {
        while !Task.isCancelled {
            for (share, sharer) in shares { beat(share, sharer) }
            try await Task.sleep(for: .seconds(15))
        }
    }

    /// Starts a share three hours ago, unless an earlier run did.
    private func begin(_ sharer: Sharer) async throws(SharingError) -> ShareID? {
        let now = Timestamp.now
        let start = try await take(
            .startShare(.random(), ShareWish()),
            "share",
            sharer,
            now - .seconds(10_800)
        )
        guard let share = start.shares.first, !start.isRepeat else { return start.shares.first?.id }
        for (index, seconds) in Self.reports(of: sharer.state).enumerated() {
            let time = now - .seconds(seconds)
            let position = Position(
                coordinate: sharer.coordinate,
                timestamp: time,
                horizontalAccuracy: Distance(meters: 12)
            )
            let draft = MessageDraft(tag: .location, data: MessageData(position: position))
            _ = try await take(.message(draft), "position \(index)", sharer, time)
        }
        if sharer.state == .ended {
            _ = try await take(.stopShare(share.id), "stop", sharer, now - .seconds(3_600))
        }
        return share.id
    }

    /// The ages, in seconds, of the reports that give a share this state: a phone that reports every 20 minutes is stale
    /// for up to an hour.
    private static func reports(of state: Freshness.State) -> [Int] {
        switch state {
        case .stale: (0..<5).map { 10_500 - 1_200 * $0 } + [5_100]
        case .slow, .paused: [600]
        case .live, .offline, .ended: [9_000]
        }
    }

    /// A phone that is reached without a fix, and one whose person paused.
    private func beat(_ share: ShareID, _ sharer: Sharer) {
        guard sharer.state == .slow || sharer.state == .paused,
            let beat = ShareHeartbeat(battery: 0.4, isPaused: sharer.state == .paused)
        else { return }
        // A share that its person ended in the page is heard of no more.
        try? exchange.receive(beat, in: sharer.chat, of: sharer.user.id, share: share, signIn: nil)
    }

    private func take(
        _ action: Submission.Action,
        _ name: String,
        _ sharer: Sharer,
        _ time: Timestamp
    ) async throws(SharingError) -> Submission.Acceptance {
        try await exchange.take(
            Submission(
                chat: sharer.chat,
                sender: sharer.user.id,
                key: "demo \(name)",
                action: action,
                time: time
            )
        )
    }
}
