import Foundation
import Testing

/// What a phone pays for sharing and for watching.
///
/// `make bench-phone` sets PHONE_SECONDS=3600, and prints the table of Documentation/benchmarks.md.
@Suite(.timeLimit(.minutes(20))) struct PhoneCostTests {
    /// What a row of the table says of an hour, in bytes; identifiers and keys are random, so a byte or two a frame may differ.
    private struct Row {
        let name: String
        let traffic: Traffic
        let seconds: Int

        private func anHour(_ count: Int) -> Int { count * 3_600 / seconds }

        var text: String {
            let (up, down) = (traffic.up, traffic.down)
            let awake = 100 * traffic.secondsAwake / seconds
            return
                "| \(name) | \(anHour(up.bytes)) | \(anHour(up.frames)) | \(anHour(down.bytes)) | \(anHour(down.frames)) "
                + "| \(anHour(traffic.wakeUps)) | \(awake) % |"
        }
    }

    private static let seconds =
        ProcessInfo.processInfo.environment["PHONE_SECONDS"].flatMap { Int($0) } ?? 300

    private static func row(_ name: String, _ measure: (String) async throws -> Traffic) async throws
        -> Traffic
    {
        let traffic = try await withFolder { try await measure($0) }
        print(Row(name: name, traffic: traffic, seconds: seconds).text)
        return traffic
    }

    @Test func `a share at rest costs a heartbeat every 15 s, of at most 215 bytes`() async throws {
        let stream = try await Self.row("at rest") {
            try await PhoneHours.sharing(try Journey(.rest), for: Self.seconds, folder: $0)
        }
        #expect(stream.up.frames == Self.seconds / 15 + 1)
        #expect(stream.up.bytes < stream.up.frames * 215 + 200)
        let posts = try await Self.row("at rest, posted") {
            try await PostingHours.sharing(try Journey(.rest), for: Self.seconds, folder: $0)
        }
        #expect(posts.up.frames == stream.up.frames)
        #expect(posts.wakeUps == stream.wakeUps)
    }

    @Test func `a phone that moves pays at most 275 bytes for a position, and 110 for its answer`()
        async throws
    {
        for (name, pace) in [("on foot", Journey.Pace.recorded(from: 600)), ("driving", .driven(12))] {
            let stream = try await Self.row(name) {
                try await PhoneHours.sharing(try Journey(pace), for: Self.seconds, folder: $0)
            }
            let positions = stream.up.frames - Self.seconds / 15
            #expect(stream.up.bytes < positions * 275 + Self.seconds / 15 * 215)
            #expect(stream.down.bytes < positions * 110)
            _ = try await Self.row("\(name), posted") {
                try await PostingHours.sharing(try Journey(pace), for: Self.seconds, folder: $0)
            }
        }
    }

    @Test
    func `a viewer of three people on foot is sent a freshness of at most 250 bytes for each heartbeat`()
        async throws
    {
        let traffic = try await Self.row("watching three on foot") { folder in
            let walks = try [600.0, 1_500, 2_400].map { try Journey(.recorded(from: $0)) }
            return try await PhoneHours.watching(walks, for: Self.seconds, folder: folder)
        }
        #expect(traffic.up.bytes == 6 * (Self.seconds / 30), "nothing but the answers to pings")
        #expect(traffic.down.bytes < traffic.down.frames * 320)
    }
}
