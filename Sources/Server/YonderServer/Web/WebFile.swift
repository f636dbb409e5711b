import CYonderWeb
import NIOCore
import YonderREST

/// A file of the web page, compiled into the program.
///
/// `WebEndpoints` and the server's settings read the list; `Scripts/embed-web` makes it of `Web/` as a C file. Nothing
/// fails at run time: a file that is missing is missing from the program. That compressed bytes are kept beside the
/// others costs their size in memory, and saves it for each request (`WebAndProbeTests`).
struct WebFile: Sendable {
    /// The path, without a leading slash.
    let path: String

    /// The value for `Content-Type`.
    let contentType: String

    /// Changes with the content.
    let hash: String

    /// Whether it lies under a path with a hash, where it never changes.
    let isAsset: Bool

    /// The content.
    let content: ByteBuffer

    /// The content gzipped; `nil` unless it is text and gets shorter by a tenth.
    let gzipped: ByteBuffer?

    /// Every file there is, read and compressed at the first use, when the server starts.
    static let all: [WebFile] = (0..<yonder_web_file_count()).compactMap { index in
        yonder_web_file_at(index).map { WebFile($0.pointee) }
    }

    /// The part of the assets' path that changes with any of them.
    static var assetsHash: String { String(cString: yonder_web_tree_hash()) }

    private init(_ file: yonder_web_file) {
        path = String(cString: file.path)
        contentType = String(cString: file.content_type)
        hash = String(cString: file.hash)
        isAsset = file.kind == YONDER_WEB_ASSET
        content = Self.buffer(file.bytes, file.length)
        // Large files, as the map library and a release's bundle, are compressed by the build.
        gzipped =
            file.gzipped.map { Self.buffer($0, file.gzipped_length) }
            ?? Self.compressed(content, contentType: contentType)
    }

    private static func compressed(_ content: ByteBuffer, contentType: String) -> ByteBuffer? {
        guard contentType.hasPrefix("text/") || compressible.contains(contentType),
            let compressed = Gzip.compress(content),
            compressed.readableBytes * 10 < content.readableBytes * 9
        else { return nil }
        return compressed
    }

    /// Kinds of text that aren't called so.
    private static let compressible: Set = ["application/json", "application/manifest+json", "image/svg+xml"]

    private static func buffer(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> ByteBuffer {
        ByteBuffer(bytes: UnsafeBufferPointer(start: bytes, count: count))
    }
}
