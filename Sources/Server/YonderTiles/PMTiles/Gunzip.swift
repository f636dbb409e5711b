import CZlib
package import NIOCore

/// Undoes gzip, up to a limit: a few bytes can claim to hold gigabytes.
///
/// Archives, tiles and answers of other servers are inflated by it, on any thread. The bytes may be anything: nothing
/// traps, and no more memory is taken than the limit and one step. Bytes behind the first member are ignored
/// (`GzipTests`). Limits are the callers'.
package enum Gunzip {
    /// Decompresses gzipped bytes.
    ///
    /// - Throws: ``PMTilesError/badCompression`` if they aren't one whole gzip member,
    ///   ``PMTilesError/tooLong(length:)`` if they hold more than `limit` bytes.
    package static func inflate(_ bytes: ByteBuffer, limit: Int) throws(PMTilesError) -> ByteBuffer {
        var stream = z_stream()
        // 15 is the largest window; 16 more asks for gzip's framing.
        let size = CInt(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { throw .badCompression }
        defer { inflateEnd(&stream) }

        var input = bytes
        var output = ByteBuffer()
        var status = Z_OK
        while status == Z_OK {
            guard output.readableBytes <= limit else { throw .tooLong(length: UInt64(output.readableBytes)) }
            status = step(&stream, from: &input, into: &output)
        }
        guard status == Z_STREAM_END else { throw .badCompression }
        guard output.readableBytes <= limit else { throw .tooLong(length: UInt64(output.readableBytes)) }
        return output
    }

    /// Inflates into the next piece of output.
    ///
    /// Without progress zlib says `Z_BUF_ERROR`, which ends it.
    private static func step(
        _ stream: inout z_stream,
        from input: inout ByteBuffer,
        into output: inout ByteBuffer
    ) -> CInt {
        var status = Z_OK
        input.readWithUnsafeMutableReadableBytes { source in
            stream.next_in = source.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.avail_in = uInt(source.count)
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: 16 * 1024) { target in
                let room = min(target.count, 64 * 1024)
                stream.next_out = target.baseAddress?.assumingMemoryBound(to: Bytef.self)
                stream.avail_out = uInt(room)
                status = CZlib.inflate(&stream, Z_NO_FLUSH)
                return room - Int(stream.avail_out)
            }
            return source.count - Int(stream.avail_in)
        }
        return status
    }
}
