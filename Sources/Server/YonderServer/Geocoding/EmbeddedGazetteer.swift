import CYonderWeb

/// The gazetteer that is compiled into the program: a file as Scripts/build-gazetteer makes it.
///
/// `ServerProcess` opens it where `--gazetteer` names no file; `nil` in a program that was compiled without it, which
/// then has no names.
package enum EmbeddedGazetteer {
    /// Its bytes, which live as long as the program, or `nil` if the program was compiled without one.
    package static var bytes: UnsafeRawBufferPointer? {
        for index in 0..<yonder_data_file_count() {
            guard let file = yonder_data_file_at(index)?.pointee else { continue }
            guard String(cString: file.path) == "gazetteer/places.sqlite" else { continue }
            return UnsafeRawBufferPointer(start: file.bytes, count: file.length)
        }
        return nil
    }
}
