import Logging
import YonderAccounts
import YonderMetrics
import YonderModel

/// The memory that hashing passwords may take at once, and what sets it.
///
/// `ServerProcess` makes one from `--password-memory` for the server, and `ConsoleOptions` one for a command without a
/// server: both must come to the same limit, so that a password which one hashes is checked by the other. What a hash costs
/// is decided by `PasswordCost` and `PasswordHasher`. Failures are logged, and end nothing. `Documentation/configuration.md`
/// promises the range and the quarter.
///
/// The flag's meaning must stay; the part of the memory may be changed.
struct PasswordMemory: Hashable {
    /// The settings that are accepted, in MiB: from the least with which hashes are safe to the most that is of use.
    static let range = (PasswordCost.least.memory >> 20)...(PasswordHasher.memoryLimit >> 20)

    /// The limit, in bytes.
    let limit: Int

    /// What sets it: `setting`, `machine` or `container`; `default` if the system doesn't say how much memory there is.
    let source: String

    /// Takes the setting, in MiB, or else a quarter of the memory that there is, 256 MiB at most.
    init(setting: Int?, of memory: MemoryLimit?) {
        limit = setting.map { $0 << 20 } ?? PasswordHasher.memoryLimit(within: memory?.bytes)
        source = setting == nil ? memory?.source.rawValue ?? "default" : "setting"
    }

    /// Logs the limit, and what it is a part of.
    func log(to logger: Logger, of memory: MemoryLimit?) {
        let hash = PasswordCost(within: limit).memory
        logger.info(
            "Memory for passwords is limited",
            metadata: [
                "limit": "\(limit >> 20)MiB", "by": "\(source)",
                "memory": "\(memory.map { "\($0.bytes >> 20)MiB" } ?? "unknown")",
                "hash": "\(hash >> 20)MiB", "atOnce": "\(max(limit / hash, 1))",
            ]
        )
    }

    /// Logs how many passwords aren't checked, because their hashes need more memory than the limit; nothing if there
    /// are none.
    static func logUnchecked(in accounts: Accounts, to logger: Logger) async {
        do throws(SharingError) {
            let unchecked = try await accounts.uncheckedPasswords()
            guard unchecked.count > 0 else { return }
            logger.warning(
                """
                Passwords that were set on a larger server aren't checked: their users sign in with a link (yonder user link) \
                and set a new one, or --password-memory is raised
                """,
                metadata: ["accounts": "\(unchecked.count)", "needed": "\(unchecked.memory >> 20)MiB"]
            )
        } catch {
            logger.warning(
                "It isn't known how many passwords were set on a larger server",
                metadata: ["reason": "\(error.message)"]
            )
        }
    }
}
