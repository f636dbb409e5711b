import YonderLink
public import YonderModel

// Pictures of messages and profiles. For apps, from any task. Beside the errors named they throw what every call does
// (`RESTClient`). An upload isn't repeated by itself: one that was carried out without an answer leaves a loose picture,
// which the server removes. The size is checked here, so that a large picture costs no transfer (`ImageTests`,
// `Documentation/rest.md`).
extension RESTClient {
    /// Uploads a picture, which the server keeps without its metadata.
    ///
    /// It is lost after a day if no `Photo` message and no profile names it.
    ///
    /// - Parameters:
    ///   - bytes: The file, at most 2 MiB; JPEG, or what else the server takes.
    ///   - format: Its format.
    /// - Returns: The picture's id and size.
    /// - Throws: `invalidFile`; `tooLarge`; `tooMany` if too many uploaded pictures aren't named yet.
    public func upload(_ bytes: [UInt8], _ format: ImageFile.Format = .jpeg) async throws(SharingError)
        -> UploadedImage
    {
        guard bytes.count <= ImageFile.byteLimit else {
            throw SharingError(
                .tooLarge,
                "bytes must be at most \(ImageFile.byteLimit); the picture has \(bytes.count)."
            )
        }
        let type = LinkHeader("Content-Type", "image/\(format.rawValue)")
        let request = LinkRequest(.post, "/v1/images", headers: [type], body: bytes)
        let kept: ImageAnswer = try read(try await answer(to: request))
        return UploadedImage(id: try ImageID(answered: kept.image), width: kept.width, height: kept.height)
    }

    /// Downloads a picture, for who may read a message that names it, or see the profile that does.
    ///
    /// - Returns: The file.
    /// - Throws: `unknownImage`.
    public func image(_ id: ImageID) async throws(SharingError) -> [UInt8] {
        try await answer(to: LinkRequest(.get, StoredImage.path(id), limit: ImageFile.byteLimit)).body
    }
}

/// A picture that the server has.
public struct UploadedImage: Hashable, Sendable, Identifiable {
    /// Names the picture in a message or a profile.
    public let id: ImageID

    /// The width in pixels.
    public let width: Int

    /// The height in pixels.
    public let height: Int
}

private struct ImageAnswer: Decodable {
    let image: String
    let width: Int
    let height: Int
}
