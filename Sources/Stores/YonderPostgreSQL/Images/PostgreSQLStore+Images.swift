#if Postgres
import YonderLibPQ
package import YonderGeodesy
package import YonderModel
import YonderRules

extension PostgreSQLStore: ImageStore {
    /// See ``ImageStore/addImage(_:)``.
    package func addImage(_ image: StoredImage) async throws(SharingError) {
        try await transaction(isRepeatable: true) { try await ImageTable.insert(image, $0) }
    }

    /// See ``ImageStore/image(_:)``.
    package func image(_ id: ImageID) async throws(SharingError) -> (
        image: StoredImage, messages: [Message.ID]
    )? {
        guard let row = try await read(ImageTable.byID, [.int(id.rawValue)]).first,
            let image = ImageTable.image(row, id)
        else { return nil }
        // Names that went meanwhile only take rights away: nobody but the owner may read an image without names.
        let uses = try await read(ImageTable.uses, [.int(id.rawValue)])
        return (image, uses.compactMap(ImageTable.message))
    }

    /// See ``ImageStore/removeLooseImages(before:)``.
    @discardableResult
    package func removeLooseImages(before time: Timestamp) async throws(SharingError) -> Int {
        var removed = 0
        while true {
            let count = try await transaction(isRepeatable: true) {
                try await ImageTable.removeLoose(before: time, $0)
            }
            guard count > 0 else { return removed }
            removed += count
        }
    }
}
#endif
