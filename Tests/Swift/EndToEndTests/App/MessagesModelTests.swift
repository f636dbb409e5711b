import Testing
import YonderClient
import YonderHub
import YonderModel

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct MessagesModelTests {
    @Test func `the first unread message is marked, what is listed counts as read, and an answer is sent`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck")
            let chat = try await ground.chat(people, "Along the Rhine")
            let (phone, finn) = (try await ground.signedIn(people[0]), try ground.client(of: people[1]))
            let model = MessagesModel(of: chat, for: phone, ground.context)
            let chats = ChatsModel(of: phone, ground.context)
            #expect(model.content == .note("Loading…") && !model.canSend)
            try await running(phone.client, finn) { @MainActor in
                try await showing(chats.run) {
                    for text in ["Where are you?", "I am at the bridge."] {
                        try await finn.send(MessageDraft(tag: .text, content: text), to: chat)
                    }
                    try await wait { chats.rows.first?.badge == "2" }
                    try await showing(model.run) {
                        try await wait { model.bubbles.first?.mark != nil }
                        let bubbles = model.bubbles
                        #expect(bubbles.map(\.text) == ["Where are you?", "I am at the bridge."])
                        #expect(bubbles.map(\.mark) == ["2 new", nil])
                        #expect(bubbles.map(\.author) == ["Finn Beck", "Finn Beck"])
                        #expect(bubbles[0].spoken == "Finn Beck: Where are you?, \(bubbles[0].time)")
                        try await wait { chats.rows.first?.badge == "" }
                        #expect(model.bubbles.first?.mark == "2 new")

                        // In a pocket messages arrive and stay unread: a first one that was read wouldn't count beside the second.
                        model.isInView = false
                        for count in 1...2 {
                            try await finn.send(MessageDraft(tag: .text, content: "Hello?"), to: chat)
                            try await wait {
                                model.bubbles.count == 2 + count && chats.rows.first?.badge == "\(count)"
                            }
                        }
                        model.isInView = true
                        try await wait { chats.rows.first?.badge == "" }

                        model.draft = "  Coming\n"
                        #expect(model.canSend)
                        model.send()
                        #expect(model.draft == "" && model.bubbles.last?.text == "Coming")
                        try await wait { model.bubbles.last?.id.hasPrefix("unsent") == false }
                        #expect(model.bubbles.count == 5 && model.bubbles.last?.isOwn == true)
                        #expect(model.bubbles.last?.author == "")
                    }
                }
            }
        }
    }

    @Test
    func `a message without a connection waits, and a refused one returns to the field with the reason`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck", "Eva Beck")
            let chat = try await ground.chat(people, "Along the Rhine")
            let phone = try await ground.signedIn(people[0])
            let finn = try ground.client(of: people[1])
            let model = MessagesModel(of: chat, for: phone, ground.context)
            try await running(phone.client, finn) { @MainActor in
                try await showing(model.run) {
                    try await wait {
                        model.content
                            == .none(
                                title: "Nothing said yet",
                                hint: "Write the first message below."
                            )
                    }
                    ground.line.cut()
                    model.draft = "On my way"
                    model.send()
                    #expect(model.bubbles.map(\.time) == ["Waiting to be sent…"])
                    ground.line.mend()
                    try await wait {
                        model.bubbles.map(\.id) == ["2"]
                            || model.bubbles.first?.id.hasPrefix("unsent") == false
                    }
                    #expect(model.bubbles.map(\.text) == ["On my way"] && model.problem == nil)

                    model.draft = String(repeating: "a", count: Message.byteLimit + 1)
                    let long = model.draft
                    model.send()
                    try await wait { model.problem != nil }
                    #expect(model.problem == "This message is too long." && model.draft == long)
                    #expect(model.bubbles.count == 1)
                }
            }
        }
    }
}
