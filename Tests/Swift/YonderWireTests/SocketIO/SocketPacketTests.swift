import TestSupport
import Testing
import YonderWire

@Suite struct SocketPacketTests {
    private func read(_ text: String) throws -> SocketPacket.Head {
        try SocketPacket.read(Array(text.utf8))
    }

    @Test(arguments: [
        "0", "0/admin", #"0{"token":"123"}"#, #"0/admin,{"token":"123"}"#, "1", "1/admin", #"2["foo"]"#,
        #"2/admin,["bar"]"#, #"212["foo"]"#, #"2/admin,12["foo",1,{"a":[null]}]"#, "312[]",
        #"3/admin,12["x"]"#,
        #"4{"message":"no"}"#, #"4/admin,"no""#,
    ])
    func `a packet that is read is written the same`(text: String) throws {
        let head = try read(text)
        #expect(head.packet.text == Array(text.utf8))
        #expect(head.attachmentCount == 0)
    }

    @Test func `every part of a packet is read`() throws {
        let head = try read(
            #"52-/admin,13["upload",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#
        )
        #expect(head.attachmentCount == 2)
        #expect(head.packet.kind == .binaryEvent)
        #expect(head.packet.namespace == "/admin")
        #expect(head.packet.id == 13)
        #expect(try head.packet.event().name == Array("upload".utf8))
        #expect(try head.packet.event().arguments.count == 2)
    }

    @Test func `revision 4 has a query behind the namespace`() throws {
        let packet = try read("0/admin?token=1&x=2,").packet
        #expect(packet.namespace == "/admin")
        #expect(packet.query == "token=1&x=2")
    }

    @Test func `arguments are kept byte for byte`() throws {
        let event = try read(#"2["m", 1.0e2 ,"é\u00e9",{"a" : [ ]} ]"#).packet.event()
        #expect(event.name == Array("m".utf8))
        #expect(
            event.arguments.map { String(decoding: $0, as: UTF8.self) } == [
                "1.0e2", #""é\u00e9""#, #"{"a" : [ ]}"#,
            ]
        )
        #expect(String(decoding: event.joinedArguments, as: UTF8.self) == #"1.0e2 ,"é\u00e9",{"a" : [ ]}"#)
        #expect(try read(#"2["m"]"#).packet.event().joinedArguments.isEmpty)
    }

    @Test(arguments: [
        "", "7", "abc", "2", "2{}", #"2abc["x"]"#, #"2["x""#, #"2["x"]]"#, "0[]", "0/admin,x", "1{}", "3{}",
        "4[]",
        "4", "5[]", #"5["x"]"#, #"5-["x"]"#, #"565-["x"]"#, #"21234567890123456789["x"]"#,
    ])
    func `text other than a packet is refused`(text: String) {
        #expect(throws: SocketPacket.Fault.self) { try read(text) }
    }

    @Test(arguments: ["2[]", "2[1]", #"2[["x"]]"#, #"2["connect"]"#, #"2["disconnecting",1]"#])
    func `a packet other than an event is refused`(text: String) throws {
        let packet = try read(text).packet
        #expect(throws: SocketPacket.Fault.self) { try packet.event() }
    }

    @Test func `nesting has a limit`() {
        let deep = "2[\"x\"," + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "]"
        #expect(throws: SocketPacket.Fault.self) { try read(deep) }
    }

    @Test func `attachments are gathered behind their packet`() throws {
        var assembler = SocketPacketAssembler(byteLimit: 10)
        let text = Array(#"52-["x",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#.utf8)
        #expect(try receive(text, &assembler) == nil)
        #expect(try assembler.receive(attachment: [1, 2]) == nil)
        #expect(assembler.heldBytes == text.count - "52-".count + 2)
        let packet = try assembler.receive(attachment: [3])
        #expect(assembler.heldBytes == 0)
        #expect(packet?.attachments == [[1, 2], [3]])
        #expect(packet?.text == text)
    }

    @Test func `attachments out of place or too big are refused`() throws {
        var assembler = SocketPacketAssembler(byteLimit: 10)
        #expect(throws: SocketPacket.Fault.self) { try assembler.receive(attachment: [1]) }
        let text = Array(#"51-["x",{"_placeholder":true,"num":0}]"#.utf8)
        #expect(try receive(text, &assembler) == nil)
        #expect(throws: SocketPacket.Fault.self) { try receive(text, &assembler) }
        #expect(throws: SocketPacket.Fault.self) {
            try assembler.receive(attachment: [UInt8](repeating: 0, count: 11))
        }
    }

    @Test func `random and mutated packets never trap`() {
        let text = Array(#"52-/admin?a=b,13["upload",{"_placeholder":true,"num":0},1.5e3,"x\u00e9"]"#.utf8)
        for seed in UInt64(0)..<3_000 {
            var random = SeededGenerator(seed: seed)
            var bytes = text
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            if let packet = try? SocketPacket.read(bytes).packet { _ = try? packet.event() }
        }
    }

    private func receive(_ text: [UInt8], _ assembler: inout SocketPacketAssembler) throws -> SocketPacket? {
        try text.withUnsafeBytes { try assembler.receive(text: $0) }
    }
}
