#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The user to whom a data folder belongs.
///
/// What root writes into another user's folder would be files that the server, which runs as that user, can't write.
enum FolderOwner {
    /// Takes the id and the groups of a folder's user for the rest of this program's life.
    ///
    /// Does nothing unless this program runs as root, the folder is there, and the folder is another user's. Call it before the
    /// first file of the folder is opened.
    ///
    /// - Throws: ``CommandFailure`` if the system refuses.
    static func become(of folder: String) throws {
        var info = stat()
        guard geteuid() == 0, stat(folder, &info) == 0, info.st_uid != 0 else { return }
        // The groups are taken first, because only root can change the groups of a process.
        guard takeGroups(of: info), setuid(info.st_uid) == 0 else {
            throw CommandFailure(
                "\(folder) belongs to the user \(info.st_uid), whose id can't be taken: \(String(cString: strerror(errno)))."
            )
        }
    }

    /// Makes a folder for a user, if this program runs as root, there is such a user, and the folder isn't there.
    ///
    /// - Throws: ``CommandFailure`` if the system refuses.
    static func make(_ folder: String, for user: String) throws {
        guard geteuid() == 0, access(folder, F_OK) != 0, let entry = getpwnam(user)?.pointee else { return }
        guard mkdir(folder, 0o700) == 0, chown(folder, entry.pw_uid, entry.pw_gid) == 0 else {
            throw CommandFailure("\(folder) can't be made: \(String(cString: strerror(errno))).")
        }
    }

    private static func takeGroups(of info: stat) -> Bool {
        guard let user = getpwuid(info.st_uid) else {
            // A container may have no name for the user.
            var group = info.st_gid
            return setgroups(1, &group) == 0 && setgid(group) == 0
        }
        let group = user.pointee.pw_gid
        return initgroups(user.pointee.pw_name, numericCast(group)) == 0 && setgid(group) == 0
    }
}
