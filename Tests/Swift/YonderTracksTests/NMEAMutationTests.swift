import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

/// Damaged logs: whatever comes along the line, nothing traps, and what is accepted can be true.
@Suite struct NMEAMutationTests {
    @Test(arguments: NMEARecordedTests.names)
    func `damaged logs never trap, however they are cut`(name: String) throws {
        let log = try NMEARecordedTests.log(name)
        for seed in UInt64(0)..<400 {
            var random = SeededGenerator(seed: seed)
            let start = Int.random(in: 0..<log.count, using: &random)
            let piece = log[start...].prefix(700)
            let damaged = Self.damage(seed % 2 == 0 ? Array(piece) : Self.unchecked(piece), using: &random)
            var whole = NMEAReader()
            var epochs = whole.read(damaged)
            whole.finish { epochs.append($0) }
            #expect(epochs.allSatisfy(Self.canBeTrue), "seed \(seed)")
            let cut = NMEARecordedTests.read(damaged[...]) { Int.random(in: 1...90, using: &random) }
            #expect(cut.0 == epochs && cut.1 == whole.counts, "seed \(seed)")
        }
    }

    /// The same without checksums: few changes leave one right, and then no field would be read.
    private static func unchecked(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { $0 == UInt8(ascii: "*") ? 0x0A : $0 }
    }

    /// Changes, doubles and drops bytes.
    private static func damage(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...20, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 2: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 3:
                bytes[index] = Array(",.*$!0123456789-+NSEWAV\r\n".utf8).randomElement(using: &random) ?? 0
            case 4: bytes.replaceSubrange(index..<min(bytes.count, index + 3), with: [0x0D, 0x0A])
            default: bytes.insert(contentsOf: bytes[index...].prefix(40), at: 0)
            }
        }
        return bytes
    }

    private static func canBeTrue(_ epoch: NMEAEpoch) -> Bool {
        guard let coordinate = epoch.coordinate else {
            return epoch.position == nil && epoch.quality == .noFix
        }
        return (-90...90).contains(coordinate.latitude) && (-180..<180).contains(coordinate.longitude)
            && epoch.quality != .noFix && (epoch.position == nil || epoch.position?.coordinate == coordinate)
            && (epoch.timeOfDay ?? .zero) <= .milliseconds(86_400_999)
    }
}
