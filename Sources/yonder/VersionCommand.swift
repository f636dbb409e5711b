import ArgumentParser
import CYonderBuild
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What this program was built from: `yonder version`.
///
/// Scripts read its lines; `Scripts/write-commit` puts in the commit at a release. It needs neither settings nor a
/// server, and never fails.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the version, the commit, its date, and what is built in."
    )

    func run() {
        print("version: \(Yonder.configuration.version)")
        print("commit: \(yonder_build_commit().map { String(cString: $0) } ?? "none, a debug build")")
        if let date = Self.date { print("date: \(date.formatted(.iso8601))") }
        print("built in: \(Self.parts.joined(separator: ", "))")
    }

    /// When the commit was made.
    private static var date: Date? {
        let time = yonder_build_time()
        return time == 0 ? nil : Date(timeIntervalSince1970: Double(time))
    }

    private static var parts: [String] {
        #if Postgres
        ["PostgreSQL", "NATS"]
        #else
        ["NATS"]
        #endif
    }
}
