import NIOCore
import Testing

@testable import YonderNATS

struct NATSCommandTests {
    @Test func `commands are written as the protocol has them`() throws {
        let subject = try #require(NATSSubject("y.main.>"))
        var bytes = ByteBuffer()
        for command in [.subscribe(subject, id: 7), .unsubscribe(id: 7), .ping, .pong] as [NATSCommand] {
            bytes.write(command)
        }
        #expect(String(buffer: bytes) == "SUB y.main.> 7\r\nUNSUB 7\r\nPING\r\nPONG\r\n")
    }

    @Test func `a message has its length in front and a line's end behind it`() throws {
        var bytes = ByteBuffer()
        bytes.writeMessage(try #require(NATSSubject("a.b")), ByteBuffer(string: "é\r\n"))
        bytes.writeMessage(try #require(NATSSubject("c")), ByteBuffer())
        #expect(String(buffer: bytes) == "PUB a.b 4\r\né\r\n\r\nPUB c 0\r\n\r\n")
    }

    @Test func `a greeting turns off echo, answers and headers`() {
        let greeting = NATSGreeting(name: "a \"b\"")
        #expect(
            String(decoding: greeting.json, as: UTF8.self)
                == #"{"verbose":false,"pedantic":false,"echo":false,"headers":false,"no_responders":false,"#
                + #""protocol":1,"lang":"swift","version":"1","tls_required":false,"name":"a \"b\""}"#
        )
    }

    @Test func `a greeting has the proofs that there are, and its description none`() {
        var greeting = NATSGreeting(
            name: "n",
            usesTLS: true,
            credentials: .password(name: "u", password: "p")
        )
        greeting.signature = .init(publicKey: "UA", signature: "s")
        var json = String(decoding: greeting.json, as: UTF8.self)
        #expect(
            json.hasSuffix(#""tls_required":true,"name":"n","nkey":"UA","sig":"s","user":"u","pass":"p"}"#)
        )
        #expect("\(greeting)" == "CONNECT of n")
        json = String(decoding: NATSGreeting(name: "n", credentials: .token("t")).json, as: UTF8.self)
        #expect(json.hasSuffix(#""name":"n","auth_token":"t"}"#))
    }
}
