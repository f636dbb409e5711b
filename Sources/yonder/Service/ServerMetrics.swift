import ArgumentParser
import CYonderBuild
import Metrics
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import YonderMetrics
import YonderSQLite
import YonderStorage

/// The figures of the program and of its data folder for Prometheus: version, database, disk, newest backup.
///
/// ``refresh()`` asks the file system four times, before each answer. What can't be read leaves its series as it was; a server
/// over a database has the version alone.
struct ServerMetrics: Sendable {
    private let folder: String?
    private let store: Meter
    private let free: Meter
    private let size: Meter
    private let backupTime: Meter
    private let backupSize: Meter

    /// Creates the metrics of a server, with the version that it has for as long as it runs.
    init(folder: String?, factory: any MetricsFactory) {
        self.folder = folder
        let commit = yonder_build_commit().map { String(cString: $0) } ?? "none"
        let version = [("version", Yonder.configuration.version), ("commit", commit)]
        Meter(label: "yonder_build_info", dimensions: version, factory: factory).set(1)
        // A server over a database has no series of a folder.
        let factory: any MetricsFactory = folder == nil ? NOOPMetricsHandler.instance : factory
        store = Meter(label: "yonder_store_bytes", factory: factory)
        free = Meter(label: "yonder_disk_free_bytes", factory: factory)
        size = Meter(label: "yonder_disk_size_bytes", factory: factory)
        backupTime = Meter(label: "yonder_backup_last_timestamp_seconds", factory: factory)
        backupSize = Meter(label: "yonder_backup_last_bytes", factory: factory)
    }

    /// Reads the figures again.
    func refresh() {
        guard let folder else { return }
        let database = "\(folder)/\(StoreBackup.databaseName)"
        store.set((FileSize.bytes(of: database) ?? 0) + (FileSize.bytes(of: database + "-wal") ?? 0))
        var disk = statvfs()
        if statvfs(folder, &disk) == 0 {
            free.set(Double(disk.f_bavail) * Double(disk.f_frsize))
            size.set(Double(disk.f_blocks) * Double(disk.f_frsize))
        }
        // Without one both are 0, so that an alarm needs no special case.
        let mark = BackupMark(in: folder)
        backupTime.set(Double(mark?.created ?? 0) / 1_000)
        backupSize.set(mark?.bytes ?? 0)
    }
}
