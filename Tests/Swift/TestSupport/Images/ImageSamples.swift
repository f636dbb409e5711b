public import YonderModel

/// Pictures of 3 × 2 pixels in each format, with and without what phones and editors write into them.
///
/// They have the structure of pictures; their pixels mean nothing.
public enum ImageSamples {
    /// A picture twice.
    public struct Sample: Sendable, CustomStringConvertible {
        /// How it is encoded.
        public let format: ImageFile.Format
        /// With a place in EXIF and XMP, a profile, and a text.
        public let withMetadata: [UInt8]
        /// The same without all of it.
        public let plain: [UInt8]

        /// The format's name, for a test's.
        public var description: String { format.rawValue }
    }

    /// What stands in the metadata, and nowhere else.
    public static let secrets = [
        "GPSLatitude 59.9139", "exif:GPSLongitude=10.7522", "ICC of a phone", "Taken by Ada",
    ]

    /// One of each format.
    public static let all = [jpeg, png, webp]

    private static let exif = "Exif\0\0MM\0*\0\0\0\u{8}" + secrets[0]
    private static let xmp = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta " + secrets[1] + "/>"
    private static let profile = "ICC_PROFILE\0" + secrets[2]

    /// A JPEG.
    public static let jpeg: Sample = {
        let start: [UInt8] = [0xFF, 0xD8]
        let tables =
            segment(0xDB, [UInt8](repeating: 1, count: 65)) + segment(0xC4, [UInt8](repeating: 0, count: 17))
        let frame = segment(0xC0, [8, 0, 2, 0, 3, 1, 1, 0x11, 0])
        // A stuffed FF and a restart stand in the scan's data.
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0xFF, 0xD0, 0x34]
        let metadata =
            segment(0xE1, Array(exif.utf8)) + segment(0xE1, Array(xmp.utf8))
            + segment(0xE2, Array(profile.utf8))
            + segment(0xFE, Array(secrets[3].utf8))
        let end: [UInt8] = [0xFF, 0xD9]
        let behind = Array("MotionPhoto \(secrets[0])".utf8)
        return Sample(
            format: .jpeg,
            withMetadata: start + metadata + tables + frame + scan + end + behind,
            plain: start + tables + frame + scan + end
        )
    }()

    /// A PNG.
    public static let png: Sample = {
        let metadata =
            chunk("eXIf", Array(exif.utf8)) + chunk("iTXt", Array(("XML:com.adobe.xmp\0\0\0\0\0" + xmp).utf8))
            + chunk("iCCP", Array(profile.utf8)) + chunk("tEXt", Array(("Author\0" + secrets[3]).utf8))
        let plain = png(width: 3, height: 2)
        let header = plain.prefix(33)
        return Sample(format: .png, withMetadata: header + metadata + plain.dropFirst(33), plain: plain)
    }()

    /// A PNG that says it has so many pixels.
    public static func png(width: Int, height: Int) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0])
        return signature + header + chunk("IDAT", [0x78, 0x9C, 1, 2, 3]) + chunk("IEND", [])
    }

    /// A WebP with an extended header.
    public static let webp: Sample = {
        let size: [UInt8] = [2, 0, 0, 1, 0, 0]
        let picture = riff("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 3, 0, 2, 0, 7])
        // All flags set: a profile, alpha, EXIF, XMP.
        let extended = riff("VP8X", [0x3C, 0, 0, 0] + size)
        let metadata = riff("EXIF", Array((exif + secrets[3]).utf8)) + riff("XMP ", Array(xmp.utf8))
        let body = Array("WEBP".utf8) + extended + riff("ICCP", Array(profile.utf8)) + picture + metadata
        let plain = Array("WEBP".utf8) + riff("VP8X", [0x10, 0, 0, 0] + size) + picture
        return Sample(format: .webp, withMetadata: riff("RIFF", body), plain: riff("RIFF", plain))
    }()

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + bigEndian(content.count + 2).suffix(2) + content
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(content.count) + Array(type.utf8) + content + [0, 0, 0, 0]
    }

    private static func riff(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + bigEndian(content.count).reversed() + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
