import HTTPTypes
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules

@Suite struct TrackTests {
    @Test
    func
        `a track is by the positions' own times, simplified, and without what is recalled or not to be read`()
        async throws
    {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let path = "/v1/chats/" + (try await callers[0].startChat(with: callers[1]))
            let first = try await callers[0].post(path + "/messages", #"{"tag":"Text","content":"now"}"#)
            let start = Int64(try #require(first.integer("time"))) - 100_000
            func locate(_ caller: Caller, _ latitude: Double, _ seconds: Int64) async throws -> Int {
                let data =
                    #"{"latitude":\#(latitude),"longitude":10,"timestamp":\#(start + seconds * 1_000)}"#
                let reply = try await caller.post(path + "/messages", #"{"tag":"Location","data":\#(data)}"#)
                return try #require(reply.integer("number"))
            }
            for (latitude, seconds) in [(50.0, Int64(0)), (50.02, 20), (50.01, 10), (50.03, 30), (60, 90)] {
                _ = try await locate(callers[0], latitude, seconds)
            }
            let wrong = try await locate(callers[0], 20, 15)
            _ = try await callers[0].call(.delete, path + "/messages/\(wrong)")
            _ = try await locate(callers[1], 1, 40)
            let answer = try await callers[1].get(
                path + "/tracks?from=\(start)&to=\(start + 60_000)&tolerance=5"
            )
            #expect(answer.status == 200 && answer.json["next"] == nil)
            let tracks = Dictionary(
                uniqueKeysWithValues: answer.list("tracks").map { ($0["user"] as? String, $0) }
            )
            let ada = tracks[callers[0].user?.description]
            let points = try #require(ada?["points"] as? [[Double]])
            #expect(points == [[Double(start), 50, 10], [Double(start + 30_000), 50.03, 10]])
            #expect(try #require(ada?["deviation"] as? Double) < 5)
            #expect(tracks.count == 2)

            let own = try #require(callers[0].user)
            let alone = try await callers[1].get(
                path + "/tracks?from=\(start)&to=\(start + 60_000)&tolerance=5&sender=\(own)"
            )
            #expect(alone.list("tracks").map { $0["points"] as? [[Double]] } == [points])
            #expect(try await callers[1].get(path + "/tracks?sender=1").list("tracks").isEmpty)
            #expect(try await callers[1].get(path + "/tracks?sender=x").code == "invalidField")

            let cleo = try #require(callers[2].user)
            #expect(try await callers[2].get(path + "/tracks").code == "unknownChat")
            _ = try await callers[0].post(path + "/participants", #"{"users":["\#(cleo)"]}"#)
            #expect(try await callers[2].get(path + "/tracks").list("tracks").isEmpty)
            #expect(try await callers[0].get(path + "/tracks?from=2&to=1").code == "invalidField")
            #expect(try await callers[0].get(path + "/tracks?tolerance=-1").code == "invalidField")
        }
    }

    @Test func `a line keeps both ends of a stop on a straight road, and of a time without positions`() throws
    {
        let (chat, user) = (try #require(ChatID(7)), try #require(UserID(1)))
        let start = Timestamp(milliseconds: 1_764_000_000_000)
        // Steady to the stop, 12 minutes in one place, steady on, 15 minutes of silence at the same speed.
        let minutes = Array(0...30) + Array(45...50)
        let messages = try minutes.enumerated().map { index, minute in
            let stretch = Double(minute - min(12, max(0, minute - 10)))
            let coordinate = try #require(Coordinate(latitude: stretch / 1_000, longitude: 0))
            let time = start + .seconds(Int64(minute) * 60)
            return Message(
                chat: chat,
                number: Int64(index + 1),
                sender: user,
                tag: .location,
                data: MessageData(position: Position(coordinate: coordinate, timestamp: time)),
                time: time
            )
        }
        var tracks = ChatTracks(start..<start + .seconds(10_000))
        tracks.take(messages)
        let track = try #require(tracks.simplified(tolerance: .meters(50)).first)
        let kept = Set(track.points.map { Int(($0.time - start) / .seconds(60)) })
        #expect(kept.isSuperset(of: [0, 10, 22, 30, 45, 50]) && kept.count < minutes.count * 2 / 3)
        #expect(track.deviation < .meters(0.1))
    }

    @Test func `a long track comes in pages, each line of at most two thousand points`()
        throws
    {
        let (chat, user) = (try #require(ChatID(7)), try #require(UserID(1)))
        let start = Timestamp(milliseconds: 1_764_000_000_000)
        var tracks = ChatTracks(start..<start + .seconds(10_000))
        let messages = try (0..<5_000).map { step in
            let coordinate = try #require(
                Coordinate(latitude: Double(step % 2), longitude: Double(step) / 100)
            )
            let position = Position(coordinate: coordinate, timestamp: start + .seconds(Int64(step)))
            return Message(
                chat: chat,
                number: Int64(step + 1),
                sender: user,
                tag: .location,
                data: MessageData(position: position),
                time: start + .seconds(Int64(step))
            )
        }
        tracks.take(messages.reversed())
        let track = try #require(tracks.simplified(tolerance: .zero).first)
        #expect(track.points.count == ChatTracks.pointLimit && track.deviation > .zero)
        #expect(track.points.map(\.time) == track.points.map(\.time).sorted())
        #expect(track.points.first?.time == start && tracks.count == 5_000)
    }
}
