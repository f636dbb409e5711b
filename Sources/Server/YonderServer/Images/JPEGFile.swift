import YonderModel

/// JPEG (ISO 10918-1): segments, each of `FF`, a marker, and mostly a length of two bytes that counts itself.
///
/// `ImageFile+Cleaning.swift` calls ``cleaned(_:)`` for bytes of a stranger: nothing traps, every length is checked, and
/// a fault has its offset. Only the named segments are kept, a list that must not become one of what is dropped: an
/// unknown segment may have the place where a photo was taken. `ImageFileTests` cuts and changes files at any byte.
enum JPEGFile {
    private static let end: UInt8 = 0xD9
    private static let scan: UInt8 = 0xDA

    /// Keeps what a decoder needs: tables, frames, scans, and Adobe's segment, which says how colors are encoded.
    static func cleaned(_ source: ImageBytes) throws(ImageFault) -> ImageFile {
        var kept: [UInt8] = [0xFF, 0xD8]
        var size: (width: Int, height: Int)?
        var hasScan = false
        var offset = 2
        while true {
            let start = offset
            let marker = try marker(&offset, source)
            guard marker != end else {
                guard let size, hasScan else { throw ImageFault(.malformed, at: start) }
                return ImageFile(
                    format: .jpeg,
                    width: size.width,
                    height: size.height,
                    checked: kept + [0xFF, end]
                )
            }
            let length = try source.bigEndian(offset, 2)
            guard length >= 2, hasLength(marker) else { throw ImageFault(.malformed, at: start) }
            let segment = try source.range(offset, length)
            if isFrame(marker) {
                guard size == nil, length >= 8 else { throw ImageFault(.malformed, at: start) }
                size = (try source.bigEndian(offset + 5, 2), try source.bigEndian(offset + 3, 2))
            }
            if isKept(marker, segment) { kept += [0xFF, marker] + segment }
            offset += length
            if marker == scan {
                guard size != nil else { throw ImageFault(.malformed, at: start) }
                hasScan = true
                let end = try endOfScan(from: offset, source)
                kept += source.bytes[offset..<end]
                offset = end
            }
        }
    }

    /// Reads a marker; any number of `FF` may stand before it.
    private static func marker(_ offset: inout Int, _ source: ImageBytes) throws(ImageFault) -> UInt8 {
        guard try source.byte(offset) == 0xFF else { throw ImageFault(.malformed, at: offset) }
        while try source.byte(offset) == 0xFF { offset += 1 }
        defer { offset += 1 }
        return source.bytes[offset]
    }

    /// Where encoded data ends: before a marker that is neither a stuffed `FF` nor a restart.
    private static func endOfScan(from start: Int, _ source: ImageBytes) throws(ImageFault) -> Int {
        var offset = start
        while true {
            guard try source.byte(offset) == 0xFF else {
                offset += 1
                continue
            }
            let next = try source.byte(offset + 1)
            guard next == 0 || (0xD0...0xD7).contains(next) else { return offset }
            offset += 2
        }
    }

    /// Whether a segment's length follows: not behind a stuffed `FF`, a restart, or a start.
    private static func hasLength(_ marker: UInt8) -> Bool {
        !(marker <= 0x01 || (0xD0...0xD8).contains(marker))
    }

    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    private static func isKept(_ marker: UInt8, _ segment: ArraySlice<UInt8>) -> Bool {
        switch marker {
        case 0xC0...0xCF, 0xDA...0xDD: true
        case 0xEE: segment.count == 14 && segment.dropFirst(2).starts(with: Array("Adobe".utf8))
        default: false
        }
    }
}
