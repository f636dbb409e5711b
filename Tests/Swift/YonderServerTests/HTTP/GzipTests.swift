import NIOCore
import Testing
import TestSupport
import YonderREST
import YonderTiles

@Suite struct GzipTests {
    @Test(arguments: [0, 1, 1000, 300_000])
    func `what is compressed inflates to the same bytes`(_ count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let noise = ByteBuffer(bytes: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        let text = ByteBuffer(repeating: 0x61, count: count)
        for bytes in [noise, text] {
            let compressed = try #require(Gzip.compress(bytes))
            #expect(try Gunzip.inflate(compressed, limit: count) == bytes)
        }
        #expect(try #require(Gzip.compress(text)).readableBytes < 30 + count / 10)
    }
}
