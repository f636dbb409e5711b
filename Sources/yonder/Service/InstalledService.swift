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

/// The server that is installed as a service of this machine, as far as its files tell: for commands that name no folder.
///
/// A running service records its data folder in the runtime folder that systemd makes for it and removes with it; of a
/// stopped one the settings file says where the data is. The record comes first, because a variable of the unit may have
/// overruled the file.
struct InstalledService {
    /// The settings files that a service may have, the package's first.
    private static let settings = ["/etc/yonder/yonder.conf", "/etc/yonder/yonder.json"]

    /// The name of the record in the service's runtime folder.
    static let record = "folder"

    private let root: String

    /// Looks on this machine, or below the folder that `YONDER_SYSTEM` names, for tests.
    init(environment: [String: String]) {
        root = environment["YONDER_SYSTEM"] ?? ""
    }

    /// The settings file, if the service has one.
    var settings: String? {
        Self.settings.map { root + $0 }.first { access($0, F_OK) == 0 }
    }

    /// The data folder of the service that runs now; `nil` if none does, or if it uses a database.
    ///
    /// A record counts only if the folder belongs to the user who wrote it: the service's user can't have root's commands
    /// write into a folder of another's.
    var runningFolder: String? {
        let file = "\(root)/run/yonder/\(Self.record)"
        guard let folder = try? String(contentsOfFile: file, encoding: .utf8), folder.hasPrefix("/"),
            let writer = Self.owner(of: file), Self.owner(of: folder) == writer
        else { return nil }
        return folder
    }

    private static func owner(of path: String) -> uid_t? {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_uid : nil
    }
}
