import Testing
import YonderClient
import YonderHub
import YonderModel

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct ChatsModelTests {
    @Test func `the list has names, what is new and which others are connected, and says when it is cut off`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Jonas Hasler", "Finn Beck")
            let river = try await ground.chat(people, "Along the Rhine")
            let pair = try await ground.chat([people[0], people[1]])
            let phone = try await ground.signedIn(people[0])
            let jonas = try ground.client(of: people[1])
            let model = ChatsModel(of: phone, ground.context)
            #expect(model.content == .note("Loading…"))
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    try await wait { model.rows.count == 2 }
                    #expect(model.connection.text == nil)
                    #expect(Set(model.rows.map(\.name)) == ["Along the Rhine", "Jonas Hasler"])
                    #expect(Set(model.rows.map(\.preview)) == ["3 people", "Just the two of you"])
                    #expect(model.rows.allSatisfy { !$0.isUnread && $0.badge == "" && $0.presence == "" })
                    try await running(jonas) { @MainActor in
                        try await wait { model.row(pair)?.presence == "connected now" }
                        try await wait { model.row(river)?.presence == "One person is connected" }
                        for text in ["Shall we?", "At noon"] {
                            try await jonas.send(MessageDraft(tag: .text, content: text), to: river)
                        }
                        try await wait { model.row(river)?.unread == "2 new messages" }
                        #expect(model.rows.first?.id == river && model.badge == "2")
                        #expect(
                            model.row(river)?.preview == "Jonas: At noon" && model.row(river)?.badge == "2"
                        )
                        ground.line.cut()
                        try await wait { model.connection.text == "Connecting again…" }
                        #expect(model.rows.count == 2 && model.row(pair)?.presence == "")
                        try await jonas.send(MessageDraft(tag: .text, content: "Hello?"), to: pair)
                        ground.line.mend()
                        try await wait { model.badge == "3" && model.connection.text == nil }
                        try await wait { model.row(pair)?.presence == "connected now" }
                    }
                    try await wait { model.row(pair)?.isConnected == false }
                    await phone.client.markRead(river, upTo: 2)
                    try await wait { model.row(river)?.isUnread == false }
                    model.search = "rhi"
                    #expect(model.rows.map(\.id) == [river])
                    model.search = "hasler jo"
                    #expect(model.rows.count == 2)
                    model.search = "x"
                    #expect(model.content == .note("No chat of that name."))
                }
            }
        }
    }

    @Test func `a new person reads that there is no chat yet`() async throws {
        try await AppGround.running { ground in
            let phone = try await ground.signedIn(try await ground.person("Eva Beck"))
            let model = ChatsModel(of: phone, ground.context)
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    try await wait { if case .none = model.content { true } else { false } }
                }
            }
        }
    }
}

extension ChatsModel {
    fileprivate func row(_ chat: ChatID) -> ChatRow? { rows.first { $0.id == chat } }
}
