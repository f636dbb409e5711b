package import YonderModel

// The bytes by which the hub and REST count a message against the limits of its writer (`WriteAllowance`). What counts
// is promised in `Documentation/stream.md`: change both.

extension Submission {
    /// How many bytes a person's limit counts.
    package var byteCount: Int {
        switch action {
        case .message(let draft): draft.byteCount
        case .subject(let subject): subject.utf8.count
        case .lockSubject, .keepPositions, .recall, .add, .leave, .stayOut, .remove, .owner, .startShare,
            .changeShare, .stopShare, .endShare:
            0
        }
    }
}

extension MessageDraft {
    /// How many bytes a person's limit counts.
    package var byteCount: Int { content.utf8.count + (data?.bytes.count ?? 0) }
}
