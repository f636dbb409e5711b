import Foundation

@testable import YonderWire

/// The frames that `Documentation/stream.md` shows, with the document's own definitions put in place of the names in
/// capitals, such as CHAT.
struct DocumentedFrames {
    /// The frames, in the order of the document, as JSON.
    let texts: [String]

    init(file: String = #filePath) throws {
        // The sanitizers' package reaches this folder through a link.
        let folder = URL(filePath: file).resolvingSymlinksInPath().deletingLastPathComponent()
        let page = folder.appending(path: "../../../../Documentation/stream.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        var definitions = ["OBJECT": try Self.object()]
        for name in ["PREVIEW", "CHAT", "SHARE", "PERSON"] {
            definitions[name] = try Self.definition(of: name, in: text)
        }
        texts = Self.blocks(in: text).flatMap(Self.frames).map { frame in
            Self.filled(frame, with: definitions)
        }
    }

    /// The fenced blocks of JSON.
    private static func blocks(in text: String) -> [Substring] {
        text.components(separatedBy: "```json\n").dropFirst().compactMap { block in
            block.range(of: "\n```").map { block[..<$0.lowerBound] }
        }
    }

    /// The frames of a block: each begins a line and may go on in indented ones.
    private static func frames(in block: Substring) -> [String] {
        var frames: [String] = []
        for line in block.split(separator: "\n") {
            if line.hasPrefix(#"{"type""#) {
                frames.append(String(line))
            } else if line.hasPrefix(" "), !frames.isEmpty {
                frames[frames.count - 1] += line
            }
        }
        return frames
    }

    /// The block that follows the sentence which begins with `NAME is`.
    private static func definition(of name: String, in text: String) throws -> String {
        guard let sentence = text.range(of: "\(name) is"),
            let block = blocks(in: String(text[sentence.upperBound...])).first
        else { throw Missing(name: name) }
        return String(block.replacing("\n", with: ""))
    }

    /// Objects are defined in `Documentation/objects.md`; here a sample stands for them.
    private static func object() throws -> String {
        let frame = ServerFrame.region(RegionFrame(topic: 1, entered: [.object(StreamSamples.place)]))
        let text = String(decoding: frame.encoded(), as: UTF8.self)
        guard let start = text.range(of: #""entered":["#) else { throw Missing(name: "OBJECT") }
        return String(text[start.upperBound...].dropLast(2))
    }

    private static func filled(_ frame: String, with definitions: [String: String]) -> String {
        var frame = frame.replacing(", …", with: "").replacing("{…}", with: "{}")
        // CHAT names PREVIEW, so once isn't enough.
        for _ in 1...2 {
            for (name, definition) in definitions { frame = frame.replacing(name, with: definition) }
        }
        return frame
    }

    private struct Missing: Error {
        let name: String
    }
}
