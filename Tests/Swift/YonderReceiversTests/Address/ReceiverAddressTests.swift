import Foundation
import Testing
import YonderLocation

@testable import YonderReceivers

@Suite struct ReceiverAddressTests {
    @Test func `gpsd is on this machine unless its address says otherwise`() throws {
        #expect(try ReceiverAddress("gpsd") == .gpsd(GpsdAddress()))
        #expect(try ReceiverAddress("gpsd:boat") == gpsd("boat", 2947))
        #expect(try ReceiverAddress("gpsd:10.0.0.7:3000") == gpsd("10.0.0.7", 3000))
        #expect(try ReceiverAddress("gpsd:[::1]:3000") == gpsd("::1", 3000))
        #expect(try ReceiverAddress("gpsd:[::1]") == gpsd("::1", 2947))
        #expect(try ReceiverAddress("gpsd:boat:3000#/dev/ttyUSB0") == gpsd("boat", 3000, "/dev/ttyUSB0"))
        #expect(try ReceiverAddress("gpsd:#/dev/ttyUSB0") == gpsd("localhost", 2947, "/dev/ttyUSB0"))
    }

    @Test func `sentences come from a path, a server, datagrams or standard input`() throws {
        #expect(try ReceiverAddress("nmea:/dev/ttyUSB0") == .path("/dev/ttyUSB0", .nmea))
        #expect(try ReceiverAddress("nmea:/dev/ttyUSB0#38400") == .path("/dev/ttyUSB0", .highSpeedNMEA))
        #expect(try ReceiverAddress("nmea:log#1.txt") == .path("log#1.txt", .nmea))
        #expect(try ReceiverAddress("nmea:-") == .nmea(.standardInput))
        #expect(try ReceiverAddress("nmea:tcp://boat:2000") == .nmea(.tcp(host: "boat", port: 2000)))
        #expect(try ReceiverAddress("nmea:tcp://boat") == .nmea(.tcp(host: "boat", port: 10_110)))
        #expect(try ReceiverAddress("nmea:udp://0.0.0.0:10110") == .nmea(.udp(host: "0.0.0.0", port: 10_110)))
    }

    @Test(arguments: [
        ("", ReceiverAddressFailure.unknownKind), ("gps", .unknownKind), ("nmea", .unknownKind),
        ("gpsd:", .missingHost), ("gpsd::2947", .missingHost), ("gpsd:[::1", .missingHost),
        ("gpsd:boat:", .invalidPort), ("gpsd:boat:0", .invalidPort), ("gpsd:boat:70000", .invalidPort),
        ("gpsd:boat:29x", .invalidPort), ("gpsd:[::1]2947", .invalidPort),
        ("gpsd:boat#", .invalidDevice), (#"gpsd:boat#/dev/"x"#, .invalidDevice),
        ("gpsd:boat#a b", .invalidDevice),
        ("nmea:", .missingPath), ("nmea:#4800", .missingPath), ("nmea:/dev/ttyS0#4801", .unknownBaudRate),
        ("nmea:tcp://", .missingHost), ("nmea:udp://boat:x", .invalidPort),
    ]) func `an invalid address is refused with a reason`(_ text: String, _ failure: ReceiverAddressFailure) {
        #expect(throws: failure) { try ReceiverAddress(text) }
        #expect(!failure.description.isEmpty)
    }

    @Test func `a recorded file is replayed and anything else is a device`() throws {
        let file = try ReceiverAddress("nmea:" + Fixtures.path("nmea/humminbird-M37.log"))
        #expect(try file.makeSource() is TrackSource)
        #expect(try ReceiverAddress("nmea:/dev/null").makeSource() is NMEASource)
        #expect(try ReceiverAddress("nmea:/nowhere/ttyUSB0").makeSource() is NMEASource)
        #expect(try ReceiverAddress("nmea:tcp://127.0.0.1").makeSource() is NMEASource)
        #expect(try ReceiverAddress("gpsd").makeSource() is GpsdSource)
    }

    @Test func `a file without positions, and a folder, can't be read`() throws {
        let notice = try Fixtures.path("nmea/COPYING.gpsd-BSD-2-Clause")
        #expect(throws: LocationError.self) { try ReceiverAddress("nmea:" + notice).makeSource() }
        let folder = FileManager.default.temporaryDirectory.path
        #expect(throws: LocationError.self) { try ReceiverAddress("nmea:" + folder).makeSource() }
    }

    private func gpsd(_ host: String, _ port: Int, _ device: String? = nil) -> ReceiverAddress? {
        GpsdAddress(host: host, port: port, device: device).map { .gpsd($0) }
    }
}
