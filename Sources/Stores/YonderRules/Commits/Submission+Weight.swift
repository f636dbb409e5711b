package import YonderModel

// Estimates for the bound of ``CommitQueue`` in bytes; nothing else depends on them. They may be changed, but must grow
// with the content, or a client with large messages could fill the memory.

extension Submission {
    /// The estimated memory in bytes, while it waits to be written.
    package var weight: Int {
        switch action {
        case .message(let draft): 256 + draft.content.utf8.count + (draft.data?.bytes.count ?? 0)
        case .subject(let subject): 256 + subject.utf8.count
        case .add(let users): 256 + users.count * 8
        case .lockSubject, .keepPositions, .recall, .leave, .stayOut, .remove, .owner: 256
        case .startShare, .changeShare, .stopShare, .endShare: 256
        }
    }
}

extension ReadMark {
    /// The estimated memory in bytes, while it waits to be written.
    package static let weight = 64
}

extension ObjectSubmission {
    /// The estimated memory in bytes, while it waits to be written.
    package var weight: Int {
        switch action {
        case .create(let fields, _): fields.values.reduce(256) { $0 + $1.weight }
        case .change(_, let fields, _): fields.values.reduce(256) { $0 + ($1?.weight ?? 64) }
        case .delete: 256
        }
    }
}

extension FieldValue {
    fileprivate var weight: Int {
        switch self {
        case .text(let text): 128 + text.utf8.count
        case .json(let json): 128 + json.bytes.count
        case .location(let location): 192 + (location.address?.utf8.count ?? 0)
        case .number, .date, .boolean, .reference: 64
        }
    }
}
