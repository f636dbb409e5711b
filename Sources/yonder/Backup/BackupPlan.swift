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

/// Decides which of many copies are over, as a plain value without a disk.
///
/// The newest good copy is never over, however old it is; without a good one nothing is but what was never complete. A name
/// that isn't a time isn't touched: an operator's own copy may stand beside the others.
struct BackupPlan {
    /// One folder with the time as its name.
    struct Copy: Hashable {
        let name: String
        /// When it was begun, in milliseconds since 1970.
        let created: Int64
        /// Whether its description can be read, and its database has the size that it says.
        let isGood: Bool
    }

    /// The name of a copy that is begun now: the local time, as `2026-11-22-033000`.
    static func name(at time: Date) -> String {
        var (seconds, parts) = (time_t(time.timeIntervalSince1970), tm())
        localtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%d-%H%M%S", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether a name is one that ``name(at:)`` gives.
    static func isTime(_ name: some StringProtocol) -> Bool {
        let form = "0000-00-00-000000"
        return name.utf8.count == form.utf8.count
            && zip(name.utf8, form.utf8).allSatisfy { byte, form in
                form == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == form
            }
    }

    /// Whether a name is that of a copy which never became complete.
    static func isLeft(_ name: String) -> Bool {
        name.hasSuffix(BackupFolder.partial) && isTime(name.dropLast(BackupFolder.partial.count))
    }

    /// The names of the copies that are over.
    ///
    /// - Parameters:
    ///   - copies: All copies with such names.
    ///   - days: How long a copy is kept.
    ///   - now: The time.
    /// - Returns: The names, sorted.
    static func over(_ copies: [Copy], days: Int, now: Date) -> [String] {
        guard let newest = copies.filter(\.isGood).max(by: { $0.created < $1.created }) else { return [] }
        let end = Int64(now.timeIntervalSince1970 * 1_000) - Int64(days) * 86_400_000
        return copies.filter { $0.created < end && $0 != newest }.map(\.name).sorted()
    }
}
