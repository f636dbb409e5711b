import Foundation

/// Measures live regions through the hub: `Regions [ROUNDS]`, 3 if nothing is said, in turns.
@main
enum Regions {
    static func main() throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
        let names = try Names()
        let crowds = [Crowd.ofCities(), Crowd.ofOneCity()]
        var figures = Figures()
        for round in 0..<rounds {
            for crowd in crowds {
                // Each way round in turns: what drifts hits all alike.
                let stages = round.isMultiple(of: 2) ? Stage.allCases : Stage.allCases.reversed()
                for stage in stages {
                    figures.add(try HubTest(crowd: crowd, names: names, stage: stage).run())
                }
            }
        }
        figures.report()
    }
}

/// How much of the server there is: each has what the one before it has.
enum Stage: String, CaseIterable {
    case store = "the store in memory"
    case map = "and the map"
    case viewers = "and 1 000 viewers"
    case viewersElsewhere = "and 1 000 viewers elsewhere"
}
