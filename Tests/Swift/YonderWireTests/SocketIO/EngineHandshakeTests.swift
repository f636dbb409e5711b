import Testing
import YonderWire

@Suite struct EngineHandshakeTests {
    private static let handshake = EngineHandshake(
        session: "a-b_c.d~E5",
        canUpgrade: true,
        pingInterval: .seconds(25),
        pingTimeout: .milliseconds(500),
        maxPayload: 65_536
    )

    @Test func `a handshake that is written is read the same`() {
        let text =
            #"{"sid":"a-b_c.d~E5","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":500,"maxPayload":65536}"#
        #expect(String(decoding: Self.handshake.json, as: UTF8.self) == text)
        #expect(EngineHandshake(json: Self.handshake.json) == Self.handshake)
    }

    @Test func `the older generation says no payload, and others say more`() {
        let text =
            #"{"upgrades":["polling","x"],"sid":"a","pingTimeout":1,"pingInterval":2,"more":{"a":[1]}}"#
        let read = EngineHandshake(json: Array(text.utf8))
        #expect(
            read?.canUpgrade == false && read?.maxPayload == nil && read?.pingInterval == .milliseconds(2)
        )
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"sid":"a","pingInterval":1}"#, #"{"sid":"","pingInterval":1,"pingTimeout":1}"#,
        #"{"sid":"a/b","pingInterval":1,"pingTimeout":1}"#, #"{"sid":"a","pingInterval":-1,"pingTimeout":1}"#,
        #"{"sid":"a","pingInterval":1,"pingTimeout":86400001}"#,
        #"{"sid":"a","pingInterval":1,"pingTimeout":1,"maxPayload":0}"#,
        #"{"sid":"a","pingInterval":1,"pingTimeout":1}x"#,
        #"{"sid":"\#(String(repeating: "a", count: 129))","pingInterval":1,"pingTimeout":1}"#,
    ])
    func `a handshake that can't be one is refused`(_ text: String) {
        #expect(EngineHandshake(json: Array(text.utf8)) == nil)
    }
}

@Suite struct SocketPacketEventTests {
    private func text(_ packet: SocketPacket) -> String { String(decoding: packet.text, as: UTF8.self) }

    @Test func `events and acknowledgements are written from their values`() {
        let values = [Array("1".utf8), Array(#"{"a":[]}"#.utf8)]
        #expect(text(SocketPacket(event: "a\"b", [], namespace: "/")) == #"2["a\"b"]"#)
        #expect(text(SocketPacket(event: "a", values, id: 7, namespace: "/x")) == #"2/x,7["a",1,{"a":[]}]"#)
        #expect(text(SocketPacket(acknowledging: 7, with: values, namespace: "/")) == #"37[1,{"a":[]}]"#)
        #expect(text(SocketPacket(acknowledging: 7, with: [], namespace: "/")) == "37[]")
    }

    @Test func `an acknowledgement's values are read byte for byte`() throws {
        let packet = try SocketPacket.read(Array(#"37[ 1.0e2 ,"é",[] ]"#.utf8)).packet
        #expect(try packet.values().map { String(decoding: $0, as: UTF8.self) } == ["1.0e2", #""é""#, "[]"])
        #expect(try SocketPacket.read(Array("37[]".utf8)).packet.values().isEmpty)
    }

    @Test(arguments: [
        (#"4{"message":"No.","data":{"message":"other"}}"#, "No."), (#"4"No.""#, "No."),
        (#"4{"code":1}"#, #"{"code":1}"#), (#"4{"message":1}"#, #"{"message":1}"#),
    ])
    func `the message of a refusal is read in either form`(_ text: String, _ message: String) throws {
        #expect(try SocketPacket.read(Array(text.utf8)).packet.refusal == message)
    }
}
