public import YonderGeodesy
public import YonderModel

extension MemoryStore: ImageStore {
    /// See ``ImageStore/addImage(_:)``.
    public func addImage(_ image: StoredImage) async throws(SharingError) {
        try images { images throws(SharingError) in try images.add(image) }
    }

    /// See ``ImageStore/image(_:)``.
    public func image(_ id: ImageID) async throws(SharingError) -> (
        image: StoredImage, messages: [Message.ID]
    )? {
        try images { $0[id] }
    }

    /// See ``ImageStore/removeLooseImages(before:)``.
    @discardableResult
    public func removeLooseImages(before time: Timestamp) async throws(SharingError) -> Int {
        try images { $0.removeLoose(before: time) }
    }
}
