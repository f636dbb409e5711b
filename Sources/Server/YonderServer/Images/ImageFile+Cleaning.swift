import YonderModel

// `ImageEndpoints` calls the initializer for each upload, with a stranger's bytes: nothing traps, and a refusal names
// the format and the offset. `JPEGFile`, `PNGFile` and `WebPFile` copy the parts that draw the picture, and drop the
// rest, as the place where a photo was taken must never be stored or passed on (`ImageFileTests`). A
// further format is a case of `ImageFile.Format` and such a reader; the limits of bytes and pixels are in `ImageFile`.

extension ImageFile {
    /// Detects a file's format from its bytes, and removes its metadata.
    ///
    /// - Throws: ``SharingError`` with code `tooLarge`, or `invalidFile` unless it is a whole picture of one of the formats.
    init(withoutMetadata bytes: [UInt8]) throws(SharingError) {
        guard bytes.count <= Self.byteLimit else {
            throw SharingError(
                .tooLarge,
                "An image must have at most \(Self.byteLimit) bytes; this one has \(bytes.count)."
            )
        }
        let source = ImageBytes(bytes)
        let file: ImageFile
        do throws(ImageFault) {
            if source.starts(with: [0xFF, 0xD8, 0xFF]) {
                file = try JPEGFile.cleaned(source)
            } else if source.starts(with: PNGFile.signature) {
                file = try PNGFile.cleaned(source)
            } else if source.starts(with: Array("RIFF".utf8)) {
                file = try WebPFile.cleaned(source)
            } else {
                throw ImageFault(.unknownFormat, at: 0)
            }
        } catch {
            throw SharingError(
                .invalidFile,
                "The image must be a JPEG, PNG or WebP: \(error.reason.rawValue) at byte \(error.offset)."
            )
        }
        guard file.isDrawable else {
            throw SharingError(
                .invalidFile,
                "An image must have 1 to \(Self.sideLimit) pixels a side, at most \(Self.pixelLimit) in all."
            )
        }
        self = file
    }

    private var isDrawable: Bool {
        let sides = 1...Self.sideLimit
        return sides.contains(width) && sides.contains(height) && width * height <= Self.pixelLimit
    }
}

/// Why a file is no picture that is taken.
struct ImageFault: Error, Hashable {
    enum Reason: String {
        case unknownFormat = "another format"
        case endsEarly = "the file ends early"
        case malformed = "the format is broken"
        case animated = "an animation"
    }

    let reason: Reason

    /// In bytes from the file's start.
    let offset: Int

    init(_ reason: Reason, at offset: Int) {
        (self.reason, self.offset) = (reason, offset)
    }
}

/// A file's bytes; reading beyond their end throws.
struct ImageBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func starts(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

    func byte(_ offset: Int) throws(ImageFault) -> UInt8 {
        guard offset < bytes.count else { throw ImageFault(.endsEarly, at: offset) }
        return bytes[offset]
    }

    func range(_ start: Int, _ length: Int) throws(ImageFault) -> ArraySlice<UInt8> {
        guard length >= 0, start <= bytes.count, length <= bytes.count - start else {
            throw ImageFault(.endsEarly, at: bytes.count)
        }
        return bytes[start..<start + length]
    }

    /// A number of `length` bytes, at most 4, the most significant first.
    func bigEndian(_ offset: Int, _ length: Int) throws(ImageFault) -> Int {
        try range(offset, length).reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number of `length` bytes, at most 4, the least significant first.
    func littleEndian(_ offset: Int, _ length: Int) throws(ImageFault) -> Int {
        try range(offset, length).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
