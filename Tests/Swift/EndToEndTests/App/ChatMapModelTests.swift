import Testing
import YonderClient
import YonderHub
import YonderGeodesy
import YonderModel

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct ChatMapModelTests {
    @Test
    func
        `a pin moves while its callout is open, all locations have its line, and a cut changes nothing of it`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck", "Jonas Hasler")
            let chat = try await ground.chat(people, "Along the Rhine")
            let phone = try await ground.signedIn(people[0])
            let walk = try AppGround.walk("finn")
            let finn = try ground.client(of: people[1])
            let pin = people[1].id.description
            let model = ChatMapModel(of: chat, for: phone, ground.context)
            try await running(phone.client, finn) { @MainActor in
                try await showing(model.run) {
                    try await wait { model.title == "Along the Rhine" && model.people.count == 3 }
                    #expect(model.people[0].name == "Mia Hasler (you)")
                    #expect(model.people.allSatisfy { $0.state == "Shares no position here" })
                    try await Self.send(walk[0], from: finn, to: chat)
                    try await wait { model.annotations.pins[pin]?.coordinate == walk[0] }
                    #expect(model.look?.target == .region(try #require(Region(fitting: [walk[0]]))))
                    model.selection = pin
                    let callout = try #require(model.callout)
                    #expect(callout.name == "Finn Beck" && callout.email == "finn@example.org")
                    #expect(callout.time.hasPrefix("just now (") && callout.follow == "Follow")
                    model.toggleFollowing()
                    #expect(model.look?.target == .center(walk[0]))
                    try await Self.send(walk[1], from: finn, to: chat)
                    try await wait { model.look?.target == .center(walk[1]) }
                    #expect(model.callout?.isFollowed == true && model.annotations.pins.count == 1)

                    model.viewsAll = true
                    try await wait { model.annotations.lines[pin]?.points.count == 2 }
                    try await wait { model.extent.hasPrefix("Everywhere each person has been: 2 positions.") }
                    #expect(model.callout?.id == pin)
                    ground.line.cut()
                    try await wait { model.connection.text == "Connecting again…" }
                    #expect(model.callout?.name == "Finn Beck" && model.annotations.lines.count == 1)
                    try await Self.send(walk[2], from: finn, to: chat)
                    ground.line.mend()
                    try await wait { model.annotations.lines[pin]?.points.count == 3 }
                    #expect(model.connection.text == nil && model.callout?.id == pin)

                    // A stop of earlier is selected, and its person stays so where there are no stops.
                    let stop: String = try #require(model.annotations.stops.keys.min())
                    model.selection = stop
                    #expect(model.callout?.state == "")
                    model.viewsAll = false
                    #expect(model.selection == pin && model.annotations.lines.isEmpty)
                    model.mapWasMoved()
                    try await Self.send(walk[3], from: finn, to: chat)
                    try await wait { model.annotations.pins[pin]?.coordinate == walk[3] }
                    #expect(model.look?.target == .center(walk[2]))
                    await ground.clock.advance(by: .seconds(200))
                    try await wait { model.callout?.time.hasPrefix("3 min ago (") == true }
                    #expect(model.label(of: pin) == "Finn Beck, 3 min")

                    // A map that was moved by hand looks at the same place again.
                    model.toggleFollowing()
                    let number = try #require(model.look?.number)
                    model.mapWasMoved()
                    model.toggleFollowing()
                    #expect(model.look == MapLook(.center(walk[3]), number: number + 1))
                }
            }
        }
    }

    @Test func `a share that ends is said beside the pin, and the pin of an erased one goes`() async throws {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck", "Jonas Hasler")
            let chat = try await ground.chat(people, "Along the Rhine")
            let phone = try await ground.signedIn(people[0])
            let (finn, jonas) = (try ground.client(of: people[1]), try ground.client(of: people[2]))
            let walk = try AppGround.walk("finn")
            let model = ChatMapModel(of: chat, for: phone, ground.context)
            try await running(phone.client, finn, jonas) { @MainActor in
                try await showing(model.run) {
                    let kept = try await finn.startShare(in: chat)
                    let erased = try await jonas.startShare(in: chat, ShareWish(keeping: .expiring))
                    try await Self.send(walk[0], from: finn, to: chat)
                    try await Self.send(walk[9], from: jonas, to: chat)
                    try await wait { model.annotations.pins.count == 2 }
                    model.choose(people[2].id)
                    #expect(model.look?.target == .center(walk[9]))
                    try await finn.stopShare(kept.id, in: chat)
                    try await jonas.stopShare(erased.id, in: chat)
                    try await wait { model.annotations.pins.count == 1 && model.callout == nil }
                    let row = try #require(model.people.first { $0.id == people[1].id })
                    #expect(row.state.hasPrefix("stopped ") && row.isOnMap)
                }
            }
        }
    }

    @Test func `a chat that the person isn't in is said to be missing`() async throws {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck")
            let chat = try await ground.chat(people, "Along the Rhine")
            let phone = try await ground.signedIn(people[0])
            let model = ChatMapModel(of: chat, for: phone, ground.context)
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    try await wait { model.title != "" && model.problem == nil }
                    try await phone.client.leave(chat)
                    try await wait { model.problem != nil }
                }
            }
        }
    }

    private static func send(_ place: Coordinate, from client: SharingClient, to chat: ChatID) async throws {
        let position = Position(coordinate: place, timestamp: .now)
        try await client.send(MessageDraft(tag: .location, data: MessageData(position: position)), to: chat)
    }
}
