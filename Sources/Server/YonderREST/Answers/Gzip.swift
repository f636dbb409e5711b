import CZlib
package import NIOCore

/// Compresses what is answered to clients that accept gzip (RFC 1952).
///
/// `WebFile` compresses each file once, at the start. For `nil` the file is sent as it is. Any client's gunzip reads it
/// (`GzipTests`). The level may be changed.
package enum Gzip {
    /// The bytes compressed at zlib's default level, as one gzip member.
    ///
    /// - Returns: `nil` if zlib has no memory, or there are over 4 GiB.
    package static func compress(_ bytes: ByteBuffer) -> ByteBuffer? {
        guard let count = uInt(exactly: bytes.readableBytes) else { return nil }
        var stream = z_stream()
        // 15 is the largest window; 16 more asks for gzip's framing. 8 is zlib's own choice of memory.
        let size = CInt(MemoryLayout<z_stream>.size)
        let opened = deflateInit2_(
            &stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            15 + 16,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        guard opened == Z_OK else { return nil }
        defer { deflateEnd(&stream) }

        var input = bytes
        var output = ByteBuffer()
        var status = Z_OK
        // With room for the most that there can be, one call writes all.
        let room = Int(deflateBound(&stream, uLong(count)))
        input.readWithUnsafeMutableReadableBytes { source in
            stream.next_in = source.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.avail_in = count
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { target in
                let free = target.count
                stream.next_out = target.baseAddress?.assumingMemoryBound(to: Bytef.self)
                stream.avail_out = uInt(clamping: free)
                status = deflate(&stream, Z_FINISH)
                return Int(uInt(clamping: free) - stream.avail_out)
            }
            return source.count
        }
        return status == Z_STREAM_END ? output : nil
    }
}
