import YonderGeodesy
import YonderModel

/// The record's form in a file: an object of numbers and texts, times in milliseconds since 1970.
///
/// `FilePocketRecordStore` decodes what any version of the app has written, so a name of a member must stay, and a further
/// member must be optional. What can't be decoded, an invalid identifier included, is an error, and counts there as no
/// record.
///
/// `PocketRecordTests` hold it.
extension PocketRecord: Codable {
    private struct Stored: Codable {
        struct Person: Codable {
            var id: Int64
            var name: String
            var email: String?
            var avatar: String?
            var hue: Int?
        }

        struct Share: Codable {
            var id: Int64
            var chat: Int64
            var started: Int64
            var until: Int64?
        }

        var user: Person?
        var server: String?
        var wanted: [Share]
        var stopping: [Int64]
        var lastInView: Int64
        var lastNotice: Int64?
    }

    /// Reads a record.
    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        self.init(lastInView: Timestamp(milliseconds: stored.lastInView))
        lastNotice = stored.lastNotice.map(Timestamp.init(milliseconds:))
        server = stored.server
        user = try stored.user.map { person in
            User(
                id: try identifier(person.id, decoder),
                name: person.name,
                email: person.email,
                avatar: person.avatar,
                hue: person.hue
            )
        }
        stopping = Set(try stored.stopping.map { try identifier($0, decoder) })
        wanted = try stored.wanted.map { share in
            PocketShare(
                id: try identifier(share.id, decoder),
                chat: try identifier(share.chat, decoder),
                started: Timestamp(milliseconds: share.started),
                until: share.until.map(Timestamp.init(milliseconds:))
            )
        }
    }

    /// Writes the record.
    public func encode(to encoder: any Encoder) throws {
        let stored = Stored(
            user: user.map {
                Stored.Person(
                    id: $0.id.rawValue,
                    name: $0.name,
                    email: $0.email,
                    avatar: $0.avatar,
                    hue: $0.hue
                )
            },
            server: server,
            wanted: wanted.map {
                Stored.Share(
                    id: $0.id.rawValue,
                    chat: $0.chat.rawValue,
                    started: $0.started.milliseconds,
                    until: $0.until?.milliseconds
                )
            },
            stopping: stopping.map(\.rawValue).sorted(),
            lastInView: lastInView.milliseconds,
            lastNotice: lastNotice?.milliseconds
        )
        try stored.encode(to: encoder)
    }
}

private func identifier<Subject>(_ number: Int64, _ decoder: any Decoder) throws -> Identifier<Subject> {
    if let identifier = Identifier<Subject>(number) { return identifier }
    let context = DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "An identifier must be 0 or more; it is \(number)."
    )
    throw DecodingError.dataCorrupted(context)
}
