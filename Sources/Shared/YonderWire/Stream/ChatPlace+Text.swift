import YonderGeodesy
package import YonderModel

// `ServerFrame` writes it as `next`, and `ChatEndpoints` and `ClientFrame` read it back; another text is `invalidField`. The
// form must stay (`Documentation/stream.md`, `rest.md`).
extension ChatPlace {
    /// Reads a place from its ``text``.
    ///
    /// - Returns: `nil` if the text isn't two numbers with a hyphen between.
    package init?(_ text: String) {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "-"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, let active = Int64(Substring(parts[0])), active >= 0,
            let chat = ChatID(String(Substring(parts[1])))
        else { return nil }
        self.init(active: Timestamp(milliseconds: active), chat: chat)
    }

    /// The place on the wire, over REST and on the stream: the milliseconds and the id, with a hyphen between.
    package var text: String { "\(active.milliseconds)-\(chat)" }
}
