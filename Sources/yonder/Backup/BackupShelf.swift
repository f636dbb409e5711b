#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import YonderSQLite
import YonderStorage
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A folder of many copies, locked for one command: which of them are over is decided by ``BackupPlan``.
///
/// The lock is the kernel's, and ends with the process.
struct BackupShelf {
    let path: String

    /// Makes the folder if it isn't there, and locks it until this process ends.
    ///
    /// - Throws: ``CommandFailure`` if it can't be made or opened, or another command has locked it.
    static func lock(_ path: String) throws -> BackupShelf {
        let user = UserName.current
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw CommandFailure(
                "\(path) can't be made: \(String(cString: strerror(errno))). \(FolderCheck.making(path, for: user))"
            )
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, access(path, W_OK) == 0 else {
            throw CommandFailure(
                """
                \(path) can't be used by the user \(user): \(String(cString: strerror(errno))). Give it to this user: \
                sudo chown \(user): \(path)
                """
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure("\(path): another backup is being made there; wait for its end.")
        }
        return BackupShelf(path: path)
    }

    /// Removes what interrupted commands left, and the copies that are over.
    ///
    /// - Parameters:
    ///   - keepDays: How many days a copy is kept; `nil` for all copies.
    ///   - now: The time.
    /// - Returns: The names that were removed.
    /// - Throws: ``CommandFailure`` if the folder can't be read, or something can't be removed.
    func tidy(keepDays: Int?, now: Date) throws -> [String] {
        let files = FileManager.default
        do {
            let names = try files.contentsOfDirectory(atPath: path)
            let left = names.filter(BackupPlan.isLeft).sorted()
            let copies = names.filter(BackupPlan.isTime).map(copy)
            let removed = left + (keepDays.map { BackupPlan.over(copies, days: $0, now: now) } ?? [])
            for name in removed { try files.removeItem(atPath: "\(path)/\(name)") }
            return removed
        } catch {
            throw CommandFailure("\(path) can't be tidied: \(FileRefusal(error))")
        }
    }

    private func copy(_ name: String) -> BackupPlan.Copy {
        let folder = URL(fileURLWithPath: path).appendingPathComponent(name)
        guard let manifest = try? BackupManifest(folder: folder) else {
            var info = stat()
            _ = stat(folder.path, &info)
            #if canImport(Darwin)
            let seconds = info.st_mtimespec.tv_sec
            #else
            let seconds = info.st_mtim.tv_sec
            #endif
            return BackupPlan.Copy(name: name, created: Int64(seconds) * 1_000, isGood: false)
        }
        let size = FileSize.bytes(of: folder.appendingPathComponent(StoreBackup.databaseName).path)
        return BackupPlan.Copy(name: name, created: manifest.created, isGood: size == manifest.bytes)
    }
}
