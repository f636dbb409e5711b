import HTTPTypes
import Hummingbird
import NIOCore
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderJSON
import YonderREST

/// Images of messages and profiles.
///
/// `ServerAssembly` registers them; each function answers one request, on any thread. An upload is checked and stripped
/// of its data by ``ImageFile``, uses the writer's allowance with its bytes, and is refused beyond the limit of images
/// that nothing names.
///
/// That an image may be read only by those who may read a message or profile that names it, at that moment, must stay,
/// as must the headers that forbid keeping it (`ImageTests`). Path and types are REST's (`Documentation/rest.md`,
/// `openapi.yaml`).
struct ImageEndpoints: Sendable {
    let images: any ImageStore
    let accounts: any AccountStore
    let chats: any ChatStore
    let exchange: Exchange
    let now: @Sendable () -> Timestamp

    /// Those of ``ImageFile/Format``.
    private static let types: FieldNames = ["image/jpeg", "image/png", "image/webp"]

    func register(in routes: RESTRoutes) {
        routes.on(.post, "/v1/images", types: Self.types) { call throws(SharingError) in try await add(call) }
        routes.on(.get, "/v1/images/{image}") { call throws(SharingError) in try await image(call) }
    }

    private func add(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let owner = try call.caller.user
        try call.checkContentType(Self.types)
        let bytes = try await bytes(call)
        if let error = exchange.writes.allowance(of: owner).useMessage(bytes: bytes.count) { throw error }
        let file = try ImageFile(withoutMetadata: bytes)
        let image = StoredImage(id: .random(), owner: owner, created: now(), file: file)
        try await images.addImage(image, under: try call.warrant)
        return .json(.created) { writer in
            writer.raw("{\"image\":")
            writer.identifier(image.id)
            writer.raw(",\"width\":")
            writer.integer(Int64(file.width))
            writer.raw(",\"height\":")
            writer.integer(Int64(file.height))
            writer.raw("}")
        }
    }

    private func bytes(_ call: RESTCall) async throws(SharingError) -> [UInt8] {
        do {
            let buffer = try await call.request.body.collect(upTo: ImageFile.byteLimit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw SharingError(.tooLarge, "An image must have at most \(ImageFile.byteLimit) bytes.")
        } catch {
            throw SharingError(
                .invalidFrame,
                "The body must be as long as its Content-Length; it ended earlier."
            )
        }
    }

    /// An image, if the caller may read what names it at this moment.
    private func image(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let reader = try call.caller.user
        let id: ImageID = try call.id("image", else: .notFound)
        let image = try await exchange.read(for: reader) { () async throws(SharingError) in
            guard let (image, messages) = try await images.image(id),
                try await canRead(image, named: messages, reader)
            else { throw .noImage }
            return image
        }
        var answer = RESTAnswer(
            status: .ok,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: image.file.bytes))
        )
        answer.headers[.contentType] = image.file.format.rawValue
        // What may be read now may be taken back: nothing keeps it.
        answer.headers[.cacheControl] = "no-store"
        answer.headers[.contentSecurityPolicy] = "sandbox"
        return answer
    }

    private func canRead(_ image: StoredImage, named messages: [Message.ID], _ reader: UserID)
        async throws(SharingError)
        -> Bool
    {
        if image.owner == reader { return true }
        for id in messages {
            if try await canRead(id, naming: image.id, reader) { return true }
        }
        return try await canSeeProfile(of: image, reader)
    }

    private func canRead(_ message: Message.ID, naming image: ImageID, _ reader: UserID)
        async throws(SharingError) -> Bool
    {
        do throws(SharingError) {
            return try await chats.message(message, reader: reader, now: now()).data?.image == image
        } catch {
            guard [.unknownChat, .notParticipant, .unknownMessage].contains(error.code) else { throw error }
            return false
        }
    }

    /// Whether it is the profile picture of a contact of the reader, or of a participant of one of their chats.
    private func canSeeProfile(of image: StoredImage, _ reader: UserID) async throws(SharingError) -> Bool {
        guard let owner = try await accounts.users([image.owner]).first else { return false }
        let shown = try await accounts.partings(of: [image.owner], with: [reader]).applied(
            to: owner,
            for: reader
        )
        guard shown.avatar == StoredImage.path(image.id) else { return false }
        if try await accounts.contacts(of: reader).contains(where: { $0.id == image.owner }) { return true }
        return try await chats.meets(reader, image.owner, .ever)
    }
}

extension SharingError {
    /// An image that isn't there, or that the caller may not see.
    fileprivate static var noImage: SharingError { SharingError(.notFound, "No such image.") }
}
