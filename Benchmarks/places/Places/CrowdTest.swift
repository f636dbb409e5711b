import YonderGeodesy
import YonderModel
import YonderRules

/// What a move costs, part by part: each run does more than the one before, on the same moves.
struct CrowdTest {
    enum Part: String, CaseIterable {
        case index = "index alone"
        case interest = "and who watches there"
        case everything = "and what each is to be told"
    }

    /// What a run took for each move, and how much it told.
    struct Outcome {
        var nanoseconds: Double
        var ownNanoseconds: Double

        /// Of these, what the ends of the rounds took.
        var tellingNanoseconds: Double = 0
        var matches = 0
        var told = 0
        var wrong = 0
    }

    let crowd: Crowd
    let hasViewersElsewhere: Bool
    let part: Part

    /// Moves in a round: 10 ms of 100 000 a second.
    private static let roundLength = 1_000

    /// Things that a live region has at most, as on the page.
    private static let limit = 300

    static func runAll(round: Int) {
        for crowd in [Crowd.ofCities(), Crowd.ofOneCity()] {
            for hasViewersElsewhere in [false, true] {
                for part in Part.allCases {
                    let test = CrowdTest(crowd: crowd, hasViewersElsewhere: hasViewersElsewhere, part: part)
                    test.report(test.run(), Report(points: Crowd.size, round: round))
                }
            }
        }
    }

    private func report(_ outcome: Outcome, _ report: Report) {
        let name = "\(crowd.name)\(hasViewersElsewhere ? ", and 1 000 elsewhere" : ""): \(part.rawValue)"
        report.result(name, "ns_per_move", outcome.nanoseconds)
        report.result(name, "cpu_ns_per_move", outcome.ownNanoseconds)
        if part == .interest {
            report.result(name, "viewers_per_move", Double(outcome.matches) / Double(crowd.moves.count))
        }
        guard part == .everything else { return }
        report.result(name, "telling_cpu_ns_per_move", outcome.tellingNanoseconds)
        report.result(name, "told_per_move", Double(outcome.told) / Double(crowd.moves.count))
        report.result(name, "wrong", Double(outcome.wrong))
    }

    func run() -> Outcome {
        var index = PointIndex()
        index.load(crowd.places.enumerated().map { PointIndex.Entry(id: UInt32($0), coordinate: $1) })
        var interest = RegionInterest()
        var board = RegionBoard()
        let regions = crowd.viewers + (hasViewersElsewhere ? crowd.viewersElsewhere : [])
        for region in regions {
            let watcher = board.begin(region, limit: Self.limit, in: index)
            interest.watch(region, by: watcher)
            _ = board.drain(watcher, in: index) { _, _ in }
        }
        _ = board.takeDirty()
        return measure(&index, interest, &board)
    }

    private func measure(
        _ index: inout PointIndex,
        _ interest: RegionInterest,
        _ board: inout RegionBoard
    ) -> Outcome {
        var outcome = Outcome(nanoseconds: 0, ownNanoseconds: 0)
        var places = crowd.places
        var matches: [RegionInterest.Match] = []
        var sinceRound = 0
        let (start, ownStart) = (now(), ownTime())
        for move in crowd.moves {
            let id = Int(move.id)
            let event = IndexEvent.moved(move.id, from: places[id], to: move.coordinate)
            places[id] = move.coordinate
            index.move(move.id, to: move.coordinate)
            if part == .index { continue }
            if part == .interest {
                matches.removeAll(keepingCapacity: true)
                interest.find(event, into: &matches)
                outcome.matches += matches.count
                continue
            }
            board.receive(event)
            sinceRound += 1
            guard sinceRound == Self.roundLength else { continue }
            sinceRound = 0
            let roundStart = ownTime()
            outcome.told += Self.endRound(&board, index)
            outcome.tellingNanoseconds += Double(ownTime() - roundStart)
        }
        outcome.nanoseconds = Double(now() - start) / Double(crowd.moves.count)
        outcome.ownNanoseconds = Double(ownTime() - ownStart) / Double(crowd.moves.count)
        outcome.tellingNanoseconds /= Double(crowd.moves.count)
        if part == .everything {
            outcome.told += Self.endRound(&board, index)
            outcome.wrong = check(board, index)
        }
        return outcome
    }

    private static func endRound(_ board: inout RegionBoard, _ index: borrowing PointIndex) -> Int {
        var told = 0
        for watcher in board.takeDirty() {
            if board.drain(watcher, in: index, { _, _ in told += 1 }) != nil { told += 1 }
        }
        return told
    }

    /// How many regions differ from a fresh look.
    private func check(_ board: RegionBoard, _ index: borrowing PointIndex) -> Int {
        var wrong = 0
        for watcher in 0..<board.count {
            guard let region = board.region(UInt32(watcher)) else { continue }
            let total = index.total(in: region.region)
            let known = region.known
            var isRight = region.total == total && known.count == min(total, Self.limit)
            for id in known {
                isRight = isRight && index.coordinate(of: id).map(region.region.contains) ?? false
            }
            if !isRight { wrong += 1 }
        }
        return wrong
    }
}
