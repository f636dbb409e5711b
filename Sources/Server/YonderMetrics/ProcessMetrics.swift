package import Metrics
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Metrics of this process from the operating system, under Prometheus's standard names.
///
/// Without `/proc` there are none.
///
/// `ProbeEndpoints` refreshes it before each answer to `/metrics`. A file that can't be read leaves its values as they
/// were. Names are Prometheus's, which dashboards know, and must stay (`Documentation/operations.md`).
package struct ProcessMetrics: Sendable {
    private let memory: Meter
    private let processor: Meter
    private let files: Meter

    package init(factory: any MetricsFactory) {
        memory = Meter(label: "process_resident_memory_bytes", factory: factory)
        processor = Meter(label: "process_cpu_seconds_total", factory: factory)
        files = Meter(label: "process_open_fds", factory: factory)
    }

    /// How many bytes of this process's memory are in the machine's; `nil` without `/proc`.
    static var residentMemory: Int? {
        fields("/proc/self/statm").dropFirst().first.flatMap { Int($0) }
            .map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// Reads the values again.
    package func refresh() {
        if let resident = Self.residentMemory { memory.set(resident) }
        // The name in parentheses may contain spaces; user and system time are the 12th and 13th field after
        // it.
        let status = Self.text("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        if status.count > 12, let user = Double(status[11]), let system = Double(status[12]) {
            processor.set((user + system) / Double(sysconf(Int32(_SC_CLK_TCK))))
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            files.set(open.count)
        }
    }

    private static func fields(_ path: String) -> [Substring] {
        text(path).split(separator: " ")
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
