import TestSupport
import Testing
import YonderClient
import YonderHub
import YonderGeodesy
import YonderLocation
import YonderModel
import YonderRules
import YonderOutbox

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct SharingModelTests {
    @Test
    func
        `a refused permission is said and nothing is shared; allowed later, a position is, until it is stopped`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck")
            let chat = try await ground.chat(people, "Along the Rhine")
            let phone = try await ground.signedIn(people[0])
            let device = MemorySource(authorization: .notDetermined, answer: .denied)
            let model = SharingModel(of: phone, from: LocationProvider(source: device), ground.context)
            let walk = try AppGround.walk("mia")
            let finn = try ground.client(of: people[1])
            let map = ChatMapModel(of: chat, for: try await ground.signedIn(people[1], finn), ground.context)
            let pin = people[0].id.description
            try await running(phone.client, finn) { @MainActor in
                try await showing(model.run, and: map.run) {
                    try await wait { model.connection.text == nil }
                    #expect(model.row(in: chat).state == .off && model.permission == .notAsked)
                    model.share(in: chat, for: .hour)
                    #expect(model.row(in: chat).state == .awaited)
                    try await wait { model.row(in: chat).state == .off }
                    #expect(model.row(in: chat).problem.hasPrefix("Yonder may not see your position."))
                    #expect(model.permission == .refused && model.rows.count == 1 && !model.isSeen)

                    device.send(.authorization(.whenInUse))
                    try await wait { model.permission == .allowed }
                    model.share(in: chat, for: .hour)
                    try await wait { model.row(in: chat).state == .finding }
                    try await device.move(along: walk[0]) { model.row(in: chat).state == .here }
                    #expect(
                        model.row(in: chat).text.hasSuffix(" · 1 h left") && model.row(in: chat).canExtend
                    )
                    try await wait { model.seenText == "One person can see where you are." }
                    #expect(model.statusText.hasPrefix("You share in Along the Rhine · until "))
                    try await wait { map.annotations.pins[pin]?.coordinate == walk[0] }

                    // Refused in the settings while it shares, and allowed again.
                    device.send(.authorization(.denied))
                    try await wait {
                        model.row(in: chat).problem.hasSuffix("The others see your last position.")
                    }
                    device.send(.authorization(.whenInUse))
                    try await wait { model.row(in: chat).problem == "" }
                    try await device.move(along: walk[1]) { map.annotations.pins[pin]?.coordinate == walk[1] }

                    model.extend(in: chat)
                    try await wait { model.row(in: chat).text.hasSuffix(" · 2 h left") }
                    model.stop(in: chat)
                    #expect(model.row(in: chat).state == .stopping)
                    try await wait {
                        model.row(in: chat).state == .off && map.people[1].state.hasPrefix("stopped")
                    }
                    #expect(model.rows.isEmpty && model.statusText == "")
                    #expect(device.calls.last == .stop)
                }
            }
        }
    }

    @Test
    func
        `cut off, a start waits and is given up after two minutes, and a stop is sent when there is a connection`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck")
            let river = try await ground.chat(people, "Along the Rhine")
            let family = try await ground.chat(people, "Hasler family")
            let phone = try await ground.signedIn(people[0])
            let device = MemorySource()
            let model = SharingModel(of: phone, from: LocationProvider(source: device), ground.context)
            let place = try AppGround.walk("mia")[0]
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    model.share(in: river, for: .untilStop)
                    try await device.move(along: place) { model.row(in: river).state == .here }
                    #expect(model.row(in: river).text == "until you stop")
                    ground.line.cut()
                    try await wait { model.connection.text == "Connecting again…" }
                    model.share(in: family, for: .quarter)
                    #expect(model.row(in: family).text == "Shares as soon as there is a connection.")
                    await ground.clock.waits.waitForSleepers(2)
                    await ground.clock.advance(by: SharingModel.startWait)
                    try await wait { model.row(in: family).state == .off }
                    #expect(model.row(in: family).problem.hasPrefix("Nothing was shared"))
                    model.dismissProblem(in: family)
                    // Given up, and taken back, it doesn't start later.
                    model.share(in: family, for: .quarter)
                    model.stop(in: family)
                    #expect(model.row(in: family).state != .awaited)

                    model.stop(in: river)
                    try await wait {
                        model.row(in: river).text == "Stopping: not sent yet" && !model.stopText.isEmpty
                    }
                    #expect(model.stopText.contains("Leave Yonder open") && model.statusText == "")
                    ground.line.mend()
                    try await wait { model.row(in: river).state == .off && model.stopText == "" }
                    try await wait { model.rows.isEmpty }
                    let shares = try await ground.runningShares(of: people[0])
                    #expect(shares.isEmpty)
                }
            }
        }
    }

    @Test func `a share of another device is shown, gone on with here, and stopped everywhere at once`()
        async throws
    {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck", "Jonas Hasler")
            let river = try await ground.chat([people[0], people[1]], "Along the Rhine")
            let family = try await ground.chat([people[0], people[2]], "Hasler family")
            let phone = try await ground.signedIn(people[0])
            let tablet = try ground.client(of: people[0])
            let device = MemorySource()
            let provider = LocationProvider(source: device)
            let model = SharingModel(of: phone, from: provider, ground.context)
            let world = WorldModel(
                over: try ground.world(of: people[0], over: Line()),
                from: provider,
                ground.context
            )
            model.world = world
            try await running(phone.client, tablet) { @MainActor in
                try await showing(model.run, and: world.run) {
                    for chat in [river, family] { _ = try await tablet.startShare(in: chat) }
                    try await wait { model.rows.map(\.state) == [.elsewhere, .elsewhere] }
                    #expect(model.rows[0].text == "until you stop · from another device")
                    try await wait { model.seenText == "2 people can see where you are." }
                    #expect(model.statusText == "")
                    model.goOn(in: river)
                    let place = try AppGround.walk("mia")[0]
                    try await device.move(along: place) { model.row(in: river).state == .here }
                    world.showMe()
                    try await wait { world.isShown }
                    #expect(
                        model.seenText
                            == "The whole world can see where you are, and 2 people know that it is you."
                    )
                    model.stopEverywhere()
                    #expect(!model.isSeen && !world.isShown)
                    try await wait { model.rows.isEmpty }
                    #expect(try await ground.runningShares(of: people[0]).isEmpty)

                    // What another device stops ends here, too, and is said.
                    model.share(in: river, for: .hour)
                    try await device.move(along: place) { model.row(in: river).state == .here }
                    try await tablet.stopShares()
                    try await wait {
                        model.row(in: river).problem == "Your sharing with Along the Rhine ended."
                    }
                    #expect(model.row(in: river).state == .off && model.statusText == "")
                }
            }
        }
    }

    @Test func `a share ends on the phone at its time, also without a connection`() async throws {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck")
            let chat = try await ground.chat(people, "Along the Rhine")
            let phone = try await ground.signedIn(people[0])
            let device = MemorySource()
            let model = SharingModel(of: phone, from: LocationProvider(source: device), ground.context)
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    model.share(in: chat, for: .quarter)
                    let place = try AppGround.walk("mia")[0]
                    try await device.move(along: place) { model.row(in: chat).state == .here }
                    #expect(model.row(in: chat).text.hasSuffix(" · 15 min left"))
                    try await wait { model.row(in: chat).name == "Along the Rhine" }
                    ground.line.cut()
                    try await wait { model.connection.text != nil }
                    await ground.clock.advance(by: .seconds(901))
                    try await wait { model.row(in: chat).state == .off }
                    try await wait {
                        model.row(in: chat).problem == "Your sharing with Along the Rhine ended."
                    }
                    while device.calls.last != .stop { await Task.yield() }
                }
            }
        }
    }
}

extension MemorySource {
    /// Sends a position again and again until the screen is as expected: the source may not be started yet.
    @MainActor func move(along place: Coordinate, until isAsExpected: () -> Bool) async throws {
        while !isAsExpected() {
            move(to: Position(coordinate: place, timestamp: .now))
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

extension AppGround {
    /// The running shares of a person, as another device of theirs is sent them.
    fileprivate func runningShares(of person: Person) async throws -> [ShownShare] {
        let client = try client(of: person)
        return try await EndToEndTests.running(client) {
            var updates = await client.shares().makeAsyncIterator()
            guard case .list(let shares) = try await updates.next() else { return [] }
            return shares
        }
    }

    fileprivate func signedIn(_ person: Person, _ client: SharingClient) async throws -> SignedInUser {
        let user = try await signedIn(person)
        return SignedInUser(user.user, requests: user.requests, client: client)
    }
}
