import Foundation
import Testing

@testable import YonderWire

@Suite struct DocumentedFrameTests {
    @Test func `every frame in the documentation is read and written as it stands there`() throws {
        let frames = try DocumentedFrames().texts
        #expect(frames.count > 40)
        for frame in frames {
            let documented = try json(frame)
            let written = [fromServer(frame), fromClient(frame)].compactMap(\.self)
            #expect(
                try written.contains { try json($0) == documented },
                "\(frame)\nis written as\n\(written)"
            )
        }
    }

    @Test func `every type of frame is in the documentation`() throws {
        let documented = Set(try DocumentedFrames().texts.map(type))
        let encoded =
            StreamSamples.serverFrames.map { $0.encoded() } + StreamSamples.clientFrames.map { $0.encoded() }
        for text in encoded.map({ String(decoding: $0, as: UTF8.self) }) {
            #expect(documented.contains(try type(of: text)), "\(text)")
        }
    }

    /// The frame as the server writes it, or `nil` if it isn't one of the server's.
    private func fromServer(_ text: String) -> String? {
        let frame = try? ServerFrame.parse(Array(text.utf8))
        return frame.flatMap(\.self).map { String(decoding: $0.encoded(), as: UTF8.self) }
    }

    /// The frame as a client writes it, or `nil` if it isn't one of a client's.
    private func fromClient(_ text: String) -> String? {
        (try? ClientFrame.parse(text: text)).map { String(decoding: $0.encoded(), as: UTF8.self) }
    }

    private func json(_ text: String) throws -> NSDictionary {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary, "\(text)")
    }

    private func type(of text: String) throws -> String {
        try #require(try json(text)["type"] as? String)
    }
}
