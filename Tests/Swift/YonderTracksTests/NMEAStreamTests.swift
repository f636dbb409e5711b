import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

/// How sentences are found in what comes along the line.
@Suite struct NMEAStreamTests {
    private static let place = "5251.0093,N,00518.8170,E"
    private static let rmc = NMEALines.sentence("GPRMC,092750,A,\(place),1.0,90.0,200818,,")

    @Test(arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "II", "IN", "SD", "ZZ"])
    func `any talker is read`(talker: String) {
        #expect(NMEAReader.epoch("\(talker)RMC,092750,A,\(Self.place),1.0,90.0,200818,,")?.position != nil)
    }

    @Test func `proprietary sentences, AIS and unknown kinds are skipped`() {
        var reader = NMEAReader()
        let others = NMEALines.sentences(
            "PGRME,15.0,M,45.0,M,25.0,M",
            "GPXTE,,,,,N,N",
            "PRMC,1,2",
            "GPR,1",
            "PMTK",
            ""
        )
        let ais = "!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n"
        #expect(reader.read(others + ais).isEmpty)
        #expect(reader.counts.skipped == 7)
        #expect(reader.counts.malformed == 0 && reader.counts.garbageBytes == 0)
    }

    @Test func `a wrong checksum refuses the sentence`() {
        var reader = NMEAReader()
        let wrong = Self.rmc.replacing("90.0", with: "91.0")
        #expect(reader.read(wrong).isEmpty && reader.finish() == nil)
        #expect(reader.counts.wrongChecksums == 1 && reader.counts.sentences == 0)
    }

    @Test func `a checksum may have small letters`() {
        var reader = NMEAReader(requiresChecksum: true)
        for second in 10..<40 {
            let line = NMEALines.sentence("GPRMC,0927\(second),A,\(Self.place),1.0,90.0,200818,,")
            _ = reader.read(line.prefix(line.count - 3) + line.suffix(3).lowercased())
        }
        #expect(reader.counts.sentences == 30)
    }

    @Test func `a sentence without a checksum is taken until one of its kind had one`() {
        let bare = "$GPRMC,092749,A,\(Self.place),1.0,90.0,200818,,\r\n"
        var reader = NMEAReader()
        _ = reader.read(bare)
        #expect(reader.counts.sentences == 1)
        _ = reader.read(Self.rmc + bare + "$GPGLL,\(Self.place),092750,A\n")
        #expect(reader.counts.sentences == 3 && reader.counts.missingChecksums == 1)
    }

    @Test func `sentences without a checksum can be refused`() {
        var reader = NMEAReader(requiresChecksum: true)
        _ = reader.read("$GPRMC,092749,A,\(Self.place),1.0,90.0,200818,,\r\n" + Self.rmc)
        #expect(reader.counts.sentences == 1 && reader.counts.missingChecksums == 1)
    }

    @Test(arguments: ["\r\n", "\n", "\r", "\n\r", "", " \r\n", "\r\n\r\n", "\0"])
    func `any line end will do, and none after a checksum`(end: String) {
        let line = String(Self.rmc.unicodeScalars.dropLast(2))
        let second = String(Self.rmc.replacing("092750", with: "092751").unicodeScalars.dropLast(2))
        var reader = NMEAReader()
        _ = reader.read(line + end + line + end)
        #expect(reader.counts.sentences == 2)
        _ = reader.read(second + end)
        #expect(reader.counts.wrongChecksums == 1)
    }

    @Test func `a sentence is complete with its checksum, before the line ends`() {
        var reader = NMEAReader()
        _ = reader.read(String(Self.rmc.unicodeScalars.dropLast(3)))
        #expect(reader.counts.sentences == 0)
        _ = reader.read(String(Self.rmc.unicodeScalars.dropLast(2).suffix(1)))
        #expect(reader.counts.sentences == 1)
    }

    @Test func `a piece of a sentence doesn't spoil the next one`() {
        for count in 1..<Self.rmc.unicodeScalars.count - 2 {
            var reader = NMEAReader(requiresChecksum: true)
            _ = reader.read(String(Self.rmc.unicodeScalars.prefix(count)) + Self.rmc)
            _ = reader.read(String(Self.rmc.unicodeScalars.suffix(count)) + Self.rmc)
            #expect(reader.counts.sentences == 2, "\(count)")
        }
    }

    @Test func `binary data between and within sentences is passed over`() {
        for seed in UInt64(0)..<50 {
            var random = SeededGenerator(seed: seed)
            var bytes: [UInt8] = []
            for _ in 0..<20 {
                bytes += (0..<Int.random(in: 0...300, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                bytes += Array("\n\(Self.rmc)".utf8)
            }
            var reader = NMEAReader(requiresChecksum: true)
            _ = reader.read(bytes)
            #expect(reader.counts.sentences == 20, "seed \(seed)")
            #expect(reader.counts.garbageBytes > 1000)
        }
    }

    @Test func `bytes that no sentence holds are counted`() {
        var reader = NMEAReader()
        _ = reader.read("# comment\r\n\(Self.rmc)\\s:x*00\\\(Self.rmc)$GP\u{7}\r\n")
        #expect(reader.counts.sentences == 2)
        #expect(reader.counts.garbageBytes == 9 + 8 + 1)
        #expect(reader.counts.malformed == 1)
    }

    @Test func `a sentence may have 256 bytes with its checksum, and no more`() {
        let most = NMEALines.sentence("GPTXT," + String(repeating: "x", count: 256 - 10))
        let more = NMEALines.sentence("GPTXT," + String(repeating: "x", count: 257 - 10))
        #expect(most.unicodeScalars.count - 2 == 256)
        for size in [1, 7, 300] {
            var reader = NMEAReader()
            let bytes = Array((most + more + Self.rmc).utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                _ = reader.read(Array(bytes[start...].prefix(size)))
            }
            #expect(reader.counts.skipped == 1 && reader.counts.overlong == 1 && reader.counts.sentences == 1)
        }
    }

    @Test func `an endless line takes no memory and doesn't spoil the next one`() {
        var reader = NMEAReader()
        for _ in 0..<1000 {
            _ = reader.read(String(repeating: "$" + String(repeating: "A", count: 999), count: 2))
        }
        _ = reader.read("\n\(Self.rmc)")
        #expect(reader.counts.sentences == 1 && reader.counts.overlong == 2000)
    }

    @Test func `the end of the stream ends what is open`() {
        var reader = NMEAReader()
        _ = reader.read(Self.rmc + "$GPGGA,0927")
        #expect(reader.finish()?.position != nil)
        #expect(reader.counts.malformed == 1 && reader.counts.epochs == 1)
        #expect(reader.finish() == nil)
        _ = reader.read(Self.rmc)
        #expect(reader.finish()?.position != nil)
    }

    @Test func `every shape of bytes is read alike`() {
        let bytes = Array(Self.rmc.utf8)
        var counts: Set<NMEAReader.Counts> = []
        for shape in 0..<3 {
            var reader = NMEAReader()
            switch shape {
            case 0: reader.read(bytes) { _ in }
            case 1: reader.read(bytes.span) { _ in }
            default: bytes.withUnsafeBytes { bytes in reader.read(bytes) { _ in } }
            }
            reader.read([]) { _ in }
            reader.read(UnsafeRawBufferPointer(start: nil, count: 0)) { _ in }
            reader.finish { _ in }
            counts.insert(reader.counts)
        }
        #expect(counts.count == 1 && counts.first?.epochs == 1)
    }
}
