package import YonderGeodesy
package import YonderModel

/// The words that stores keep as text, each with the value of a word that this version doesn't know.
///
/// A newer version may have stored a word that this one doesn't know. Its row is kept, and an update that isn't about the
/// word writes it back as it was. Its value here is the least known one: it never lets anyone do or see more than any known
/// word does.
///
/// On the wire the value is written, not the word, so that every client knows it.
///
/// The tables of both databases read each such column here, and write it by the `…Word` properties below. Reading never
/// fails. A least value that a release had must stay or become less; a further column with words needs a line here and a
/// rule in `WordRule` (decision 41).
package enum StoredWords {
    /// The role of a participant; a participant with an unknown role may read the chat and do nothing else
    /// (`Participant.mayOnlyRead`).
    package static let role = StoredWord<Participant.Role>(least: .member)

    /// How long a chat keeps positions: the shortest time.
    package static let positions = StoredWord<PositionKeeping>(least: .day)

    /// The fate of a share's positions: they go with its end.
    package static let keeping = StoredWord<Share.Keeping>(least: .expiring)

    /// How a share ended: as if its person had stopped it, after which nothing is shared until a share is started.
    package static let ending = StoredWord<Share.Ending>(least: .stopped)

    /// The readers of an entity; with an unknown word only owners read its objects.
    package static let readers = StoredWord<EntityReaders>(least: .owners)

    /// The requests that a signing key permits: lists show `read`, but no request is accepted.
    package static let rights = StoredWord<SigningKey.Rights>(least: .read)

    /// The author of an account's event: not the user.
    package static let actor = StoredWord<AccountEvent.Actor>(least: .server)

    /// The change of an account; an event with an unknown one isn't listed.
    package static let change = StoredWord<AccountEvent.Change>(least: nil)

    /// The kind of a credential; one of an unknown kind isn't listed, and signs nobody in.
    package static let kind = StoredWord<Credential.Kind>(least: nil)

    /// The format of an image; one of an unknown format isn't served.
    package static let format = StoredWord<ImageFile.Format>(least: nil)
}

/// A word of a table: its known values, and the least.
package struct StoredWord<Value: RawRepresentable<String> & Sendable>: Sendable {
    /// The value of an unknown word, or `nil` if lists leave out its row.
    package let least: Value?

    init(least: Value?) {
        self.least = least
    }

    /// Whether this version knows a word.
    package func knows(_ text: String) -> Bool { Value(rawValue: text) != nil }

    /// Reads a word.
    ///
    /// - Parameter text: The stored text.
    /// - Returns: Its value, with the text if this version doesn't know it; `nil` if lists leave out its row.
    package func read(_ text: String) -> (value: Value, unknown: String?)? {
        if let value = Value(rawValue: text) { return (value, nil) }
        return least.map { ($0, text) }
    }
}

// The words to store: the known value's, or else the one that was read.
extension Participant {
    /// The word for the role.
    package var roleWord: String { unknownRole ?? role.rawValue }

    /// Takes over a stored word.
    package mutating func setRole(word: String) {
        guard let (role, unknown) = StoredWords.role.read(word) else { return }
        self.role = role
        unknownRole = unknown
    }
}

extension Chat {
    /// The word for how long positions are kept.
    package var positionsWord: String { unknownPositions ?? positions.rawValue }

    /// Takes over a stored word.
    package mutating func setPositions(word: String) {
        guard let (positions, unknown) = StoredWords.positions.read(word) else { return }
        self.positions = positions
        unknownPositions = unknown
    }
}

extension Share {
    /// The word for the fate of its positions.
    package var keepingWord: String { unknownKeeping ?? keeping.rawValue }

    /// Takes over a stored word.
    package mutating func setKeeping(word: String) {
        guard let (keeping, unknown) = StoredWords.keeping.read(word) else { return }
        self.keeping = keeping
        unknownKeeping = unknown
    }
}

extension Share.End {
    /// The word for how it ended.
    package var endingWord: String { unknownEnding ?? ending.rawValue }

    /// Creates an end from a stored word.
    package init(time: Timestamp, word: String) {
        let (ending, unknown) = StoredWords.ending.read(word) ?? (.stopped, word)
        self.init(time: time, ending: ending, unknown: unknown)
    }
}

extension EntityDefinition {
    /// The stored word for the readers of the entity.
    package var readersWord: String { unknownReaders ?? readers.rawValue }

    /// Takes over a stored word.
    package mutating func setReaders(word: String) {
        guard let (readers, unknown) = StoredWords.readers.read(word) else { return }
        self.readers = readers
        unknownReaders = unknown
    }
}
