import YonderGeodesy
package import YonderModel

// The fingerprint of a message's key. An equal one makes a repeat of the first answer, another one the refusal
// `keyReused`. Its steps can be undone, so it may be kept no longer than what it was made of: a message without content
// has the fingerprint 0, which leaves the decision to the key. A new kind of action gets a new first word; the words that
// exist stay, as values are on disk (decision 15).

extension Submission {
    /// A hash that tells two submissions with the same key apart: equal for equal actions, and for different ones with
    /// a probability of 2⁻⁶⁴.
    ///
    /// Never 0. It protects a sender against their own mistakes, not against an attacker. The algorithm must never
    /// change, as values are on disk.
    package var fingerprint: Int64 {
        var hash = StableHash()
        switch action {
        case .message(let draft):
            hash.combine(1)
            hash.combine(draft)
        case .recall(let number):
            hash.combine(2)
            hash.combine(number)
        case .subject(let subject):
            hash.combine(3)
            hash.combine(subject)
        case .lockSubject(let isLocked):
            hash.combine(12)
            hash.combine(isLocked ? 1 : 0)
        case .keepPositions(let keeping):
            hash.combine(13)
            hash.combine(keeping.rawValue)
        case .add(let users):
            hash.combine(4)
            for user in users { hash.combine(user.rawValue) }
        case .leave:
            hash.combine(5)
        case .stayOut:
            hash.combine(14)
        case .startShare(_, let wish):
            hash.combine(20)
            hash.combine(wish)
        case .changeShare(let id, let edit):
            hash.combine(21)
            hash.combine(id.rawValue)
            hash.combine(edit)
        case .stopShare(let id):
            hash.combine(22)
            hash.combine(id.rawValue)
        case .endShare(let id, let ending, let before):
            hash.combine(23)
            hash.combine(id.rawValue)
            hash.combine(ending.rawValue)
            hash.combine(before?.milliseconds ?? 0)
        case .remove(let user):
            hash.combine(10)
            hash.combine(user.rawValue)
        case .owner(let user):
            hash.combine(11)
            hash.combine(user.rawValue)
        }
        return hash.value
    }

    /// What a store keeps with the message that this submission made.
    ///
    /// - Parameter message: The message as it is stored.
    /// - Returns: ``fingerprint``; 0 for the server's own, for a message that had expired on arrival, and for the start
    ///   of a share with a place of arrival, which stands in no message and is removed when the share ends.
    package func keptFingerprint(with message: Message) -> Int64 {
        switch action {
        case .endShare: 0
        case .message(let draft) where message.isEmpty && !(draft.content.isEmpty && draft.data == nil): 0
        case .startShare(_, let wish) where wish.arrival != nil: 0
        default: fingerprint
        }
    }

    /// Whether a message that is stored under this submission's key counts as this submission's.
    ///
    /// - Parameter kept: The message's ``keptFingerprint(with:)``, or 0 once its content was erased.
    /// - Returns: Whether both are equal; `true` for 0, which leaves the decision to the key.
    package func repeats(_ kept: Int64) -> Bool { kept == 0 || kept == fingerprint }
}

extension ChatStart {
    /// The same for a wish: see ``Submission/fingerprint``.
    package var fingerprint: Int64 {
        var hash = StableHash()
        hash.combine(isOneToOne ? 7 : 6)
        hash.combine(subject)
        for user in invitees.sorted() { hash.combine(user.rawValue) }
        return hash.value
    }
}

/// A hash of 64 bits that is the same in every process and on every machine.
///
/// Eight bytes at a time: multiply and fold, with the constants of SplitMix64 (Steele, Lea and Flood 2014).
private struct StableHash {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func combine(_ word: Int64) {
        var mixed = (state ^ UInt64(bitPattern: word)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 30)) &* 0x94D0_49BB_1331_11EB
        state = (mixed ^ (mixed >> 31)) &+ 0x9E37_79B9_7F4A_7C15
    }

    mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    mutating func combine(_ draft: MessageDraft) {
        combine(draft.tag.rawValue)
        combine(draft.content)
        combine(draft.data == nil ? 0 : 1)
        draft.data?.bytes.withUnsafeBytes { combine($0) }
        combine(draft.expires == nil ? 0 : 1)
        combine(draft.expires?.milliseconds ?? 0)
    }

    mutating func combine(_ wish: ShareWish) {
        combine(wish.until?.milliseconds ?? -1)
        combine(Int64(bitPattern: wish.arrival?.coordinate.latitude.bitPattern ?? 0))
        combine(Int64(bitPattern: wish.arrival?.coordinate.longitude.bitPattern ?? 0))
        combine(Int64(bitPattern: wish.arrival?.radius.meters.bitPattern ?? 0))
        combine(wish.keeping.rawValue)
        combine(wish.showsBattery.map { $0 ? 1 : 2 } ?? 0)
    }

    mutating func combine(_ edit: ShareEdit) {
        combine(edit.until.map { $0?.milliseconds ?? -1 } ?? -2)
        combine(edit.keeping?.rawValue ?? "")
        combine(edit.showsBattery.map { $0 ? 1 : 2 } ?? 0)
    }

    private mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        combine(Int64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            combine(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)))
            offset += 8
        }
        var rest: Int64 = 0
        for byte in bytes[offset...] { rest = rest << 8 | Int64(byte) }
        combine(rest)
    }

    /// Never 0, which is the fingerprint of what was erased.
    var value: Int64 { state == 0 ? 1 : Int64(bitPattern: state) }
}
