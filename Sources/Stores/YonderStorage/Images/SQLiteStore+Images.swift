package import YonderGeodesy
package import YonderModel
import YonderRules
import YonderSQLite

extension SQLiteStore: ImageStore {
    /// See ``ImageStore/addImage(_:)``.
    package func addImage(_ image: StoredImage) async throws(SharingError) {
        try await write { database, _ in try ImageRow.insert(image, into: database) }
    }

    /// See ``ImageStore/image(_:)``.
    package func image(_ id: ImageID) async throws(SharingError) -> (
        image: StoredImage, messages: [Message.ID]
    )? {
        try await file.read { try ImageRow.find(id, in: $0) }
    }

    /// See ``ImageStore/removeLooseImages(before:)``.
    @discardableResult
    package func removeLooseImages(before time: Timestamp) async throws(SharingError) -> Int {
        let count = try await write(isErasing: true) { database, _ in
            try ImageRow.removeLoose(before: time, in: database)
        }
        if count > 0 { noteErasure() }
        return count
    }
}
