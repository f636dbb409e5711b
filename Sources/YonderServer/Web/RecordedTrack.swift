import CYonderWeb

/// A recorded track, compiled into the program.
package struct RecordedTrack: Sendable {
    /// The file's name, such as `korita-zbevnica.gpx`.
    package let name: String

    /// The file, as GPX.
    package let bytes: [UInt8]

    /// Every track there is, by name.
    package static func all() -> [RecordedTrack] {
        let prefix = "tracks/"
        return (0..<yonder_data_file_count()).compactMap { index in
            guard let file = yonder_data_file_at(index)?.pointee else { return nil }
            let path = String(cString: file.path)
            guard path.hasPrefix(prefix) else { return nil }
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
            return RecordedTrack(name: String(path.dropFirst(prefix.count)), bytes: bytes)
        }
    }
}
