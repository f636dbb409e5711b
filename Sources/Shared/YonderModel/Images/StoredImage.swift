public import YonderGeodesy
import YonderJSON

/// Names a ``StoredImage``.
public typealias ImageID = Identifier<StoredImage>

/// An uploaded image.
///
/// It is *loose* until a `Photo` message of its owner's or the owner's profile names it. An image that was named once is
/// removed with the last message or profile that did.
///
/// `ImageEndpoints` makes one of an upload, the stores keep it, and remove it with its last message or profile; the server
/// removes loose ones after ``looseLifetime``. Over ``looseLimit`` an upload is refused with `tooMany`; a message over
/// ``messageLimit`` is stored, and keeps no image. Limits may be changed with `Documentation/rest.md`; the path and the
/// member `image` must stay, as messages and profiles that are stored have them (`ImageTests`).
public struct StoredImage: Hashable, Sendable {
    /// How many loose images one person may have.
    public static let looseLimit = 50

    /// How many messages may name one image.
    public static let messageLimit = 100

    /// How long a loose image is kept.
    public static let looseLifetime = Duration.seconds(86_400)

    /// The image's id.
    public let id: ImageID

    /// The user who uploaded it; only this user's messages and profile can name it.
    public let owner: UserID

    /// When it came.
    public let created: Timestamp

    /// The picture.
    public let file: ImageFile

    /// Creates it.
    public init(id: ImageID, owner: UserID, created: Timestamp, file: ImageFile) {
        (self.id, self.owner, self.created, self.file) = (id, owner, created, file)
    }

    /// The path of an image on this server, as in a profile's `avatar`.
    public static func path(_ id: ImageID) -> String { "/v1/images/\(id)" }
}

extension MessageData {
    /// The image that this object names, or `nil`.
    public var image: ImageID? {
        bytes.withUnsafeBytes { text in
            var found: ImageID?
            var scanner = JSONScanner(text)
            try? scanner.object { scanner, key throws(JSONFault) in
                guard key.equals("image", in: text), scanner.next == UInt8(ascii: "\"") else {
                    _ = try scanner.skipValue()
                    return
                }
                found = ImageID(try scanner.string().text(in: text))
            }
            return found
        }
    }
}
