import YonderGeodesy
import YonderTracks

/// Writes sentences for tests.
enum NMEALines {
    /// A sentence with its `$`, its checksum and a line end.
    static func sentence(_ content: String) -> String {
        let sum = content.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(content)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
    }

    /// Several such sentences.
    static func sentences(_ contents: String...) -> String {
        contents.map(sentence).joined()
    }
}

extension NMEAReader {
    /// Reads a text.
    mutating func read(_ text: String) -> [NMEAEpoch] {
        read(Array(text.utf8))
    }

    /// Every epoch of a whole stream.
    static func epochs(_ text: String, reference: Timestamp? = nil) -> [NMEAEpoch] {
        epochs(Array(text.utf8), reference: reference)
    }

    /// Every epoch of a whole stream.
    static func epochs(_ bytes: [UInt8], reference: Timestamp? = nil) -> [NMEAEpoch] {
        var reader = NMEAReader(reference: reference)
        var epochs = reader.read(bytes)
        reader.finish { epochs.append($0) }
        return epochs
    }

    /// The only epoch of a stream of sentences without their checksums.
    static func epoch(_ contents: String..., reference: Timestamp? = nil) -> NMEAEpoch? {
        let epochs = epochs(contents.map(NMEALines.sentence).joined(), reference: reference)
        return epochs.count == 1 ? epochs[0] : nil
    }
}
