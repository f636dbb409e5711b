import YonderJSON

// Packets that carry values: written from their parts, and read into them. `SocketConversation` of the client and
// `SocketIOSession` of the server write events and acknowledgements with it. Arguments are JSON already and aren't checked.
// Only ``values()`` throws: an acknowledgement whose JSON isn't an array ends the connection. ``refusal`` gives some text for
// any answer. The forms are Socket.IO's (`SocketPacketTests`).
extension SocketPacket {
    /// Creates the packet of an event.
    ///
    /// - Parameters:
    ///   - name: The event's name, which must not be reserved: see ``isReserved(_:)``.
    ///   - arguments: The arguments, each as JSON.
    ///   - id: The identifier that the acknowledgement repeats; `nil` to ask for none.
    ///   - namespace: The namespace.
    package init(event name: String, _ arguments: [[UInt8]], id: UInt64? = nil, namespace: String) {
        var json = JSONWriter()
        json.string(name)
        let array = Self.array([json.bytes] + arguments)
        self.init(.event, namespace: namespace, id: id, json: array)
    }

    /// Creates the packet that acknowledges an event.
    package init(acknowledging id: UInt64, with arguments: [[UInt8]], namespace: String) {
        self.init(.acknowledgement, namespace: namespace, id: id, json: Self.array(arguments))
    }

    private static func array(_ values: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + Array(values.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
    }

    /// The values in an acknowledgement, each as JSON, byte for byte as received.
    package func values() throws(Fault) -> [ArraySlice<UInt8>] {
        var ranges: [Range<Int>] = []
        do throws(JSONFault) {
            try json.scan { scanner throws(JSONFault) in
                try scanner.array { element throws(JSONFault) in ranges.append(try element.skipValue()) }
            }
        } catch {
            throw Fault(reason: "An acknowledgement must be an array.")
        }
        return ranges.map { json[$0] }
    }

    /// The message with which a server refuses a namespace.
    ///
    /// Revision 5 sends an object with a `message`, revision 4 a string or any object.
    package var refusal: String {
        var message: [UInt8]?
        try? json.scan { scanner throws(JSONFault) in
            if scanner.next == UInt8(ascii: "\"") {
                message = try scanner.string().utf8(in: scanner.bytes)
                return
            }
            try scanner.object { scanner, key throws(JSONFault) in
                if key.equals("message", in: scanner.bytes), scanner.next == UInt8(ascii: "\"") {
                    message = try scanner.string().utf8(in: scanner.bytes)
                } else {
                    _ = try scanner.skipValue()
                }
            }
        }
        return (message ?? json).excerpt
    }
}
