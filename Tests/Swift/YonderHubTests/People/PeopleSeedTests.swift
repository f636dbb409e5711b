import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderHub

/// Chats, moves and viewers at random: what clients made of what they were told is what the messages say.
@Suite(.timeLimit(.minutes(20))) struct PeopleSeedTests {
    @Test(arguments: UInt64(0)..<6)
    func `for any changes, a viewer's list is a part of the people they may see, and the total exact`(
        seed: UInt64
    )
        async throws
    {
        let settings = HubSettings(regionMovesPerSecond: 10_000)
        try await ExchangeHarness.run(people: 6, settings: settings) { harness in
            var run = try await RandomPeople(seed: seed, harness)
            for _ in 0..<6 {
                for _ in 0..<40 { try await run.step() }
                try await run.settle()
            }
        }
    }
}

/// People who say where they are, take it back, come and go, and viewers who stop reading and go on.
private struct RandomPeople {
    private var town: PeopleTown
    private var random: SeededGenerator
    private var viewers: [PeopleViewer] = []

    init(seed: UInt64, _ harness: ExchangeHarness) async throws {
        random = SeededGenerator(seed: seed)
        town = PeopleTown(harness)
        try await town.start(0, 1, 2, 3)
        try await town.start(0, 4, 5)
        for person in [0, 1, 3, 5] {
            let bound = [300, 2_000, 65_536].randomElement(using: &random) ?? 0
            let limit = [0, 2, 300].randomElement(using: &random) ?? 0
            let client = try await harness.connect(person, bound: bound)
            let user = harness.people[person]
            viewers.append(try await PeopleViewer(client, user, in: region(), limit: limit))
        }
    }

    mutating func step() async throws {
        let person = Int.random(in: 0..<town.harness.people.count, using: &random)
        let chat = town.chats.randomElement(using: &random) ?? town.harness.chat
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: await locate(person, in: chat)
        case 60..<68: await attempt(.recall(number: .random(in: 1...60, using: &random)), person, chat)
        case 68..<73: await attempt(.leave, person, chat)
        case 73..<82: await attempt(.add([town.harness.people[person].id]), 0, chat)
        case 82..<90: try await viewers[viewer()].move(to: region())
        default: try await viewers[viewer()].client.setStopped(Bool.random(using: &random))
        }
    }

    /// Goes on with everyone, and waits until each has what is so.
    mutating func settle() async throws {
        for index in viewers.indices {
            try await viewers[index].client.setStopped(false)
            try await viewers[index].settle(town)
        }
    }

    private mutating func locate(_ person: Int, in chat: ChatID) async {
        let (latitude, longitude) = (latitude(), longitude())
        _ = try? await town.locate(person, latitude, longitude, in: chat)
    }

    /// What somebody may not do is refused, and nothing happens.
    private mutating func attempt(_ action: Submission.Action, _ person: Int, _ chat: ChatID) async {
        _ = try? await town.act(action, person, in: chat)
    }

    private mutating func viewer() -> Int { Int.random(in: viewers.indices, using: &random) }

    private mutating func region() throws -> Region {
        let (one, other) = (latitude(), latitude())
        let (west, east) = (longitude(), longitude())
        return try #require(Region(west: west, south: min(one, other), east: east, north: max(one, other)))
    }

    private mutating func latitude() -> Double {
        let all: [Double] = [-90, -10, 0, 10, 90]
        let notable = all.randomElement(using: &random) ?? 0
        return Bool.random(using: &random) ? notable : Double.random(in: -90...90, using: &random)
    }

    private mutating func longitude() -> Double {
        let all: [Double] = [-180, -179, 0, 179, 180]
        let notable = all.randomElement(using: &random) ?? 0
        return Bool.random(using: &random) ? notable : Double.random(in: -180...180, using: &random)
    }
}
