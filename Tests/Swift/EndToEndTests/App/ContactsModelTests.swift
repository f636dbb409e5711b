import TestSupport
import Testing
import YonderClient
import YonderHub
import YonderModel
import YonderStorage

@testable import YonderAppModels
import YonderTables

@Suite(.timeLimit(.minutes(20))) @MainActor struct ContactsModelTests {
    @Test
    func `two contacts are chosen and a group is started; alone with one, the existing chat is answered`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Jonas Hasler", "Finn Beck", "Éva Beck")
            let pair = try await ground.chat([people[0], people[1]])
            let phone = try await ground.signedIn(people[0])
            let model = ContactsModel(of: phone, ground.context)
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    try await wait { model.rows.count == 3 }
                    #expect(model.title == "New chat" && !model.canStart)
                    model.start()
                    #expect(!model.isBusy)
                    model.search = "eva"
                    #expect(model.rows.map(\.email) == ["éva@example.org"])
                    model.choose(people[3].id)
                    #expect(model.offersKind && !model.offersSubject && model.title == "1 selected")
                    model.search = ""
                    model.choose(people[2].id)
                    #expect(!model.offersKind && model.offersSubject && model.title == "2 selected")
                    model.subject = " Along  the Rhine "
                    model.start()
                    try await wait { model.opened != nil }
                    let group = try #require(model.opened)
                    let chat = try await ground.server.store.chat(group)
                    #expect(chat.subject == "Along the Rhine" && chat.participants.count == 3)
                    #expect(model.notice == nil && model.title == "New chat" && model.subject == "")

                    model.opened = nil
                    model.choose(people[1].id)
                    model.start()
                    try await wait { model.opened == pair }
                    #expect(model.notice == "You two have this chat already.")
                    // The same two as a new group.
                    model.opened = nil
                    model.choose(people[1].id)
                    model.isJustTwo = false
                    model.start()
                    try await wait { model.opened != nil && model.opened != pair }
                    #expect(model.notice == nil)
                }
            }
        }
    }

    @Test
    func `a chat that is started without a connection starts when there is one, and a refusal is in words`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Jonas Hasler", "Finn Beck")
            let phone = try await ground.signedIn(people[0])
            let model = ContactsModel(of: phone, ground.context)
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    try await wait { model.rows.count == 2 }
                    ground.line.cut()
                    try await wait { model.connection.text != nil }
                    model.choose(people[1].id)
                    model.start()
                    #expect(model.isBusy && !model.canStart)
                    ground.line.mend()
                    try await wait { model.opened != nil && !model.isBusy }

                    // Finn stops being a contact while Mia's phone doesn't hear of it.
                    model.choose(people[2].id)
                    ground.line.cut()
                    try await wait { model.connection.text != nil }
                    try await ground.server.store.disconnect(people[0].id, people[2].id)
                    model.start()
                    ground.line.mend()
                    try await wait { !model.isBusy }
                    #expect(model.problem == "This person is no contact of yours.")
                    try await wait { model.rows.count == 1 }
                    #expect(!model.canStart)
                }
            }
        }
    }
}
