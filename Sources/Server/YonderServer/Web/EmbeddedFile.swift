import CYonderWeb

/// A file of Data/ that is compiled into the program.
///
/// The demo and the names of its region are read from such files; without them the demo has fewer of either.
package enum EmbeddedFile {
    /// The bytes of `Data/PATH`, or `nil` if the program was compiled without them.
    package static func bytes(_ path: String) -> [UInt8]? {
        for index in 0..<yonder_data_file_count() {
            guard let file = yonder_data_file_at(index)?.pointee else { continue }
            guard String(cString: file.path) == path else { continue }
            return Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        }
        return nil
    }
}
