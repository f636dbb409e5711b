/// A JPEG, PNG or WebP without metadata: data that phones add to the picture, such as its location, is removed.
///
/// All data that a decoder doesn't need is left out: EXIF with its orientation, XMP, IPTC, color profiles, thumbnails,
/// texts, and bytes after the picture's end. So clients must turn a picture upright before they send it.
///
/// `ImageFile+Cleaning.swift` of the server makes one of uploaded bytes, and refuses others with `invalidFile` or `tooLarge`;
/// `RESTClient.upload(_:_:)` checks the size before. The stores keep bytes and format; `/v1/images` sends both. Limits may be
/// changed with `Documentation/rest.md`; media types are in databases and must stay. That no metadata passes must stay,
/// too: a picture's location would betray a person (`ImageFileTests`).
public struct ImageFile: Hashable, Sendable {
    /// How a picture is encoded, by its media type.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// JPEG.
        case jpeg = "image/jpeg"
        /// PNG, without animation.
        case png = "image/png"
        /// WebP, without animation.
        case webp = "image/webp"
    }

    /// How many bytes a file may have.
    public static let byteLimit = 2 << 20

    /// How many pixels a picture may have along one side.
    public static let sideLimit = 16_384

    /// How many pixels a picture may have.
    public static let pixelLimit = 50_000_000

    /// How it is encoded.
    public let format: Format

    /// Pixels from left to right.
    public let width: Int

    /// Pixels from top to bottom.
    public let height: Int

    /// The file.
    public let bytes: [UInt8]

    /// Creates a file whose bytes were checked before.
    package init(format: Format, width: Int, height: Int, checked bytes: [UInt8]) {
        (self.format, self.width, self.height, self.bytes) = (format, width, height, bytes)
    }
}
