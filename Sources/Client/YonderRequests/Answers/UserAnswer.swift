import YonderModel

/// A user, as in the server's answers.
///
/// The calls of `RESTClient` that answer with people read it. Members are those of `Documentation/rest.md`; what older
/// servers don't send is optional (`RESTClientTests`).
struct UserAnswer: Decodable {
    let id: String
    let name: String
    let email: String?
    let avatar: String?
    let hue: Int?
}

extension User {
    /// - Throws: `internalError` if the answer has no valid id.
    init(_ answer: UserAnswer) throws(SharingError) {
        self.init(
            id: try UserID(answered: answer.id),
            name: answer.name,
            email: answer.email,
            avatar: answer.avatar,
            hue: answer.hue
        )
    }
}

extension Identifier {
    /// - Throws: `internalError` for anything but a decimal number.
    init(answered text: String) throws(SharingError) {
        guard let id = Self(text) else {
            throw SharingError(.internalError, "The server's answer has an id that can't be read.")
        }
        self = id
    }
}
