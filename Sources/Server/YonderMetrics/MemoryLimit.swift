#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The memory that this process may use: the machine's, or less in a container.
///
/// `ServerProcess` asks once at the start, for the writer's cache and for passwords (`PasswordMemory`), and logs the
/// source. A file that can't be read is left out; `nil` if nothing is known. The names of files and the words for *no
/// limit* are Linux's (`MemoryLimitTests`, with texts of containers).
///
/// The least of all limits counts: this must stay, or a container is killed.
package struct MemoryLimit: Hashable, Sendable {
    /// What sets a limit.
    package enum Source: String, Sendable {
        /// The machine has no more.
        case machine
        /// A control group, such as that of a container or a service, may use no more.
        case container
    }

    /// The limit, in bytes.
    package let bytes: Int

    /// What sets it.
    package let source: Source

    /// Reads the limit of this process; `nil` if the system doesn't say.
    package static var current: MemoryLimit? {
        let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        return MemoryLimit(machine: machine) { try? String(contentsOfFile: $0, encoding: .utf8) }
    }

    /// Decides by the texts of the system's files.
    ///
    /// - Parameters:
    ///   - machine: The machine's memory in bytes, where `/proc/meminfo` doesn't say.
    ///   - read: The text of the file at a path, or `nil` if it can't be read.
    init?(machine: Int?, read: (String) -> String?) {
        // Before the system call: a container of LXC has a file of its own in this place.
        let machine = read("/proc/meminfo").flatMap(Self.total) ?? machine
        let files = ControlGroups.limitFiles(
            groups: read("/proc/self/cgroup") ?? "",
            mounts: read("/proc/self/mountinfo") ?? ""
        )
        let container = files.compactMap { read($0).flatMap(Self.number) }.min()
        switch (machine, container) {
        case (let machine?, let container?) where container < machine: self.init(container, .container)
        case (let machine?, _): self.init(machine, .machine)
        case (nil, let container?): self.init(container, .container)
        case (nil, nil): return nil
        }
    }

    private init(_ bytes: Int, _ source: Source) {
        self.bytes = bytes
        self.source = source
    }

    /// The bytes in the line `MemTotal:  24683656 kB`.
    private static func total(_ text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return kilobytes.flatMap { (1...Int.max >> 10).contains($0) ? $0 << 10 : nil }
    }

    /// The number in a file of a control group; `nil` for `max`, which is no limit.
    private static func number(_ text: String) -> Int? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let number = Int(words[0]), number > 0 else { return nil }
        return number
    }
}
