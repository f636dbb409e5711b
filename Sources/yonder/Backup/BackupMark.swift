#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a data folder says of its newest backup, in its file `backed-up`: for the server's metrics.
///
/// A file that can't be written or read is none: the backup itself is good.
struct BackupMark: Codable {
    /// The file's name, in the data folder.
    static let name = "backed-up"

    /// When the backup was begun, in milliseconds since 1970.
    let created: Int64
    /// The size of its database, in bytes.
    let bytes: Int64

    init(of manifest: BackupManifest) {
        created = manifest.created
        bytes = manifest.bytes
    }

    /// Reads a folder's mark; `nil` without one.
    init?(in folder: String) {
        guard let data = try? Data(contentsOf: Self.file(folder)),
            let mark = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = mark
    }

    /// Writes the file.
    func write(into folder: String) {
        guard let data = try? JSONEncoder().encode(self) else { return }
        try? data.write(to: Self.file(folder), options: .atomic)
    }

    private static func file(_ folder: String) -> URL {
        URL(fileURLWithPath: folder).appendingPathComponent(name)
    }
}
