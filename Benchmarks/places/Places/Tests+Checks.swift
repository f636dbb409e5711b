import Foundation
import YonderGeodesy

extension Tests {
    private var pointsName: String {
        let count = workload.points.count
        return count % 1_000_000 == 0 ? "\(count / 1_000_000)M" : "\(count / 1000)k"
    }

    /// The answers in the peers' files, or by looking at every point for a few boxes.
    func boxAnswers(_ test: String) -> [BoxAnswer] {
        if let folder { return Workload.boxAnswers("expect_\(test)_\(pointsName).csv", in: folder) }
        return workload.boxes.prefix(20_000_000 / workload.points.count).map { box in
            BoxAnswer(total: workload.points.count { box.region.contains($0) }, checksum: nil)
        }
    }

    func checkBoxes(_ test: String, _ index: borrowing PointIndex, answers: [BoxAnswer]) {
        var wrong = 0
        for (box, answer) in zip(workload.boxes, answers) {
            let few = index.region(box.region, limit: 300)
            let all = index.region(box.region, limit: .max)
            var checksum = Checksum()
            for id in all.ids.sorted() { checksum.add(id) }
            let isRight =
                few.total == answer.total && all.total == answer.total && all.ids.count == answer.total
                && few.ids.count == min(300, answer.total)
                && index.total(in: box.region) == answer.total
                && (answer.checksum ?? checksum.value) == checksum.value
            if !isRight { wrong += 1 }
        }
        report.result(test, "checked", Double(min(answers.count, workload.boxes.count)))
        report.result(test, "wrong", Double(wrong))
    }

    func checkNearest(_ count: Int, _ index: borrowing PointIndex) {
        let answers =
            folder.map { Workload.nearAnswers("expect_q2_\(pointsName)_k\(count).csv", in: $0) }
            ?? workload.nears.prefix(10_000_000 / workload.points.count).map { distances(count, $0) }
        var wrong = 0
        for (near, answer) in zip(workload.nears, answers) {
            let found = index.nearest(count, to: near.center, within: near.reach).map(\.distance.meters)
            // The files have four decimals.
            let isRight =
                found.count == answer.count && zip(found, answer).allSatisfy { abs($0 - $1) < 0.02 }
            if !isRight { wrong += 1 }
        }
        report.result("Q2 knn k=\(count)", "checked", Double(min(answers.count, workload.nears.count)))
        report.result("Q2 knn k=\(count)", "wrong", Double(wrong))
    }

    private func distances(_ count: Int, _ near: Workload.Near) -> [Double] {
        let all = workload.points.map { near.center.distance(to: Coordinate($0)).meters }
        return Array(all.filter { $0 <= near.reach.meters }.sorted().prefix(count))
    }
}
