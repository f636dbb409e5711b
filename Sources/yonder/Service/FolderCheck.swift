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
import YonderSQLite
import YonderStorage

/// Refuses a data folder that a server could read, and never write.
///
/// A disk that is full or read-only isn't refused: the server reads what is there, and writes once it can. A folder that the
/// service's unit shuts off, or whose database is another user's, stays so until an operator changes it.
enum FolderCheck {
    /// Checks a folder, which needn't be there, as the user that the server runs as.
    ///
    /// - Throws: ``CommandFailure`` with the lines that give the folder to the service.
    static func check(_ folder: String) throws {
        let path = existing(folder)
        let database = "\(folder)/\(StoreBackup.databaseName)"
        guard access(path, W_OK) != 0 || access(database, W_OK) != 0 else { return }
        let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
        if access(path, W_OK) != 0, let mounts, MountTable(mounts).isShutOff(path) {
            throw CommandFailure(shutOff(folder))
        }
        let user = UserName.current
        if access(folder, F_OK) != 0 {
            // A disk that is read-only is the store's to tell of.
            guard access(path, W_OK) != 0, errno == EACCES else { return }
            throw CommandFailure(
                "\(folder) isn't there, and the user \(user) may not make it: \(Self.making(folder, for: user))"
            )
        }
        for file in [folder, database] where access(file, W_OK) != 0 && errno == EACCES {
            throw CommandFailure(
                """
                \(file) can't be written by the user \(user): it belongs to another one. Give the folder to this one: \
                sudo chown -R \(user): \(folder)
                """
            )
        }
    }

    /// The command that makes a folder for a user.
    static func making(_ folder: String, for user: String) -> String {
        "sudo install -d -o \(user) -g \(user) -m 0700 \(folder)"
    }

    /// What gives a folder to a service that is kept out of it.
    private static func shutOff(_ folder: String) -> String {
        // systemd shows a service an empty folder in the place of these.
        let isHome = ["home", "root", "run/user"].contains { folder.hasPrefix("/\($0)/") }
        return """
            \(folder) can't be written: this service may write to other folders alone. Make the folder, \
            \(making(folder, for: UserName.current)), give it to the service by these lines of a drop-in (sudo systemctl edit \
            yonder), and restart it; in a container, mount a volume there.
            [Service]
            \(isHome ? "ProtectHome=no\n" : "")ReadWritePaths=\(folder)
            """
    }

    /// The nearest folder that is there, without symbolic links.
    private static func existing(_ folder: String) -> String {
        var url = URL(fileURLWithPath: folder).standardizedFileURL
        while url.pathComponents.count > 1, access(url.path, F_OK) != 0 { url.deleteLastPathComponent() }
        return url.resolvingSymlinksInPath().path
    }
}

/// The name of a user, for sentences to an operator.
enum UserName {
    /// The name of the user that this program runs as, or the number of one without a name.
    static var current: String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
    }
}
