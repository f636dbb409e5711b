import NIOPosix
import Testing
import YonderGeodesy
import YonderLink
import YonderModel
import YonderWire

@testable import YonderClient

/// Some time of a phone that posts its reports over REST, on one connection that stays open.
struct PostingHours {
    private let chat: ChatID
    private let token: String
    private let links: Links
    private let relay: CountingRelay
    private var traffic = Traffic()

    /// What a phone carries that shares along a journey.
    static func sharing(_ journey: Journey, for seconds: Int, folder: String) async throws -> Traffic {
        let time = HandMovedTime()
        return try await TestServer.running(folder: folder, now: { time.now }) { server in
            let (ada, _, chat) = try await server.pair()
            let group = MultiThreadedEventLoopGroup.singleton
            let relay = try await CountingRelay.start(to: server.port, on: group)
            let links = try Links(server: "http://127.0.0.1:\(relay.port)", certificateAuthority: nil)
            var hours = PostingHours(chat: chat, token: ada.token, links: links, relay: relay)
            var phone = SharingPhone(journey, in: chat, phase: 1)
            for second in 1...seconds {
                time.move(to: second)
                for report in phone.reports(at: second, time.now) { try await hours.post(report, at: second) }
            }
            try await relay.stop()
            return hours.traffic
        }
    }

    private init(chat: ChatID, token: String, links: Links, relay: CountingRelay) {
        (self.chat, self.token, self.links, self.relay) = (chat, token, links, relay)
    }

    private mutating func post(_ report: SharingPhone.Report, at second: Int) async throws {
        switch report {
        case .position(let fix):
            let key = OutgoingKey.random(in: chat)
            let draft = MessageDraft(tag: .location, data: MessageData(position: fix.inTenths))
            let frame = ClientFrame.send(SendFrame(key: key.key, chat: chat, draft: draft))
            try await post("messages", frame, at: second)
        case .heartbeat(let beat):
            try await post("heartbeat", .heartbeat(chat: chat, share: nil, beat.inTenths), at: second)
        }
    }

    /// Posts a frame's members: the type and the chat are in the path.
    private mutating func post(_ path: String, _ frame: ClientFrame, at second: Int) async throws {
        let text = String(decoding: frame.encoded(), as: UTF8.self)
        let body = text.replacing(#""chat":"\#(chat)","#, with: "").replacing(/"type":"[a-z]*",/, with: "")
        let headers = [
            LinkHeader("Authorization", "Bearer \(token)"), LinkHeader("Content-Type", "application/json"),
        ]
        let request = LinkRequest(
            .post,
            "/v1/chats/\(chat)/\(path)",
            headers: headers,
            body: Array(body.utf8)
        )
        let answer = try await links.requests.answer(to: request)
        #expect((200..<300).contains(answer.status), "\(String(decoding: answer.body, as: UTF8.self))")
        let bytes = relay.takeBytes()
        traffic.send(bytes.up, at: second)
        traffic.receive(bytes.down, at: second)
    }
}
