package import YonderGeodesy
package import YonderModel
package import YonderRules

extension MemoryStore: ImageStore {
    /// See ``ImageStore/addImage(_:)``.
    package func addImage(_ image: StoredImage, under warrant: Warrant) async throws(SharingError) {
        try images(under: warrant) { images throws(SharingError) in try images.add(image) }
    }

    /// See ``ImageStore/image(_:)``.
    package func image(_ id: ImageID) async throws(SharingError) -> (
        image: StoredImage, messages: [Message.ID]
    )? {
        try images { $0[id] }
    }

    /// See ``ImageStore/removeLooseImages(before:)``.
    @discardableResult
    package func removeLooseImages(before time: Timestamp) async throws(SharingError) -> Int {
        try images { $0.removeLoose(before: time) }
    }
}
