import HTTPTypes
import Testing
import YonderAccounts
import YonderModel

/// Text that stands for no characters is refused wherever text comes in, and names that turn others around.
@Suite struct TextTests {
    /// A place where text comes in.
    struct Entry: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let body: String
        let field: String

        var testDescription: String { "\(method) \(path) \(field)" }

        init(_ method: HTTPRequest.Method, _ path: String, _ body: String, _ field: String) {
            (self.method, self.path, self.body, self.field) = (method, path, body, field)
        }
    }

    /// `TEXT` stands for the text, `CHAT` for the chat of two people.
    static let bodies = [
        Entry(.patch, "/v1/me", #"{"name":"TEXT"}"#, "name"),
        Entry(.patch, "/v1/me", #"{"email":"TEXT@b"}"#, "email"),
        Entry(.patch, "/v1/me", #"{"avatar":"/TEXT"}"#, "avatar"),
        Entry(.put, "/v1/me/password", #"{"password":"TEXT1234567"}"#, "password"),
        Entry(.post, "/v1/session", #"{"login":"TEXT","password":"x"}"#, "login"),
        Entry(.post, "/v1/session", #"{"link":"TEXT"}"#, "link"),
        Entry(.post, "/v1/tokens", #"{"label":"TEXT"}"#, "label"),
        Entry(.post, "/v1/invitations/view", #"{"invitation":"TEXT"}"#, "invitation"),
        Entry(.post, "/v1/invitations/accept", #"{"invitation":"TEXT"}"#, "invitation"),
        Entry(.post, "/v1/users", #"{"name":"TEXT"}"#, "name"),
        Entry(.post, "/v1/chats", #"{"invitees":["TEXT"]}"#, "invitees[0]"),
        Entry(.post, "/v1/chats", #"{"invitees":[],"subject":"TEXT"}"#, "subject"),
        Entry(.patch, "/v1/chats/CHAT", #"{"subject":"TEXT"}"#, "subject"),
        Entry(.patch, "/v1/chats/CHAT", #"{"subject":"a","key":"TEXT"}"#, "key"),
        Entry(.post, "/v1/chats/CHAT/participants", #"{"users":["TEXT"]}"#, "users[0]"),
        Entry(.delete, "/v1/chats/CHAT/participants/me", #"{"key":"TEXT"}"#, "key"),
        Entry(.post, "/v1/chats/CHAT/messages", #"{"tag":"TEXT"}"#, "tag"),
        Entry(.post, "/v1/chats/CHAT/messages", #"{"tag":"Text","content":"TEXT"}"#, "content"),
        Entry(
            .post,
            "/v1/chats/CHAT/messages",
            #"{"tag":"Text","data":{"a":[{"t":"TEXT"}]}}"#,
            "data.a[0].t"
        ),
        Entry(.post, "/v1/chats/CHAT/messages", #"{"tag":"Text","data":{"TEXT":1}}"#, "data"),
        Entry(.delete, "/v1/chats/CHAT/messages/1", #"{"key":"TEXT"}"#, "key"),
        Entry(.post, "/v1/entities", #"{"name":"TEXT","fields":[]}"#, "name"),
        Entry(
            .post,
            "/v1/entities",
            #"{"name":"b","fields":[{"name":"TEXT","type":"text"}]}"#,
            "fields[0].name"
        ),
        Entry(.patch, "/v1/entities/cafe", #"{"readers":"TEXT"}"#, "readers"),
        Entry(.post, "/v1/objects/cafe", #"{"fields":{"name":"TEXT"}}"#, "fields.name"),
        Entry(.post, "/v1/objects/cafe", #"{"fields":{"more":{"a":"TEXT"}}}"#, "fields.more.a"),
        Entry(.post, "/v1/objects/cafe", #"{"fields":{"at":{"address":"TEXT"}}}"#, "fields.at.address"),
        Entry(.patch, "/v1/objects/cafe/1", #"{"fields":{"name":"TEXT"}}"#, "fields.name"),
        Entry(.delete, "/v1/objects/cafe/1", #"{"TEXT":1}"#, ""),
    ]

    private func withWorld(_ body: @Sendable ([Caller], String) async throws -> Void) async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let fields =
                #"{"name":"name","type":"text"},{"name":"more","type":"json"},{"name":"at","type":"location"}"#
            let made = try await callers[0].post("/v1/entities", #"{"name":"cafe","fields":[\#(fields)]}"#)
            try #require(made.status == 201)
            try await body(callers, chat)
        }
    }

    @Test(arguments: bodies)
    func `half a surrogate pair is refused with the name of its field`(entry: Entry) async throws {
        try await withWorld { callers, chat in
            let path = entry.path.replacing("CHAT", with: chat)
            for text in [#"\ud800"#, #"a\uDFFFb"#, #"\ud83dx"#] {
                let body = entry.body.replacing("TEXT", with: text)
                let reply = try await callers[0].fit(for: entry).call(entry.method, path, body)
                #expect(reply.status == 400 && reply.code == "invalidJSON", "\(reply.text)")
                let message = reply.object("error")["message"] as? String ?? ""
                #expect(message.contains("half a surrogate pair"), "\(message)")
                #expect(entry.field.isEmpty || message.hasSuffix("in \(entry.field)."), "\(message)")
            }
        }
    }

    @Test func `data is kept with whole pairs as it was written`() async throws {
        try await withWorld { callers, chat in
            let data = #"{"t":"\ud83d\ude00 \u00e9"}"#
            let path = "/v1/chats/\(chat)/messages"
            let sent = try await callers[0].post(path, #"{"tag":"Text","data":\#(data)}"#)
            #expect(sent.status == 201)
            let read = try await callers[0].get(path)
            #expect(read.text.contains(data))
        }
    }

    @Test(arguments: [
        "/v1/chats/CHAT/messages?tag=%ff", "/v1/chats/CHAT/messages?sender=%",
        "/v1/geocoding/search?q=%c3%28",
        "/v1/geocoding/search?q=%ed%a0%80", "/v1/objects/cafe?where=name=%ff", "/v1/objects/cafe?sort=%a",
        "/v1/objects/cafe/export?format=csv&where=name%f=x", "/v1/users?after=%zz",
        "/v1/objects/cafe?cursor=%e2%82",
        "/v1/objects/cafe/region?sw=%ff&ne=1,1", "/v1/objects/cafe/near?at=%ff",
    ])
    func `a broken escape in a query is refused with the parameter's name`(path: String) async throws {
        try await withWorld { callers, chat in
            let reply = try await callers[0].get(path.replacing("CHAT", with: chat))
            #expect(reply.status == 400 && reply.code == "invalidField", "\(reply.text)")
            let broken = try #require(path.split(separator: "?").last)
            let name = try #require(
                broken.split(separator: "&").first { $0.contains("%") }?.split(separator: "=").first
            )
            let message = reply.object("error")["message"] as? String ?? ""
            #expect(message.hasPrefix("\(name):"), "\(message)")
        }
    }

    @Test(arguments: [
        "/v1/chats/%ff", "/v1/objects/%c3/1", "/%", "/v1/entities/caf%e9", "/api/data/caf%e9/%zz",
    ])
    func `a broken escape in a path is refused`(path: String) async throws {
        try await withWorld { callers, _ in
            for method in [HTTPRequest.Method.get, .post, .delete] {
                let reply = try await callers[0].call(method, path)
                #expect(reply.status == 400 && reply.code == "invalidField", "\(reply.text)")
            }
        }
    }

    @Test(arguments: [
        Entry(.patch, "/v1/me", #"{"name":"TEXT"}"#, "name"),
        Entry(.patch, "/v1/me", #"{"email":"TEXT@b"}"#, "email"),
        Entry(.post, "/v1/users", #"{"name":"TEXT"}"#, "name"),
        Entry(.post, "/v1/tokens", #"{"label":"TEXT"}"#, "label"),
        Entry(.patch, "/v1/chats/CHAT", #"{"subject":"TEXT"}"#, "subject"),
    ])
    func `a name that turns the words beside it around is refused`(entry: Entry) async throws {
        try await withWorld { callers, chat in
            let path = entry.path.replacing("CHAT", with: chat)
            for text in ["a\u{202E}b", #"a\u202eb"#, "a\u{2066}b", "a\u{2069}b"] {
                let body = entry.body.replacing("TEXT", with: text)
                let reply = try await callers[0].fit(for: entry).call(entry.method, path, body)
                #expect(reply.status == 400 && reply.code == "invalidField", "\(reply.text)")
                let message = reply.object("error")["message"] as? String ?? ""
                #expect(message.hasPrefix(entry.field), "\(message)")
            }
        }
    }

    @Test func `a body of another type or in another character set is refused`() async throws {
        try await withWorld { callers, chat in
            let path = "/v1/chats/\(chat)/messages"
            for type in [
                "text/plain", "application/x-www-form-urlencoded", "application/json; charset=iso-8859-1",
                "application/jsonp", "", "json", "application/json;charset=\"utf-16\"",
            ] {
                let reply = try await callers[0].with(.contentType, type).post(path, #"{"tag":"Text"}"#)
                #expect(reply.status == 400 && reply.code == "invalidFrame", "\(type): \(reply.text)")
            }
            for type in [
                "application/json", "Application/JSON; charset=UTF-8", "application/json; charset=\"utf-8\"",
            ] {
                let reply = try await callers[0].with(.contentType, type).post(path, #"{"tag":"Text"}"#)
                #expect(reply.status == 201, "\(type): \(reply.text)")
            }
            let file = try await callers[0].with(.contentType, "text/csv; charset=windows-1252").post(
                "/v1/objects/cafe/import?format=csv",
                "name\nA"
            )
            #expect(file.status == 400 && file.code == "invalidFrame", "\(file.text)")
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.patch, "/v1/me"), (.put, "/v1/me/password"), (.post, "/v1/session"),
        (.post, "/v1/chats"), (.patch, "/v1/chats/CHAT"), (.post, "/v1/chats/CHAT/messages"),
        (.post, "/v1/chats/CHAT/participants"), (.post, "/v1/users"), (.post, "/v1/entities"),
        (.patch, "/v1/entities/cafe"), (.post, "/v1/objects/cafe"), (.patch, "/v1/objects/cafe/1"),
        (.post, "/v1/objects/cafe/import?format=csv"), (.post, "/v1/objects/cafe/import?format=geojson"),
        (.post, "/v1/invitations/view"), (.post, "/v1/invitations/accept"),
    ])
    func `a body that must be there is missed`(method: HTTPRequest.Method, path: String) async throws {
        try await withWorld { callers, chat in
            let type =
                path.hasSuffix("csv") ? "text/csv" : path.hasSuffix("geojson") ? "application/geo+json" : nil
            var caller = try await callers[0].fit(for: Entry(method, path, "", ""))
            if caller.headers[.authorization] != nil { caller = caller.with(.contentType, type) }
            let reply = try await caller.call(method, path.replacing("CHAT", with: chat))
            #expect(reply.status == 400, "\(reply.text)")
            #expect(["missingField", "invalidJSON", "invalidFile"].contains(reply.code), "\(reply.text)")
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.patch, "/v1/me", #"{"name":null}"#), (.post, "/v1/tokens", #"{"label":null}"#),
        (.post, "/v1/entities", #"{"name":"b","readers":null,"fields":[]}"#),
        (.post, "/v1/entities", #"{"name":"b","fields":[{"name":"x","type":"text","entity":null}]}"#),
        (.post, "/v1/entities", #"{"name":"b","fields":[{"name":"x","type":"text","required":null}]}"#),
        (.patch, "/v1/objects/cafe/1", #"{"fields":{},"updated":null}"#),
        (.delete, "/v1/objects/cafe/1", #"{"updated":null}"#),
    ])
    func `null is no value where it removes nothing`(method: HTTPRequest.Method, path: String, body: String)
        async throws
    {
        try await withWorld { callers, _ in
            let reply = try await callers[0].call(method, path, body)
            #expect(reply.status == 400 && reply.code == "invalidField", "\(reply.text)")
        }
    }
}

extension Caller {
    /// The user in a session where a token isn't accepted, else as they are.
    fileprivate func fit(for entry: TextTests.Entry) async throws -> Caller {
        let isSession =
            entry.path == "/v1/users" || entry.path == "/v1/me/password" || entry.field == "email"
        return isSession ? try await signedIn() : self
    }
}
