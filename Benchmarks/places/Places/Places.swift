import Foundation

/// Measures the index: `Places COUNT [ROUND [FOLDER]]`, with the peers' files if their folder is named.
///
/// `Places crowd [ROUND]` measures live regions over a crowd that moves.
@main
enum Places {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "crowd" {
            return CrowdTest.runAll(round: arguments.count > 1 ? Int(arguments[1]) ?? 1 : 1)
        }
        guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else {
            print("usage: Places COUNT [ROUND [FOLDER]] | crowd [ROUND]")
            exit(2)
        }
        let environment = ProcessInfo.processInfo.environment
        let round = arguments.count > 1 ? Int(arguments[1]) ?? 1 : 1
        let folder = arguments.count > 2 ? URL(filePath: arguments[2], directoryHint: .isDirectory) : nil
        let workload =
            try folder.map { try Workload(points: count, folder: $0) } ?? Workload(points: count, seed: 1)
        Tests(
            workload: workload,
            folder: folder,
            report: Report(points: count, round: round),
            isChecked: round == 1,
            names: environment["PLACES_TESTS"] ?? "q1,q2,q3",
            passes: environment["PLACES_PASSES"].flatMap { Int($0) } ?? 1
        ).run()
    }
}
