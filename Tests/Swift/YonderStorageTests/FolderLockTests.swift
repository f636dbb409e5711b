import Foundation
import TestSupport
import Testing
import YonderSQLite

struct FolderLockTests {
    private let folder = TemporaryFolder()

    @Test func `a folder has one owner, until its lock is released`() throws {
        let lock = try FolderLock(folder: folder.path)
        #expect(throws: StorageError.self) { try FolderLock(folder: folder.path) }
        lock.release()
        lock.release()
        try FolderLock(folder: folder.path).release()
    }

    /// Between `fork` and `exec` a child has a copy of each open file.
    @Test func `a released lock is free while another process has a copy of the open file`() throws {
        let path = "\(folder.path)/lock"
        let lock = try FolderLock(folder: folder.path)
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let locked = try #require(
            files.first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == place
            }
        )
        let copy = dup(try #require(Int32(locked)))
        defer { close(copy) }
        lock.release()
        try FolderLock(folder: folder.path).release()
    }
}
