import HTTPTypes
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderJSON
import YonderREST

/// The endpoint for the paths of a chat's participants.
///
/// `RESTService` registers it; it answers one request for lines of positions in a span of time, read from the store by
/// pages and thinned by `ChatTracks`. A reader who may not read the chat is refused by the store. Parameters, members
/// and the cursor must stay (`Documentation/rest.md`, `openapi.yaml`); ``pageLimit`` bounds the memory of an answer and
/// may be changed.
struct TrackEndpoints: Sendable {
    let chats: any ChatStore
    let accounts: any AccountStore
    let exchange: Exchange
    let now: @Sendable () -> Timestamp

    private static let pageLimit = 1_000

    func register(in routes: RESTRoutes) {
        routes.on(
            .get,
            "/v1/chats/{chat}/tracks",
            query: ["from", "to", "tolerance", "sender", "since"]
        ) { call throws(SharingError) in try await tracks(call) }
    }

    private func tracks(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let query = call.query
        let from = try query.time("from") ?? Timestamp(milliseconds: 0)
        let to = try query.time("to") ?? now() + Message.clockTolerance
        guard from <= to else { throw SharingError(.invalidField, "from must not be later than to.") }
        let tolerance = try query.distance("tolerance") ?? .meters(10)
        let since = try query.integer("since", in: 0...Int64.max - 1) ?? 0
        let sender: UserID? = try query.identifier("sender")
        let reader = try call.caller.user
        var tracks = ChatTracks(from..<to)
        var right = OngoingRight(try call.readingWarrant(), accounts: accounts, now: now)
        let next = try await read(&tracks, in: try call.chat, of: sender, since: since, by: reader, &right)
        let lines = tracks.simplified(tolerance: tolerance)
        return .json { writer in
            writer.raw("{\"tracks\":")
            writer.list(lines) { $0.track($1) }
            writer.optional(",\"next\":", next)
            writer.raw("}")
        }
    }

    /// Reads positions behind a number, of one sender or of all.
    ///
    /// - Returns: The number behind which the next answer begins, or `nil` if that was all.
    private func read(
        _ tracks: inout ChatTracks,
        in chat: ChatID,
        of sender: UserID?,
        since: Int64,
        by reader: UserID,
        _ right: inout OngoingRight
    ) async throws(SharingError) -> Int64? {
        let arrival = tracks.arrival
        let filter = MessageFilter(
            chat: chat,
            tag: .location,
            sender: sender,
            from: arrival.lowerBound,
            to: arrival.upperBound
        )
        let moment = now()
        var cursor = since
        while tracks.count < ChatTracks.messageLimit {
            // The request's own judging is that of the first page.
            if cursor > since { try await right.judge() }
            let after = cursor
            let page = try await exchange.readPositions(for: reader) { () async throws(SharingError) in
                try await chats.messages(
                    after: after,
                    filter,
                    limit: Self.pageLimit,
                    reader: reader,
                    now: moment
                )
            }
            tracks.take(page.messages)
            guard !page.isComplete else { return nil }
            cursor = page.through
        }
        return cursor
    }
}

extension JSONWriter {
    /// Appends a line: whose it is, how far it deviates in meters, and `[time, latitude, longitude]` for each position.
    fileprivate mutating func track(_ track: ChatTracks.Track) {
        raw("{\"user\":")
        identifier(track.user)
        raw(",\"deviation\":")
        double(track.deviation.meters)
        raw(",\"points\":")
        list(track.points) { writer, point in
            writer.raw("[")
            writer.integer(point.time.milliseconds)
            writer.raw(",")
            writer.double(point.coordinate.latitude)
            writer.raw(",")
            writer.double(point.coordinate.longitude)
            writer.raw("]")
        }
        raw("}")
    }
}
