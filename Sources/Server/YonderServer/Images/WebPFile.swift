import YonderModel

/// WebP (RFC 9649): a RIFF file of chunks, each of four letters, a length, and content filled up to an even number.
///
/// `ImageFile+Cleaning.swift` calls ``cleaned(_:)`` for bytes of a stranger: nothing traps, every length is checked, and
/// a fault has its offset. Only chunks that draw the picture are kept, and the header's flags are set to them: metadata
/// may have the place where a photo was taken (`ImageFileTests`). Animations are refused.
///
/// The list of kept chunks must not become one of dropped ones.
enum WebPFile {
    /// The extended header's flag for an alpha channel; the other flags are cleared.
    private static let alpha: UInt8 = 0x10

    static func cleaned(_ source: ImageBytes) throws(ImageFault) -> ImageFile {
        let end = try source.littleEndian(4, 4) + 8
        guard try source.range(8, 4).elementsEqual("WEBP".utf8), end <= source.count else {
            throw ImageFault(.malformed, at: 4)
        }
        var kept = Array("WEBP".utf8)
        var size: (width: Int, height: Int)?
        var offset = 12
        while offset < end {
            let type = String(decoding: try source.range(offset, 4), as: UTF8.self)
            let length = try source.littleEndian(offset + 4, 4)
            let content = try source.range(offset + 8, length)
            switch type {
            case "VP8X": kept += try extendedHeader(content, at: offset)
            case "ALPH": kept += chunk(type, content)
            case "VP8 ", "VP8L":
                guard size == nil else { throw ImageFault(.malformed, at: offset) }
                size = try type == "VP8L" ? losslessSize(offset + 8, source) : lossySize(offset + 8, source)
                kept += chunk(type, content)
            case "ANIM", "ANMF": throw ImageFault(.animated, at: offset)
            default: break
            }
            offset += 8 + length + length % 2
        }
        guard let size else { throw ImageFault(.malformed, at: offset) }
        let file = Array("RIFF".utf8) + littleEndian(kept.count) + kept
        return ImageFile(format: .webp, width: size.width, height: size.height, checked: file)
    }

    /// The header without the flags of what is left out.
    private static func extendedHeader(_ content: ArraySlice<UInt8>, at offset: Int) throws(ImageFault)
        -> [UInt8]
    {
        guard content.count == 10, let flags = content.first else { throw ImageFault(.malformed, at: offset) }
        return chunk("VP8X", [flags & alpha, 0, 0, 0] + content.dropFirst(4))
    }

    /// Two numbers of 14 bits behind a frame's tag and start code (RFC 6386, 9.1).
    private static func lossySize(_ start: Int, _ source: ImageBytes) throws(ImageFault) -> (Int, Int) {
        guard try source.range(start + 3, 3).elementsEqual([0x9D, 0x01, 0x2A]) else {
            throw ImageFault(.malformed, at: start)
        }
        return (
            try source.littleEndian(start + 6, 2) & 0x3FFF, try source.littleEndian(start + 8, 2) & 0x3FFF
        )
    }

    /// Two numbers of 14 bits, each one less than it means, behind the signature.
    private static func losslessSize(_ start: Int, _ source: ImageBytes) throws(ImageFault) -> (Int, Int) {
        guard try source.byte(start) == 0x2F else { throw ImageFault(.malformed, at: start) }
        let bits = try source.littleEndian(start + 1, 4)
        return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }

    private static func chunk(_ type: String, _ content: some Collection<UInt8>) -> [UInt8] {
        let padding: [UInt8] = content.count % 2 == 0 ? [] : [0]
        return Array(type.utf8) + littleEndian(content.count) + content + padding
    }

    private static func littleEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
