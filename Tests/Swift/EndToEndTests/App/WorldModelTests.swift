import Testing
import YonderClient
import YonderHub
import YonderGeodesy
import YonderLocation
import YonderModel
import YonderWorld

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct WorldModelTests {
    @Test func `others have pins and the person none; zoom to me, follow me, show me, and a cut`()
        async throws
    {
        try await AppGround.running { ground in
            let (mia, tom) = (try await ground.person("Mia Hasler"), try await ground.person("Tom Ritter"))
            let phone = try ground.world(of: mia, over: ground.line)
            try await Self.visit(ground, phone, try ground.world(of: tom, over: Line()))
        }
    }

    @Test func `over Socket.IO the world is the same`() async throws {
        try await AppGround.running { ground in
            try await Self.visit(
                ground,
                ground.socketWorld(over: ground.line),
                ground.socketWorld(over: Line())
            )
        }
    }

    @Test func `a world that is closed to those without an account is said to be closed over Socket.IO, too`()
        async throws
    {
        var hub = HubSettings()
        hub.world.access = .members
        try await AppGround.running(hub) { ground in
            let model = WorldModel(
                over: ground.socketWorld(over: ground.line),
                from: LocationProvider(source: MemorySource()),
                ground.context
            )
            try await showing(model.run) {
                try await wait { model.problem == ground.context.say(.worldClosedHint) }
            }
        }
    }

    @Test func `a member reaches a world that is open to members alone by the other way`() async throws {
        var hub = HubSettings()
        hub.world.access = .members
        try await AppGround.running(hub) { ground in
            let mia = try await ground.person("Mia Hasler")
            let stream = try ground.world(of: mia, over: ground.line)
            let model = WorldModel(
                over: ground.socketWorld(over: Line()).or(stream),
                from: LocationProvider(source: MemorySource()),
                ground.context
            )
            try await showing(model.run) {
                try await wait { model.text == ground.context.say(.worldNobody) }
                #expect(model.problem == nil)
            }
        }
    }

    /// Visits the world with two phones, the first of which has `ground.line`.
    private static func visit(_ ground: AppGround, _ phone: WorldChannel, _ other: WorldChannel) async throws
    {
        let (walk, ahead) = (try AppGround.walk("mia"), try AppGround.walk("tom"))
        let road = MemorySource()
        let device = MemorySource(authorization: .notDetermined, answer: .denied)
        let provider = LocationProvider(source: device)
        let model = WorldModel(over: phone, from: provider, ground.context)
        let watcher = WorldModel(over: other, from: LocationProvider(source: road), ground.context)
        try await showing(model.run, and: watcher.run) {
            try await wait { model.text == "One other is connected now" }
            #expect(model.annotations.pins.isEmpty && !model.isShown)
            watcher.showMe()
            try await road.move(to: ahead[0]) { model.places == [ahead[0]] }
            let pin = try #require(model.annotations.pins.keys.first)
            #expect(model.label(of: pin).hasPrefix("Someone "))
            model.selection = pin

            model.showMe()
            try await wait { model.ownText.hasPrefix("Yonder may not see your position.") }
            #expect(!model.isShown)
            device.send(.authorization(.whenInUse))
            try await wait { model.ownText.hasPrefix("Anybody who looks") }
            model.zoomToMe()
            try await device.move(to: walk[0]) { model.look?.target == .close(walk[0]) }
            #expect(watcher.annotations.pins.isEmpty)
            model.showMe()
            try await device.move(to: walk[1]) { model.look?.target == .close(walk[1]) }
            try await wait { watcher.places == [walk[1]] }
            #expect(model.annotations.pins.count == 1 && model.showText == "Hide me")
            model.toggleFollowingMe()
            #expect(model.look?.target == .center(walk[1]))
            try await device.move(to: walk[2]) { model.look?.target == .center(walk[2]) }
            model.mapWasMoved()

            ground.line.cut()
            try await wait { model.text == "Connecting again…" }
            #expect(model.annotations.pins.isEmpty && model.selection == nil)
            try await wait { watcher.annotations.pins.isEmpty }
            ground.line.mend()
            try await wait { model.annotations.pins.count == 1 && watcher.annotations.pins.count == 1 }
            // In a pocket the person isn't shown, and in view again they are.
            model.isInView = false
            try await wait { watcher.annotations.pins.isEmpty }
            #expect(!model.isShown)
            model.isInView = true
            try await device.move(to: walk[3]) { watcher.places == [walk[3]] }
            model.hide()
            try await wait { watcher.annotations.pins.isEmpty }
            while device.calls.last != .stop { await Task.yield() }
            #expect(!model.isShown && watcher.isShown)
            try await wait { model.places == [ahead[0]] }
        }
    }
}

extension WorldModel {
    fileprivate var places: [Coordinate] { annotations.pins.values.map(\.coordinate) }
}

extension MemorySource {
    /// Sends a position again and again until the screen is as expected: the source may not be started yet.
    @MainActor fileprivate func move(to place: Coordinate, until isAsExpected: () -> Bool) async throws {
        while !isAsExpected() {
            move(to: Position(coordinate: place, timestamp: .now))
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
