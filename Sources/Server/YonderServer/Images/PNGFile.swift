import YonderModel

/// PNG (ISO 15948): a signature and chunks, each of a length, a type of four letters, its content and a checksum.
///
/// `ImageFile+Cleaning.swift` calls ``cleaned(_:)`` for bytes of a stranger: nothing traps, and a fault has its offset.
/// Only chunks that draw the picture are kept; texts, times and Exif go (`ImageFileTests`). Checksums aren't looked at,
/// as a decoder does.
enum PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The chunks that a decoder needs to show the right colors; none of them holds text.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "sRGB", "gAMA", "cHRM", "sBIT", "bKGD",
    ]

    static func cleaned(_ source: ImageBytes) throws(ImageFault) -> ImageFile {
        guard try source.bigEndian(8, 4) == 13, try type(at: 8, source) == "IHDR" else {
            throw ImageFault(.malformed, at: 8)
        }
        var kept = signature
        var hasData = false
        var offset = 8
        while true {
            let length = try source.bigEndian(offset, 4)
            let type = try type(at: offset, source)
            let chunk = try source.range(offset, length + 12)
            if Self.kept.contains(type) { kept += chunk }
            if type == "IDAT" { hasData = true }
            offset += length + 12
            if type == "IEND" { break }
        }
        guard hasData else { throw ImageFault(.malformed, at: offset) }
        let (width, height) = (try source.bigEndian(16, 4), try source.bigEndian(20, 4))
        return ImageFile(format: .png, width: width, height: height, checked: kept)
    }

    private static func type(at offset: Int, _ source: ImageBytes) throws(ImageFault) -> String {
        String(decoding: try source.range(offset + 4, 4), as: UTF8.self)
    }
}
