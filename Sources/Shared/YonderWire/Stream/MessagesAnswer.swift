import YonderJSON
package import YonderModel

/// The answer to a request for messages over REST, with each message's data byte for byte.
///
/// `RESTClient+History` reads the server's answer about past messages with it, page after page by ``next`` or ``previous``.
/// An answer that can't be read throws, and the client's call fails with that code. Names are those of `MessagePages` on the
/// server, and must stay; unknown ones are ignored (`Documentation/rest.md`).
package struct MessagesAnswer: Hashable, Sendable {
    package var messages: [Message] = []
    package var first: Int64 = 0
    package var through: Int64 = 0
    package var last: Int64 = 0
    package var next: Int64?
    package var previous: Int64?

    /// Reads `{"messages":[…],"first":1,"through":60,"last":60}`, whose unknown fields it ignores.
    ///
    /// - Throws: `invalidJSON`, `missingField` or `invalidField`.
    package init(_ bytes: [UInt8]) throws(SharingError) {
        self = try bytes.withUnsafeBufferPointer { text throws(SharingError) in
            try Self(scanning: UnsafeRawBufferPointer(text))
        }
    }

    private init(scanning text: UnsafeRawBufferPointer) throws(SharingError) {
        let fields = try FrameFields(answer: text)
        messages = try fields.objects(.messages) { message throws(SharingError) in try Message(message) }
        first = try fields.required(fields.integer(.first), .first)
        through = try fields.required(fields.integer(.through), .through)
        last = try fields.required(fields.integer(.last), .last)
        next = try fields.integer(.next)
        previous = try fields.integer(.previous)
    }

    /// Reads `{"message":{…}}`.
    ///
    /// - Throws: `invalidJSON`, `missingField` or `invalidField`.
    package static func message(_ bytes: [UInt8]) throws(SharingError) -> Message {
        try bytes.withUnsafeBufferPointer { text throws(SharingError) in
            let fields = try FrameFields(answer: UnsafeRawBufferPointer(text))
            return try Message(try fields.required(fields.fields(.message), .message))
        }
    }
}

extension FrameFields {
    fileprivate init(answer text: UnsafeRawBufferPointer) throws(SharingError) {
        self.init(text)
        do throws(JSONFault) {
            try scan()
        } catch {
            throw SharingError(.invalidJSON, "Not JSON: \(error.reason.rawValue) at byte \(error.offset).")
        }
    }
}
