import TestSupport
import Testing
import YonderModel

@testable import YonderServer

struct ImageFileTests {
    @Test(arguments: ImageSamples.all)
    func `no metadata stays in a file: no EXIF with a place, no XMP, no profile, no text`(
        sample: ImageSamples.Sample
    ) throws {
        let file = try ImageFile(withoutMetadata: sample.withMetadata)
        for secret in ImageSamples.secrets {
            #expect(sample.withMetadata.contains(secret))
            #expect(!file.bytes.contains(secret))
        }
        #expect(file.bytes == sample.plain)
        #expect(file.format == sample.format)
        #expect((file.width, file.height) == (3, 2))
    }

    @Test(arguments: ImageSamples.all)
    func `a clean file stays as it is`(sample: ImageSamples.Sample) throws {
        #expect(try ImageFile(withoutMetadata: sample.plain).bytes == sample.plain)
    }

    @Test(arguments: ImageSamples.all)
    func `a file that ends early is refused, wherever it ends`(sample: ImageSamples.Sample) {
        for count in 0..<sample.plain.count {
            #expect(throws: SharingError.self) {
                try ImageFile(withoutMetadata: Array(sample.plain.prefix(count)))
            }
        }
    }

    @Test(arguments: ImageSamples.all)
    func `a changed file is refused or stays within its bounds`(sample: ImageSamples.Sample) {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var bytes = sample.withMetadata
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let file = try? ImageFile(withoutMetadata: bytes) else { continue }
            #expect(file.bytes.count <= bytes.count + 1)
            #expect((1...ImageFile.sideLimit).contains(file.width))
        }
    }

    @Test func `a file is told by its bytes, and no other one is taken`() {
        let others = [
            "", "GIF89a", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "RIFF0000WAVE", "%PDF-1.7", "BM",
        ]
        for other in others {
            expectRefusal(.invalidFile) { () throws(SharingError) in
                _ = try ImageFile(withoutMetadata: Array(other.utf8))
            }
        }
    }

    @Test func `a file of more than 2 MiB is too large`() {
        expectRefusal(.tooLarge) { () throws(SharingError) in
            _ = try ImageFile(withoutMetadata: [UInt8](repeating: 0xFF, count: ImageFile.byteLimit + 1))
        }
    }

    @Test func `a picture without pixels, or with too many, is refused`() {
        for (width, height) in [(0, 2), (2, 0), (16_385, 1), (16_000, 16_000)] {
            expectRefusal(.invalidFile) { () throws(SharingError) in
                _ = try ImageFile(withoutMetadata: ImageSamples.png(width: width, height: height))
            }
        }
    }

    @Test func `a message names the image of its data, and only by an id`() throws {
        let named = try MessageData(Array(#"{"width":3,"image":"77","height":2}"#.utf8))
        #expect(named.image == ImageID(77))
        for other in [#"{}"#, #"{"image":77}"#, #"{"image":"x"}"#, #"{"deep":{"image":"77"}}"#] {
            #expect(try MessageData(Array(other.utf8)).image == nil)
        }
    }

    private func expectRefusal(_ code: SharingError.Code, _ body: () throws(SharingError) -> Void) {
        do throws(SharingError) {
            try body()
            Issue.record("It was taken.")
        } catch {
            #expect(error.code == code)
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: text) }
    }
}
