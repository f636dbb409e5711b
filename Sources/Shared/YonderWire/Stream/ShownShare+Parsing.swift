import YonderGeodesy
import YonderModel

// Reads the shares of the server's frames, for `ServerFrame+Parsing.swift`; they are written in `Share+JSON.swift`. A share
// that lacks a member makes the frame fail with `missingField` or `invalidField`. A word of a newer server doesn't fail: it
// is read as the one that promises less, so that an app never shows a share as fresher than it is; that must stay
// (`ServerFrameTests`, `KnownSharesTests`).
extension FrameFields {
    /// A list of shares; empty if the field isn't there.
    func shares() throws(SharingError) -> [ShownShare] {
        try objects(.shares) { share throws(SharingError) in try ShownShare(share) }
    }

    /// A list of shares, of which some may have their freshness alone.
    func shareChanges() throws(SharingError) -> [ShareChange] {
        try objects(.shares) { share throws(SharingError) in
            if share.has(.chat) { return ShareChange(try ShownShare(share)) }
            let freshness = try Freshness(try share.required(share.fields(.freshness), .freshness))
            return ShareChange(try share.required(share.identifier(.share), .share), freshness)
        }
    }
}

extension ShownShare {
    /// Reads a share as the server shows it.
    ///
    /// - Throws: `missingField` or `invalidField`.
    init(_ fields: FrameFields) throws(SharingError) {
        let freshness = try Freshness(try fields.required(fields.fields(.freshness), .freshness))
        var arrival: Arrival?
        if let data = try fields.object(.arrival) { arrival = try Arrival(data) }
        var share = Share(
            id: try fields.required(fields.identifier(.share), .share),
            chat: try fields.required(fields.identifier(.chat), .chat),
            user: try fields.required(fields.identifier(.user), .user),
            started: try fields.required(fields.time(.started), .started),
            until: try fields.nullableTime(.until) ?? nil,
            arrival: arrival,
            // A newer server's word is taken for the one that promises less.
            keeping: try fields.string(.keep).flatMap(Share.Keeping.init(rawValue:)) ?? .kept
        )
        if freshness.state == .ended {
            let ending = freshness.cause.flatMap { Share.Ending(rawValue: $0.rawValue) }
            share.end = Share.End(time: freshness.asOf, ending: ending ?? .stopped)
        }
        self.init(share, freshness)
    }
}

extension Freshness {
    fileprivate init(_ fields: FrameFields) throws(SharingError) {
        self.init(
            state: try fields.freshnessState(),
            cause: try fields.string(.cause).map(Cause.init),
            asOf: try fields.required(fields.time(.asOf), .asOf),
            since: try fields.time(.since),
            gap: try fields.integer(.gap).map { .milliseconds($0) },
            battery: try fields.double(.battery),
            isCharging: try fields.boolean(.charging),
            changes: try fields.objects(.changes) { change throws(SharingError) in
                Change(
                    time: try change.required(change.time(.at), .at),
                    state: try change.freshnessState()
                )
            }
        )
    }
}

extension FrameFields {
    /// A word; a newer server's is taken for the one that promises least of a running share.
    fileprivate func freshnessState() throws(SharingError) -> Freshness.State {
        Freshness.State(rawValue: try required(string(.state), .state)) ?? .stale
    }
}
