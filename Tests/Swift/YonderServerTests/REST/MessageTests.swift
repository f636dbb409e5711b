import HTTPTypes
import Testing
import YonderGeodesy
import YonderModel

@Suite struct MessageTests {
    @Test func `a message is numbered, kept, and read back byte for byte`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            let body = #"{"key":"k1","tag":"Location","data":{"latitude":"59.913900", "n":1.50}}"#
            let sent = try await callers[0].post(path, body)
            #expect(sent.status == 201 && sent.integer("number") == 1)
            #expect(sent.integer("time") == 1_764_000_000_000)
            let read = try await callers[1].get(path)
            #expect(read.text.contains(#""data":{"latitude":"59.913900", "n":1.50}"#))
            #expect(read.integer("first") == 1 && read.integer("through") == 1 && read.integer("last") == 1)
            let one = try await callers[1].get(path + "/1")
            #expect(one.object("message")["tag"] as? String == "Location")
            #expect(try await callers[1].get(path + "/2").code == "unknownMessage")
            #expect(try await callers[1].get(path + "/01").code == "unknownMessage")
        }
    }

    @Test func `the same key answers the same number, with another message it is refused`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            let body = #"{"key":"k1","tag":"Text","content":"hi"}"#
            #expect(try await callers[0].post(path, body).integer("number") == 1)
            #expect(try await callers[0].post(path, body).integer("number") == 1)
            let other = try await callers[0].post(path, #"{"key":"k1","tag":"Text","content":"ho"}"#)
            #expect(other.status == 409 && other.code == "keyReused")
        }
    }

    @Test(arguments: [
        (#"{}"#, 400, "missingField"), (#"{"tag":"Join"}"#, 400, "reservedTag"),
        (#"{"tag":"a b"}"#, 400, "invalidField"), (#"{"tag":"Text","data":[]}"#, 400, "invalidField"),
        (#"{"tag":"Text","data":{"a":1,"a":2}}"#, 400, "invalidJSON"),
        (#"{"tag":"Text","content":7}"#, 400, "invalidField"),
        (#"{"tag":"Text","key":""}"#, 400, "invalidField"),
        (#"{"tag":"Text","expires":1.5}"#, 400, "invalidField"),
        (#"{"tag":"Text","keep":"no"}"#, 400, "invalidField"),
        (#"{"tag":"Text","number":7}"#, 400, "unknownField"),
        (#"{"tag":"Text","content":"\#(String(repeating: "x", count: 71_681))"}"#, 413, "messageTooLarge"),
        (#"{"tag":"Text","content":"\#(String(repeating: "x", count: 140_000))"}"#, 413, "tooLarge"),
        ("{\"tag\":\"Text\",\"content\":\"\u{1}\"}", 400, "invalidJSON"),
    ])
    func `a wrong message is refused whole`(body: String, status: Int, code: String) async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            let reply = try await callers[0].post(path, body)
            #expect(reply.status == status && reply.code == code, "\(reply.text)")
            #expect(try await callers[0].get(path).integer("last") == 0)
        }
    }

    @Test(arguments: [
        "limit=0", "limit=10001", "limit=x", "since=-1", "latest=1", "sender=x", "tag=a%20b", "from=1.5",
        "before=0", "since=1.5",
    ])
    func `a wrong query is refused`(query: String) async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            let reply = try await callers[0].get("\(path)?\(query)")
            #expect(reply.status == 400 && reply.code == "invalidField", "\(reply.text)")
            #expect(try await callers[0].get("\(path)?\(query)&token=x").code == "unknownField")
            #expect(try await callers[0].get("\(path)?limit=1&limit=2").code == "invalidField")
        }
    }

    @Test func `queries choose among the messages`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            for number in 1...30 {
                let sender = callers[number % 2]
                let tag = number % 3 == 0 ? "Text" : "Location"
                let data = #"{"latitude":"1","longitude":"2"}"#
                try await sender.post(path, #"{"tag":"\#(tag)","content":"\#(number)","data":\#(data)}"#)
                server.wait(.seconds(1))
            }
            func numbers(_ query: String) async throws -> [Int] {
                try await callers[0].get("\(path)?\(query)").list("messages").compactMap {
                    $0["number"] as? Int
                }
            }
            let start = 1_764_000_000_000
            #expect(try await numbers("") == Array(1...30))
            #expect(try await numbers("limit=3") == [28, 29, 30])
            #expect(try await numbers("since=27") == [28, 29, 30])
            #expect(try await numbers("tag=Text&limit=2") == [27, 30])
            #expect(try await numbers("latest=true") == [29, 30])
            #expect(try await numbers("sender=\(try #require(callers[0].user))&limit=2") == [28, 30])
            #expect(try await numbers("from=\(start + 9000)&to=\(start + 12_000)") == [10, 11, 12])
            #expect(try await numbers("before=10&limit=3") == [7, 8, 9])
            #expect(try await numbers("before=10&limit=2&tag=Text") == [6, 9])
            #expect(try await numbers("before=3") == [1, 2])
            #expect(try await numbers("before=1").isEmpty)
            #expect(try await numbers("before=1000&since=28") == [29, 30])
            #expect(try await numbers("since=4&limit=3") == [5, 6, 7])
            #expect(try await numbers("since=4&limit=3&before=7") == [5, 6])
            #expect(try await numbers("since=4&limit=2&tag=Text") == [6, 9])
            #expect(try await numbers("since=30").isEmpty)
            #expect(try await numbers("since=99").isEmpty)
            #expect(try await numbers("latest=true&before=10") == [8, 9])
            #expect(try await numbers("since=5.0&limit=1e0") == [6])
        }
    }

    @Test func `backward there are positions alone, and forward what empties some of them, too`() async throws
    {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let path = "/v1/chats/\(chat)/messages"
            try await callers[0].post("/v1/chats/\(chat)/shares", #"{"keep":"expiring"}"#)
            let data = #"{"latitude":"1","longitude":"2"}"#
            for _ in 0..<2 { try await callers[0].post(path, #"{"tag":"Location","data":\#(data)}"#) }
            func tags(_ query: String) async throws -> [String] {
                try await callers[1].get("\(path)?tag=Location\(query)").list("messages").compactMap {
                    $0["tag"] as? String
                }
            }
            #expect(try await tags("") == ["Location", "Location"])
            #expect(try await tags("&limit=1") == ["Location"])
            #expect(try await tags("&since=0") == ["Share", "Location", "Location"])
        }
    }

    @Test func `since leads forward page by page, and misses nothing that is sent meanwhile`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            for number in 1...25 {
                try await callers[0].post(path, #"{"tag":"Text","content":"\#(number)"}"#)
            }
            var seen: [Int] = []
            var since = 0
            while true {
                let page = try await callers[1].get("\(path)?since=\(since)&limit=7")
                let numbers = page.list("messages").compactMap { $0["number"] as? Int }
                #expect(numbers.count <= 7 && page.integer("first") == 1)
                #expect(page.integer("through") == numbers.last ?? since)
                seen += numbers
                if seen.count == 14 { try await callers[0].post(path, #"{"tag":"Text"}"#) }
                #expect(page.integer("previous") == nil)
                guard let next = page.integer("next") else { break }
                #expect(next == numbers.last)
                since = next
            }
            #expect(seen == Array(1...26))
            let whole = try await callers[1].get("\(path)?since=0&limit=26")
            #expect(whole.list("messages").count == 26 && whole.integer("next") == nil)
        }
    }

    @Test func `without since, previous leads back to the first message`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            for number in 1...25 {
                let tag = number % 2 == 0 ? "Text" : "Location"
                try await callers[0].post(path, #"{"tag":"\#(tag)"}"#)
            }
            for (tag, wanted) in [("", Array(1...25)), ("&tag=Text", Array(1...12).map { 2 * $0 })] {
                var seen: [Int] = []
                var before: Int?
                repeat {
                    let bound = before.map { "&before=\($0)" } ?? ""
                    let page = try await callers[1].get("\(path)?limit=6\(tag)\(bound)")
                    let numbers = page.list("messages").compactMap { $0["number"] as? Int }
                    #expect(numbers.count <= 6 && page.integer("next") == nil)
                    seen = numbers + seen
                    before = page.integer("previous")
                } while before != nil
                #expect(seen == wanted)
            }
        }
    }

    @Test func `a page of since has every recall above it, too`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            for _ in 1...3 { try await callers[0].post(path, #"{"tag":"Text"}"#) }
            try await callers[0].call(.delete, path + "/1")
            let page = try await callers[1].get("\(path)?since=2&tag=Text")
            #expect(page.list("messages").compactMap { $0["number"] as? Int } == [3, 4])
        }
    }

    @Test func `a long answer comes whole, in pages`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            let content = String(repeating: "x", count: 60_000)
            for _ in 0..<12 { try await callers[0].post(path, #"{"tag":"Text","content":"\#(content)"}"#) }
            let reply = try await callers[1].get(path)
            #expect(reply.list("messages").compactMap { $0["number"] as? Int } == Array(1...12))
            #expect(reply.integer("through") == 12 && reply.integer("last") == 12)
            let older = try await callers[1].get(path + "?before=11&limit=5")
            #expect(older.list("messages").compactMap { $0["number"] as? Int } == Array(6...10))
            #expect(older.integer("previous") == 6 && older.integer("through") == 10)
            let newer = try await callers[1].get(path + "?since=1&limit=9")
            #expect(newer.list("messages").compactMap { $0["number"] as? Int } == Array(2...10))
            #expect(newer.integer("next") == 10 && newer.integer("last") == 12)
        }
    }

    @Test func `a recalled message keeps its number and loses its content`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            try await callers[1].post(path, #"{"tag":"Text","content":"oops"}"#)
            #expect(try await callers[1].call(.delete, path + "/1").integer("number") == 2)
            let message = try await callers[0].get(path + "/1").object("message")
            #expect(message["content"] as? String == "" && message["recalled"] as? Bool == true)
            try await callers[0].post(path, #"{"tag":"Text","content":"mine"}"#)
            #expect(try await callers[1].call(.delete, path + "/3").code == "notAllowed")
            #expect(try await callers[1].call(.delete, path + "/99").code == "unknownMessage")
        }
    }

    @Test func `a message that nobody keeps has no number`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            let reply = try await callers[0].post(path, #"{"tag":"Text","keep":false}"#)
            #expect(reply.status == 201 && reply.integer("number") == nil && reply.integer("time") != nil)
            #expect(try await callers[0].get(path).integer("last") == 0)
        }
    }
}
