import Foundation
import Testing
import YonderGeodesy
import YonderLocation
import YonderTracks

@testable import YonderReceivers

/// Against Debian's gpsd, fed with recorded logs.
@Suite(.timeLimit(.minutes(10))) struct RealGpsdTests {
    private let impatient = ReceiverTiming(
        silence: .seconds(60),
        firstRetry: .milliseconds(20),
        lastRetry: .milliseconds(20)
    )

    @Test(arguments: Fixtures.logs) func `it gets the positions that gpsd's own client gets`(
        _ name: String
    ) async throws {
        // A boat's log is some five thousand sentences long, the others at most some three hundred.
        let isLong = !Fixtures.captures.contains(name)
        let receiver = try FakeReceiver("nmea/\(name).log", cycle: isLong ? 0.002 : 0.03)
        let source = GpsdSource(
            try #require(GpsdAddress(host: "127.0.0.1", port: receiver.port)),
            timing: impatient
        )
        let events = ToldEvents(source)

        try receiver.start()
        source.start()
        await events.wait(for: .authorization(.always))
        // The daemon ends after the log.
        await events.wait(for: .failure(.sourceLost))
        source.stop()

        let told = try await receiver.told().compactMap { try Place(gpsd: $0) }
        let got = events.all.compactMap { if case .place(let place) = $0 { place } else { nil } }
        // The source may have come when some were already told; then it gets all.
        #expect(got == told.suffix(got.count))
        #expect(got.count * 2 > told.count, "\(got.count) of \(told.count)")
        // On the boat, two receivers answer at once: gpsd tells both, our reader one.
        if !isLong { try expectOurReader(readsFrom: name, what: got) }
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
