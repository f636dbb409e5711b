import Foundation
import Testing
import YonderGeodesy
import YonderLocation
import YonderTracks

@testable import YonderReceivers

/// Against Debian's gpsd, fed with recorded logs.
@Suite(.timeLimit(.minutes(20))) struct RealGpsdTests {
    private let impatient = ReceiverTiming(
        silence: .seconds(60),
        firstRetry: .milliseconds(20),
        lastRetry: .milliseconds(20)
    )

    @Test(.serialized, arguments: Fixtures.logs) func `it gets the positions that gpsd's own client gets`(
        _ name: String
    ) async throws {
        // A boat's log is some five thousand sentences long, the others at most some three hundred.
        let isLong = !Fixtures.captures.contains(name)
        let (told, events) = try await play("nmea/\(name).log", cycle: isLong ? 0.002 : 0.03)
        let got = events.all.compactMap { if case .place(let place) = $0 { place } else { nil } }
        // The source may have come when some were already told; then it gets all.
        #expect(got == told.suffix(got.count))
        #expect(got.count * 2 > told.count, "\(got.count) of \(told.count)")
        // On the boat, two receivers answer at once: gpsd tells both, our reader one.
        if !isLong { try expectOurReader(readsFrom: name, what: got) }
    }

    /// Has gpsd play a log: what its own client was told, and what our source told.
    private func play(_ log: String, cycle: Double) async throws -> (told: [Place], events: ToldEvents) {
        var complaints: [String] = []
        while complaints.count < 20 {
            let receiver = try FakeReceiver(log, cycle: cycle)
            let source = GpsdSource(
                try #require(GpsdAddress(host: "127.0.0.1", port: receiver.port)),
                timing: impatient
            )
            let events = ToldEvents(source)
            try receiver.start()
            source.start()
            defer { source.stop() }
            guard let lines = try await receiver.told() else {
                complaints.append(receiver.complaints)
                continue
            }
            await events.wait(for: .authorization(.always))
            // The daemon has ended after the log.
            await events.wait(for: .failure(.sourceLost))
            return (try lines.compactMap { try Place(gpsd: $0) }, events)
        }
        throw GaveUp(complaints: complaints)
    }

    /// gpsfake didn't get its daemon to run, however often it was started.
    private struct GaveUp: Error {
        let complaints: [String]
    }

    /// Straight from the log, our reader finds every place that gpsd told, to gpsd's nine decimals.
    private func expectOurReader(readsFrom name: String, what got: [Place]) throws {
        var reader = NMEAReader(reference: Timestamp(milliseconds: 0))
        var places: Set<[Int]> = []
        let keep: (NMEAEpoch) -> Void = { epoch in
            guard let coordinate = epoch.coordinate else { return }
            places.insert(Self.key(coordinate.latitude, coordinate.longitude))
        }
        reader.read(try Fixtures.bytes("nmea/\(name).log"), keep)
        reader.finish(keep)
        for place in got {
            #expect(places.contains(Self.key(place.latitude, place.longitude)), "\(name): \(place)")
        }
    }

    private static func key(_ latitude: Double, _ longitude: Double) -> [Int] {
        [Int((latitude * 1e7).rounded()), Int((longitude * 1e7).rounded())]
    }
}
