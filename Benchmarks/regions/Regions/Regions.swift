import Foundation

/// Measures live regions through the hub: `Regions [ROUND]`.
@main
enum Regions {
    static func main() throws {
        let round = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
        let names = try Names()
        for crowd in [Crowd.ofCities(), Crowd.ofOneCity()] {
            for stage in Stage.allCases {
                try HubTest(crowd: crowd, names: names, stage: stage, round: round).run()
            }
        }
    }
}

/// How much of the server there is: each has what the one before it has.
enum Stage: String, CaseIterable {
    case store = "the store in memory"
    case map = "and the map"
    case viewers = "and 1 000 viewers"
    case viewersElsewhere = "and 1 000 viewers elsewhere"
}
