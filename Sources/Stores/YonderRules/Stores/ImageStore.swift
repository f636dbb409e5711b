package import YonderGeodesy
package import YonderModel

/// Keeps images, and knows which messages name them.
///
/// Every implementation passes the conformance suite in `TestSupport/Stores`.
package protocol ImageStore: Sendable {
    /// Keeps an image. It is on disk when this returns.
    ///
    /// - Throws: `tooMany` over ``StoredImage/looseLimit`` loose ones of its owner's; `unavailable`.
    func addImage(_ image: StoredImage) async throws(SharingError)

    /// An image and the messages that name it, in no order; `nil` if there is none of this id, or none any more.
    ///
    /// - Throws: `unavailable`.
    func image(_ id: ImageID) async throws(SharingError) -> (image: StoredImage, messages: [Message.ID])?

    /// Removes the loose images that came before `time`, and answers how many.
    ///
    /// - Throws: `unavailable`.
    @discardableResult
    func removeLooseImages(before time: Timestamp) async throws(SharingError) -> Int
}
