package import YonderGeodesy
package import YonderModel

/// Keeps images, and knows which messages name them.
///
/// `ImageEndpoints` adds and reads images, `AccountsService` removes loose ones. Both databases have it from one extension
/// of `TableStore`. An image is *loose* while neither a message nor its owner's profile names it. The store notes the names
/// in the transaction that stores the message or the profile, and triggers of the database remove an image with its last
/// name: this must stay, or erased images would be served (decision 15).
///
/// Every implementation passes the conformance suite in `TestSupport/Stores`.
package protocol ImageStore: Sendable {
    /// Keeps an image. It is on disk when this returns.
    ///
    /// - Throws: `tooMany` over ``StoredImage/looseLimit`` loose ones of its owner's; `unavailable`.
    func addImage(_ image: StoredImage, under warrant: Warrant) async throws(SharingError)

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
