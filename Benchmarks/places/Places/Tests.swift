import Foundation
import YonderGeodesy

/// The tests of the peers' driver, by the same names.
struct Tests {
    let workload: Workload
    let folder: URL?
    let report: Report
    let isChecked: Bool

    /// Those to run: of q1, q2 and q3.
    let names: String

    /// How often each list of queries is asked.
    ///
    /// Of each query the shortest time counts, which on a machine that is busy
    /// otherwise is the one that was not interrupted.
    let passes: Int

    private func has(_ name: String) -> Bool {
        names.contains(name)
    }

    private func measure<Queries: Collection>(_ queries: Queries, _ ask: (Queries.Element) -> Void)
        -> Latencies
    {
        var latencies = Latencies()
        let start = ownTime()
        for query in queries { ask(query) }
        latencies.perOwnSecond = Double(queries.count) / (Double(ownTime() - start) / 1e9)
        for _ in 0..<passes {
            var pass = Latencies()
            for query in queries {
                let start = now()
                ask(query)
                pass.add(now() - start)
            }
            latencies.keepShorter(pass)
        }
        return latencies
    }

    func run() {
        var index = PointIndex()
        load(&index)
        if isChecked { checkBoxes("Q1", index, answers: boxAnswers("q1")) }
        if has("q1") {
            regions(index)
            ranked(index)
            visits(index)
        }
        if has("q2") {
            for count in [10, 100] { nearest(count, index) }
        }
        guard has("q3"), workload.points.count >= 1_000_000 else { return }
        moves(&index)
        if isChecked, workload.points.count == 1_000_000, let folder {
            let answers = Workload.boxAnswers("expect_q3_1M.csv", in: folder)
            checkBoxes("Q3 after moves", index, answers: answers)
        }
        movesUnderSnapshots(&index)
    }

    private func load(_ index: inout PointIndex) {
        let entries = workload.points.enumerated().map {
            PointIndex.Entry(id: UInt32($0.offset), coordinate: $0.element, rank: rank(UInt32($0.offset)))
        }
        let before = residentBytes()
        let start = now()
        index.load(entries)
        let seconds = Double(now() - start) / 1e9
        report.result("Q5 load", "points_per_s", Double(entries.count) / seconds)
        report.result("Q5 load", "bytes_per_point", (residentBytes() - before) / Double(entries.count))
        report.result("Q5 load", "bytes_per_point_exact", Double(index.byteCount) / Double(entries.count))
    }

    /// Scattered ranks, the same each time.
    private func rank(_ id: UInt32) -> UInt32 {
        id &* 2_654_435_761
    }

    // MARK: Regions

    private func regions(_ index: borrowing PointIndex) {
        var sum = 0
        let listed = measure(workload.boxes) { box in
            let selection = index.region(box.region, limit: 300)
            sum &+= selection.total &+ selection.ids.count
        }
        let counted = measure(workload.boxes) { sum &+= index.total(in: $0.region) }
        precondition(sum > 0)
        report.result("Q1 limit300+total", listed)
        report.result("Q1 total only", counted)
    }

    private func ranked(_ index: borrowing PointIndex) {
        let latencies = measure(workload.boxes.prefix(2000)) { box in
            let selection = index.region(box.region, limit: 300, order: .rank)
            precondition(selection.ids.count == min(300, selection.total))
        }
        report.result("Q1 limit300+total by rank", latencies)
    }

    private func visits(_ index: borrowing PointIndex) {
        var visited = 0
        var sum: UInt32 = 0
        let start = now()
        for box in workload.boxes.prefix(300) {
            index.visit(box.region) { entry in
                visited += 1
                sum &+= entry.id
            }
        }
        let nanoseconds = Double(now() - start)
        precondition(sum != 1)
        report.result("Q1 visit all", "ns_per_point", nanoseconds / Double(visited))
    }

    // MARK: Nearest

    private func nearest(_ count: Int, _ index: borrowing PointIndex) {
        if isChecked { checkNearest(count, index) }
        let latencies = measure(workload.nears) { near in
            precondition(index.nearest(count, to: near.center, within: near.reach).count <= count)
        }
        report.result("Q2 knn k=\(count)", latencies)
    }

    // MARK: Moves

    private func moves(_ index: inout PointIndex) {
        let half = workload.moves.count / 2
        let (start, ownStart) = (now(), ownTime())
        for move in workload.moves[..<half] { index.move(move.id, to: move.coordinate) }
        report.result("Q3 updates alone", "per_s", Double(half) / (Double(now() - start) / 1e9))
        report.result("Q3 updates alone", "per_cpu_s", Double(half) / (Double(ownTime() - ownStart) / 1e9))
        var (updates, queries) = (Latencies(), Latencies())
        var asked = 0
        for first in stride(from: half, to: workload.moves.count, by: 100) {
            let start = now()
            for move in workload.moves[first..<min(first + 100, workload.moves.count)] {
                index.move(move.id, to: move.coordinate)
            }
            let between = now()
            _ = index.region(workload.boxes[asked % workload.boxes.count].region, limit: 300)
            queries.add(now() - between)
            updates.add(between - start)
            asked += 1
        }
        report.result("Q3 mixed 100:1", "updates_per_s_of_update_time", updates.perSecond * 100)
        report.result("Q3 mixed 100:1 query", queries)
        report.result(
            "Q3 mixed 100:1",
            "bytes_per_point_exact",
            Double(index.byteCount) / Double(index.count)
        )
    }

    /// The same moves while somebody holds a snapshot, ten times a second or so anew.
    private func movesUnderSnapshots(_ index: inout PointIndex) {
        let moves = workload.moves.prefix(1_000_000)
        var latencies = Latencies()
        var snapshots: [PointSnapshot] = []
        let start = now()
        for (number, move) in moves.enumerated() {
            if number % 100_000 == 0 {
                snapshots = []
                let start = now()
                snapshots = [index.snapshot()]
                latencies.add(now() - start)
            }
            index.move(move.id, to: move.coordinate)
        }
        let seconds = Double(now() - start) / 1e9
        precondition(snapshots.first?.index.count == index.count)
        report.result("Q3 updates, a snapshot every 100 000", "per_s", Double(moves.count) / seconds)
        report.result("Snapshot", "p50_us", latencies.microseconds(percentile: 0.5))
    }
}
