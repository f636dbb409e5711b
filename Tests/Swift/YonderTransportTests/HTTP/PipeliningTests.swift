import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import YonderTransport

/// Clients that send requests without waiting for the answers.
@Suite struct PipeliningTests {
    /// Records the parts of requests, and answers when the test says so.
    private final class Router: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        var paths: [String] = []
        var bodies: [[ByteBuffer]] = []
        var ended = 0
        var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                paths.append(head.uri)
                bodies.append([])
            case .body(let bytes): bodies[bodies.count - 1].append(bytes)
            case .end: ended += 1
            }
        }

        func answer() {
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
            context?.write(wrapOutboundOut(.head(head)), promise: nil)
            context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Counts the reads that reach the socket.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var reads = 0

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }
    }

    private let channel = EmbeddedChannel()
    private let router = Router()
    private let counter = ReadCounter()

    init() throws {
        let connections = ClientConnections(
            settings: ClientConnections.Settings(),
            gate: nil,
            policy: { _ in .refuse },
            answer: { _ in RequestFault.Answer(contentType: "text/plain", body: ByteBuffer()) }
        )
        try channel.pipeline.syncOperations.addHandler(counter)
        _ = try connections.open(
            channel,
            ClientConnections.Steps(
                addTLS: nil,
                addHTTP: { [channel, router] in try channel.pipeline.syncOperations.addHandler(router) },
                leaveHTTP: {}
            )
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func send(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    private func requests(_ numbers: Range<Int>) -> String {
        numbers.map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
    }

    private func answer(_ count: Int) {
        for _ in 0..<count {
            router.answer()
            channel.embeddedEventLoop.run()
        }
    }

    @Test func `while 16 requests wait for an answer no more are parsed or read`() throws {
        try send(requests(0..<2_000))
        // A step of the parser may have some more.
        #expect((16...60).contains(router.paths.count))
        let before = counter.reads
        channel.pipeline.read()
        #expect(counter.reads == before)
        try send(requests(2_000..<2_100))
        #expect(router.paths.count <= 60)
        answer(2_100)
        #expect(router.paths == (0..<2_100).map { "/\($0)" } && router.ended == 2_100)
        #expect(counter.reads == before + 1)
    }

    @Test func `requests that aren't parsed when the client closes its end stay unparsed`() throws {
        try send(requests(0..<2_000))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(router.paths.count <= 60)
        answer(router.paths.count)
        #expect(router.paths.count <= 60)
    }

    @Test(arguments: [1, 100, 1_023, 1_024, 1_025, 5_000, 40_000])
    func `a head with long lines is parsed, and what follows it, however it is cut`(_ size: Int) throws {
        let (path, value) = (String(repeating: "p", count: 3_000), String(repeating: "v", count: 20_000))
        let head = "GET /\(path) HTTP/1.1\r\nHost: x\r\nX-Long: \(value)\r\n\r\n"
        var rest = Substring(requests(0..<3) + head + requests(3..<6))
        while !rest.isEmpty {
            try send(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(router.paths == ["/0", "/1", "/2", "/\(path)", "/3", "/4", "/5"] && router.ended == 7)
    }

    @Test func `a body comes whole behind requests that wait, in one piece if its length is known`() throws {
        let body = String(repeating: "0123456789", count: 3_000)
        try send(
            requests(0..<20)
                + "POST /known HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n" + body
                + "POST /chunked HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n7530\r\n" + body
                + "\r\n0\r\n\r\n" + requests(20..<40)
        )
        answer(42)
        #expect(router.paths.count == 42 && router.ended == 42)
        for path in ["/known", "/chunked"] {
            let index = try #require(router.paths.firstIndex(of: path))
            #expect(router.bodies[index].map { String(buffer: $0) }.joined() == body)
        }
        let known = try #require(router.paths.firstIndex(of: "/known"))
        // The rest of the head's step, and all that follows it.
        #expect(router.bodies[known].count <= 2)
    }
}
