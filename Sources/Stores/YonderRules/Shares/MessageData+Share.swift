import YonderGeodesy
import YonderJSON
import YonderModel

// `ShareRules` makes the data of each `Share` message here; clients of all versions read it. The members are promised in
// `Documentation/stream.md` and must stay.

extension MessageData {
    /// The `data` of a `Share` message: `{"share":"ID","state":"started","until":ms,"keep":"kept"}`.
    static func share(_ change: ShareRules.Change) -> MessageData {
        var writer = JSONWriter(capacity: 96)
        writer.raw("{\"share\":")
        writer.identifier(change.share.id)
        writer.raw(",\"state\":\"")
        writer.raw(change.state.utf8)
        writer.raw("\",\"until\":")
        writer.until(of: change.share)
        writer.raw(",\"keep\":\"")
        writer.raw(change.share.keeping.rawValue.utf8)
        writer.raw(change.share.end?.ending == .arrived ? "\",\"arrived\":true}" : "\"}")
        return MessageData(checked: writer.bytes)
    }
}
