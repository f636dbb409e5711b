/// A part of a write allowance that was used.
///
/// `WriteAllowance` reports one to the other nodes at each hundredth of a limit, and charges those that it receives
/// (`WriteUse+Coding.swift`, `WriteLimitTests`).
package struct WriteUse: Hashable, Sendable {
    /// Messages.
    package var messages: Int

    /// Bytes of messages' text and data.
    package var bytes: Int

    /// Objects and entities that were made, changed or deleted one by one.
    package var objects: Int

    /// Creates a use.
    package init(messages: Int = 0, bytes: Int = 0, objects: Int = 0) {
        self.messages = messages
        self.bytes = bytes
        self.objects = objects
    }
}
