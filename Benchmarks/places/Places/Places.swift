import Foundation

/// Measures the index: `Places COUNT [ROUND [FOLDER]]`, with the peers' files if their folder is named.
///
/// `Places crowd [ROUND]` measures live regions over a crowd that moves; `Places export COUNT FOLDER` writes points and
/// questions into files.
@main
enum Places {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "crowd" {
            return CrowdTest.runAll(round: arguments.count > 1 ? Int(arguments[1]) ?? 1 : 1)
        }
        if arguments.first == "export", arguments.count == 3, let count = Int(arguments[1]) {
            let folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
            return try Workload(points: count, seed: 1).write(to: folder)
        }
        guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else {
            print("usage: Places COUNT [ROUND [FOLDER]] | crowd [ROUND] | export COUNT FOLDER")
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
