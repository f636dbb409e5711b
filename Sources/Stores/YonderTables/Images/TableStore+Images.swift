package import YonderGeodesy
package import YonderModel

// The functions of the port `ImageStore` for both databases; the statements are in `ImageTable`.
extension TableStore {
    /// See ``ImageStore/addImage(_:)``.
    package func addImage(_ image: StoredImage) async throws(SharingError) {
        try await transact(.repeatable) { try ImageTable.insert(image, $0) }
    }

    /// See ``ImageStore/image(_:)``.
    package func image(_ id: ImageID) async throws(SharingError) -> (
        image: StoredImage, messages: [Message.ID]
    )? {
        guard let image = try await first(ImageTable.image(id)) else { return nil }
        // Names that went meanwhile only take rights away: nobody but the owner may read an image without names.
        return (image, try await rows(ImageTable.uses(of: id)))
    }

    /// See ``ImageStore/removeLooseImages(before:)``.
    @discardableResult
    package func removeLooseImages(before time: Timestamp) async throws(SharingError) -> Int {
        var removed = 0
        while try await first(ImageTable.hasLoose(before: time)) != nil {
            let count = try await transact(.erasing) { try ImageTable.removeLoose(before: time, $0) }
            guard count > 0 else { break }
            removed += count
        }
        return removed
    }
}
