/// The mounts that a process sees, by the text of `/proc/self/mountinfo` (proc(5)).
///
/// It tells a folder that a service may not write from a disk that can't be written: systemd and containers mount the file
/// system again, read-only, where they keep a process out, and the file system itself stays writable.
package struct MountTable {
    private struct Mount {
        let point: [UInt8]
        let isReadOnly: Bool
        let hasReadOnlyDisk: Bool
    }

    private let mounts: [Mount]

    /// Reads the table; lines of another form are left out.
    package init(_ text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard let hyphen = fields.firstIndex(of: "-"), hyphen >= 6, fields.count > hyphen + 3 else {
                return nil
            }
            return Mount(
                point: Self.unescaped(fields[4]),
                isReadOnly: Self.isReadOnly(fields[5]),
                hasReadOnlyDisk: Self.isReadOnly(fields[hyphen + 3])
            )
        }
    }

    /// Whether a folder can't be written although its disk can be: the last mount at the longest path decides.
    ///
    /// The path is absolute and has no symbolic links.
    package func isShutOff(_ path: String) -> Bool {
        var found: Mount?
        for mount in mounts
        where Self.contains(mount.point, Array(path.utf8)) && mount.point.count >= found?.point.count ?? 0 {
            found = mount
        }
        return found.map { $0.isReadOnly && !$0.hasReadOnlyDisk } ?? false
    }

    private static func contains(_ folder: [UInt8], _ path: [UInt8]) -> Bool {
        folder == [UInt8(ascii: "/")]
            || path.starts(with: folder)
                && (path.count == folder.count || path[folder.count] == UInt8(ascii: "/"))
    }

    private static func isReadOnly(_ options: Substring) -> Bool {
        options.split(separator: ",").contains("ro")
    }

    /// A field's bytes: a blank, a tab, a line's end and a backslash stand there as a backslash and three octal digits.
    private static func unescaped(_ field: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(3)
        }
        return bytes
    }
}
