import NIOCore
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

/// Whatever happens, what a client has made of its frames is what a fresh query says.
@Suite(.timeLimit(.minutes(20))) struct RegionSeedTests {
    @Test(arguments: UInt64(0)..<16)
    func `at each quiet point every list is a part of what is inside, and every total exact`(seed: UInt64)
        async throws
    {
        try await ExchangeHarness.run(
            people: 4,
            settings: HubSettings(regionMovesPerSecond: 10_000)
        ) { harness in
            var run = try await RandomRun(seed: seed, harness)
            for _ in 0..<8 {
                for _ in 0..<40 { try await run.step() }
                try await run.settle()
            }
        }
    }
}

/// Objects that come, go and move, and viewers who move, stop reading and go on.
private struct RandomRun {
    private let town: RegionTown
    private var random: SeededGenerator
    private var ids: [ObjectID] = []
    private var viewers: [RegionViewer] = []
    private let seed: UInt64

    init(seed: UInt64, _ harness: ExchangeHarness) async throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        town = try await RegionTown(harness)
        for person in 0..<4 {
            let bound = [300, 2_000, 65_536].randomElement(using: &random) ?? 0
            let client = try await harness.connect(person, bound: bound)
            let limit = [0, 3, 20, 1_000].randomElement(using: &random) ?? 0
            let drawn = region()
            let region = try #require(drawn)
            viewers.append(try await RegionViewer(client, of: town.entity, in: region, limit: limit))
        }
    }

    mutating func step() async throws {
        let id = ids.randomElement(using: &random)
        switch (Int.random(in: 0..<100, using: &random), id) {
        case (0..<25, _), (_, nil): ids.append(try await town.put(latitude(), longitude()))
        case (25..<60, let id?): try await town.move(id, latitude(), longitude())
        case (60..<70, let id?): try await town.rename(id, "n\(Int.random(in: 0..<9, using: &random))")
        case (70..<80, let id?):
            try await town.delete(id)
            ids.removeAll { $0 == id }
        case (80..<83, let id?): try await town.change(.change(id, [RegionTown.at: nil]))
        case (83..<93, _): try await moveViewer()
        default: try await stopOrGoOn()
        }
    }

    private mutating func moveViewer() async throws {
        let drawn = region()
        let region = try #require(drawn)
        try await viewers[Int.random(in: viewers.indices, using: &random)].move(to: region)
    }

    private mutating func stopOrGoOn() async throws {
        let viewer = viewers[Int.random(in: viewers.indices, using: &random)]
        try await viewer.client.setStopped(Bool.random(using: &random))
    }

    mutating func settle() async throws {
        for index in viewers.indices {
            try await viewers[index].client.setStopped(false)
            try await viewers[index].settle(town.catalog, "seed \(seed)")
        }
    }

    private mutating func region() -> Region? {
        let (one, other) = (latitude(), latitude())
        return Region(west: longitude(), south: min(one, other), east: longitude(), north: max(one, other))
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
