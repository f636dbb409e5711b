public import YonderGeodesy
public import YonderModel

// Where people have been. Lines of where people were, for apps, from any task. Beside the errors named they throw what every
// call does (`RESTClient`). A point that can't be read throws `internalError` for the whole answer. The byte limit follows
// from the server's 10 000 messages a page; members are those of `Documentation/rest.md` (`TrackTests`, `RESTClientTests`). A
// further member must be optional; the default of the tolerance may change.
extension RESTClient {
    /// Where each person of a chat has been, as a simplified line.
    ///
    /// An answer reads 10 000 messages at most: ask again from ``TracksPage/next`` on until there is none, and join each
    /// person's lines.
    ///
    /// - Parameters:
    ///   - chat: The chat.
    ///   - from: The first time, or `nil` for the chat's beginning.
    ///   - to: The time before which the lines end, or `nil` for the present.
    ///   - tolerance: How far a position that is left out may lie from where its line is at its time.
    ///   - sender: The person whose line it is, or `nil` for everyone's: another's positions then aren't read.
    ///   - since: ``TracksPage/next`` of the page before, or `nil` for the first page.
    /// - Returns: The lines, and from where to ask for the next page.
    /// - Throws: `unknownChat`; `invalidField` for a negative tolerance, or times in the wrong order.
    public func tracks(
        in chat: ChatID,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        tolerance: Distance = .meters(10),
        sender: UserID? = nil,
        since: Int64? = nil
    ) async throws(SharingError) -> TracksPage {
        var query = Query()
        query.add("from", from?.milliseconds)
        query.add("to", to?.milliseconds)
        query.add("tolerance", tolerance.meters)
        query.add("sender", sender.map { "\($0)" })
        query.add("since", since)
        let answer: TracksAnswer = try await get(
            "/v1/chats/\(chat)/tracks\(query.text)",
            limit: Self.tracksLimit
        )
        return TracksPage(
            tracks: try answer.tracks.map { track throws(SharingError) in try PersonTrack(track) },
            next: answer.next
        )
    }

    /// The most bytes of an answer: 10 000 points of at most 64 bytes, and the people's ids.
    private static let tracksLimit = 2 << 20
}

/// The lines of a chat's people over a stretch of its messages.
public struct TracksPage: Hashable, Sendable {
    /// The lines; a person without a position has none.
    public let tracks: [PersonTrack]

    /// From where to ask for the next page, or `nil` if there is none.
    public let next: Int64?
}

/// Where a person has been.
public struct PersonTrack: Hashable, Sendable {
    /// A position on the line.
    public struct Point: Hashable, Sendable {
        /// When the person was there.
        public let time: Timestamp

        /// Where that was.
        public let coordinate: Coordinate
    }

    /// The person.
    public let user: UserID

    /// The positions that are left, the oldest first; at most 2 000.
    public let points: [Point]

    /// How far a position that was left out lies at most from where the line is at its time.
    public let deviation: Distance
}

private struct TracksAnswer: Decodable {
    struct Track: Decodable {
        let user: String
        let deviation: Double
        let points: [[Double]]
    }

    let tracks: [Track]
    let next: Int64?
}

extension PersonTrack {
    /// - Throws: `internalError` for a point that isn't on the Earth.
    fileprivate init(_ answer: TracksAnswer.Track) throws(SharingError) {
        user = try UserID(answered: answer.user)
        deviation = .meters(answer.deviation)
        points = try answer.points.map { point throws(SharingError) in
            guard point.count == 3, let time = Int64(exactly: point[0]),
                let coordinate = Coordinate(latitude: point[1], longitude: point[2])
            else { throw SharingError(.internalError, "The server's answer has a point that can't be read.") }
            return Point(time: Timestamp(milliseconds: time), coordinate: coordinate)
        }
    }
}
