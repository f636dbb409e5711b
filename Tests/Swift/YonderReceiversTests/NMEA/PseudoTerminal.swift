import Foundation
import Testing

/// A serial line with two ends: what is written to one is read from the other, at a path.
///
/// The path is a link of its own, so that a device can vanish and come back under the same name.
final class PseudoTerminal {
    let path: String
    private let folder: URL
    private var master: CInt = -1

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("yonder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        path = folder.appendingPathComponent("ttyUSB0").path
    }

    deinit {
        if master >= 0 { close(master) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Plugs the receiver in.
    func plug() throws {
        var slave: CInt = -1
        var name = [CChar](repeating: 0, count: 256)
        guard openpty(&master, &slave, &name, nil, nil) == 0 else { throw CocoaError(.fileNoSuchFile) }
        close(slave)
        let end = name.firstIndex(of: 0) ?? name.endIndex
        let device = String(decoding: name[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: device)
    }

    /// Pulls it out: whoever reads it gets an error.
    func unplug() throws {
        try FileManager.default.removeItem(atPath: path)
        close(master)
        master = -1
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(Foundation.write(master, bytes, bytes.count) == bytes.count)
    }

    /// The line's settings.
    func settings() -> termios {
        var settings = termios()
        tcgetattr(master, &settings)
        return settings
    }
}
