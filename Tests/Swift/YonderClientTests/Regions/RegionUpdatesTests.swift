import Synchronization
import Testing
import TestSupport
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct RegionUpdatesTests {
    private static let cafe: EntityName = name("cafe")
    private static let at: FieldName = name("at")
    private static let here = region(west: 13, south: 52, east: 14, north: 53)
    private static let there = region(west: 179, south: -18, east: -179, north: -17)

    @Test func `objects come with the answer, then as they change, and moving asks for the difference`()
        async throws
    {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            let objects = await client.objects(of: Self.cafe, in: Self.here, limit: 2)
            var updates = objects.makeAsyncIterator()
            var contents = RegionContents<MapObject>()
            let (id, query) = try await peer.nextSubscription()
            #expect(query == .objects(ObjectRegionQuery(Self.cafe, in: Self.here, limit: 2)))
            peer.write(Self.answer(id, total: 3, [Self.record(1, 52.5, 13.4), Self.record(2, 52.6, 13.5)]))
            contents.apply(try #require(try await updates.next()))
            #expect(contents.items.keys.map(\.description).sorted() == ["1", "2"])
            #expect(contents.total == 3 && contents.isCurrent && !contents.isComplete)

            await objects.move(to: Self.there)
            await objects.move(to: Self.here)
            await objects.move(to: Self.there)
            #expect(try await peer.next() == .move(id: id, step: 1, region: Self.there))
            peer.write(
                .region(
                    RegionFrame(
                        topic: 9,
                        answer: RegionFrame.Answer(id: id, step: 1),
                        total: 1,
                        left: [.object(Sample.identifier(1)), .object(Sample.identifier(2))],
                        entered: [.object(Self.record(3, -17.5, 180))]
                    )
                )
            )
            contents.apply(try #require(try await updates.next()))
            #expect(contents.region == Self.there && contents.isCurrent && contents.isComplete)
            let move = ObjectMove(
                id: Sample.identifier(3),
                coordinate: Self.coordinate(-17.5, -179.5).rounded,
                altitude: .meters(12),
                updated: Sample.time + .seconds(1)
            )
            peer.write(.region(RegionFrame(topic: 9, moved: [.object(move)])))
            contents.apply(try #require(try await updates.next()))
            let place = try #require(contents.items[Sample.identifier(3)])
            #expect(place.coordinate == Self.coordinate(-17.5, -179.5))
            #expect(place.location.altitude == .meters(12) && place.location.address == "Main Street 3")
            #expect(place.text(in: Self.name("name")) == "Café 3" && place.text(in: Self.at) == nil)
            #expect(place.record.updated == move.updated)
        }
    }

    @Test func `after a reconnect a region goes on with the newest move`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let first = try await server.accept()
            let objects = await client.objects(of: Self.cafe, field: Self.at, in: Self.here)
            var updates = objects.makeAsyncIterator()
            var contents = RegionContents<MapObject>()
            let (id, _) = try await first.nextSubscription()
            first.write(Self.answer(id, total: 1, [Self.record(1, 52.5, 13.4)]))
            contents.apply(try #require(try await updates.next()))
            contents.hold(Sample.identifier(1))
            await objects.move(to: Self.there)
            #expect(try await first.next() == .move(id: id, step: 1, region: Self.there))
            first.close()
            let second = try await server.accept()
            let (again, query) = try await second.nextSubscription()
            #expect(query == .objects(ObjectRegionQuery(Self.cafe, field: Self.at, in: Self.there)))
            second.write(Self.answer(again, total: 1, [Self.record(3, -17.5, 180)]))
            let gone = contents.apply(try #require(try await updates.next()))
            #expect(gone.isEmpty && contents.items.count == 1 && contents.shown.count == 2)
            await objects.move(to: Self.here)
            #expect(try await second.next() == .move(id: again, step: 1, region: Self.here))
        }
    }

    @Test func `people come and go by chat and user`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            var updates = await client.people(in: Self.here).makeAsyncIterator()
            let (id, query) = try await peer.nextSubscription()
            #expect(query == .people(PeopleRegionQuery(in: Self.here)))
            peer.write(
                .region(
                    RegionFrame(
                        topic: 4,
                        answer: RegionFrame.Answer(id: id, step: 0, limit: 300),
                        total: 1,
                        entered: [.person(Self.person(52.5, 13.4, name: "Bea"))]
                    )
                )
            )
            peer.write(.region(RegionFrame(topic: 4, moved: [.person(Self.person(52.6, 13.5))])))
            peer.write(.region(RegionFrame(topic: 4, total: 0, left: [.person(Sample.chat, Sample.bea)])))
            var contents = RegionContents<RegionPerson>()
            while contents.items.isEmpty || contents.items.values.first?.coordinate.latitude == 52.5 {
                contents.apply(try #require(try await updates.next()))
            }
            #expect(contents.items.values.map(\.name) == ["Bea"])
            let gone = contents.apply(try #require(try await updates.next()))
            #expect(gone == [RegionPerson.ID(chat: Sample.chat, user: Sample.bea)] && contents.total == 0)
        }
    }

    @Test func `asking once subscribes, answers, and unsubscribes`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            async let found = client.findObjects(of: Self.cafe, in: Self.here, limit: 1)
            let (id, _) = try await peer.nextSubscription()
            peer.write(Self.answer(id, total: 70, [Self.record(1, 52.5, 13.4)]))
            let answer = try await found
            #expect(answer.total == 70 && answer.items.map(\.id) == [Sample.identifier(1)])
            #expect(!answer.isCached && !answer.isComplete)
            #expect(try await peer.next() == .unsubscribe(id: id))
        }
    }

    @Test func `an unreadable entity ends the updates, and an invalid limit isn't sent`()
        async throws
    {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            let found = Task { try await client.findObjects(of: Self.cafe, in: Self.here) }
            let (id, _) = try await peer.nextSubscription()
            peer.write(.error(FrameRefusal(SharingError(.unknownEntity, "No such entity."), id: id)))
            let error = await #expect(throws: SharingError.self) { try await found.value }
            #expect(error?.code == .unknownEntity)
            let none = await #expect(throws: SharingError.self) {
                try await client.findPeople(in: Self.here, limit: 1_001)
            }
            #expect(none?.code == .invalidField)
        }
    }

    @Test func `a browser asks once the map rests, and shows a cached answer at once`() async throws {
        let clock = StoppedClock()
        let asked = Mutex<[Region]>([])
        let browser = RegionBrowser(RegionQuery<Spot>(source: "cafe"), clock: clock) {
            region,
            limit throws(SharingError) in
            let count = asked.withLock { asked in
                asked.append(region)
                return asked.count
            }
            if count > 2 { throw SharingError(.unavailable, "Gone.") }
            let spot = Spot(id: "\(count)", coordinate: region.center)
            return RegionAnswer(region: region, limit: limit, total: 1, items: [spot])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await browser.run() }
            var events = browser.events.makeAsyncIterator()
            await browser.look(at: Self.here)
            #expect(try shown(await events.next()) == ["1"])
            await browser.look(at: Self.region(west: 0, south: 0, east: 1, north: 1))
            await browser.look(at: Self.there)
            await browser.look(at: Self.here)
            let kept = await events.next()
            #expect(try shown(kept) == ["1"])
            guard case .show(let answer) = kept else { throw CancellationError() }
            #expect(answer.isCached && answer.region == Self.here)
            await browser.refresh()
            #expect(try shown(await events.next()) == ["2"])
            await browser.refresh()
            #expect(await events.next() == .failure(SharingError(.unavailable, "Gone.")))
            #expect(asked.withLock(\.self) == [Self.here, Self.here, Self.here])
            group.cancelAll()
        }
    }

    @Test func `a browser's wait ends with a question about the newest region`() async throws {
        let clock = HandClock()
        let browser = RegionBrowser(RegionQuery<Spot>(source: "cafe"), clock: clock) {
            region,
            limit throws(SharingError) in
            RegionAnswer(region: region, limit: limit, total: 0, items: [])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await browser.run() }
            var events = browser.events.makeAsyncIterator()
            await browser.look(at: Self.here)
            _ = await events.next()
            await browser.look(at: Self.there)
            await clock.advanceAtNextSleep(by: .milliseconds(150))
            guard case .show(let answer)? = await events.next() else { throw CancellationError() }
            #expect(answer.region == Self.there && !answer.isCached)
            group.cancelAll()
        }
    }

    private func shown(_ event: RegionBrowser<Spot>.Event?) throws -> [String] {
        guard case .show(let answer) = event else { throw CancellationError() }
        return answer.items.map(\.id)
    }

    private static func answer(_ id: Int64, total: Int, _ records: [ObjectRecord]) -> ServerFrame {
        let answer = RegionFrame.Answer(id: id, step: 0, limit: 300, field: at)
        return .region(
            RegionFrame(topic: 9, answer: answer, total: total, entered: records.map { .object($0) })
        )
    }

    private static func record(_ id: Int64, _ latitude: Double, _ longitude: Double) -> ObjectRecord {
        let location = ObjectLocation(coordinate(latitude, longitude), address: "Main Street \(id)")
        var fields: [FieldName: FieldValue] = [name("name"): .text("Café \(id)")]
        if let location { fields[at] = .location(location) }
        return ObjectRecord(
            Object(
                id: Sample.identifier(id),
                entity: cafe,
                created: Sample.time,
                updated: Sample.time,
                fields: fields
            )
        )
    }

    private static func person(_ latitude: Double, _ longitude: Double, name: String? = nil) -> RegionPerson {
        RegionPerson(
            chat: Sample.chat,
            user: Sample.bea,
            name: name,
            number: 3,
            time: Sample.time,
            position: Sample.position(latitude, longitude)
        )
    }

    private static func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Sample.position(latitude, longitude).coordinate
    }

    private static func name<Subject>(_ text: String) -> SchemaName<Subject> {
        guard let name = SchemaName<Subject>(text) else { fatalError("\(text) is no name") }
        return name
    }

    private static func region(west: Double, south: Double, east: Double, north: Double) -> Region {
        guard let region = Region(west: west, south: south, east: east, north: north) else {
            fatalError("That is no region.")
        }
        return region
    }
}
