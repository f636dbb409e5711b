import YonderJSON
import YonderModel

/// A Socket.IO packet (revisions 4 and 5 of the protocol).
///
///     <kind>[<attachments>-][<namespace>,][<id>][<JSON>]
///
/// `SocketIOSession` of the server and `SocketConversation` of the client make and read packets; reading is in
/// `SocketPacket+Reading.swift`, arguments in `SocketPacket+Events.swift`. Writing can't fail. Kinds and the packet's text
/// are Socket.IO's protocol, revisions 4 and 5, and must stay (`SocketPacketTests`, `test_socket_io.py`). The JSON is passed
/// on byte for byte, so that numbers stay as a client wrote them.
///
/// The words of the refusal's message may change.
package struct SocketPacket: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable {
        case connect = 0
        case disconnect = 1
        case event = 2
        case acknowledgement = 3
        case connectError = 4
        case binaryEvent = 5
        case binaryAcknowledgement = 6

        /// Whether binary attachments follow, for which the JSON has placeholders.
        package var hasAttachments: Bool { self == .binaryEvent || self == .binaryAcknowledgement }
    }

    /// The namespace of a packet that names none.
    package static let mainNamespace = "/"

    package var kind: Kind
    package var namespace: String

    /// The text after the namespace's name and a question mark (revision 4).
    package var query: String?

    /// The identifier that connects an event with its acknowledgement.
    package var id: UInt64?

    /// The JSON, byte for byte as received; empty if there is none.
    package var json: [UInt8]

    /// The attachments, in the order of the placeholders' numbers in the JSON.
    package var attachments: [[UInt8]]

    package init(
        _ kind: Kind,
        namespace: String = mainNamespace,
        id: UInt64? = nil,
        json: [UInt8] = [],
        attachments: [[UInt8]] = []
    ) {
        self.kind = kind
        self.namespace = namespace
        self.id = id
        self.json = json
        self.attachments = attachments
    }

    /// Creates the packet that refuses a client a namespace, with a message for its log.
    package init(refusing namespace: String, message: String) {
        var json = JSONWriter()
        json.raw(#"{"message":"#)
        json.string(message)
        json.raw("}")
        self.init(.connectError, namespace: namespace, json: json.bytes)
    }

    /// The packet's text; the attachments follow it as messages of their own.
    package var text: [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "0") + kind.rawValue]
        if kind.hasAttachments { text += Array("\(attachments.count)-".utf8) }
        if namespace != Self.mainNamespace {
            text += Array(namespace.utf8)
            if id != nil || !json.isEmpty { text.append(UInt8(ascii: ",")) }
        }
        if let id { text += Array(String(id).utf8) }
        return text + json
    }
}

/// An event's name and arguments, cut from the JSON that carried them.
package struct SocketEvent: Hashable, Sendable {
    /// The name as the client has sent it, in UTF-8.
    package let name: [UInt8]

    /// The arguments as JSON, byte for byte as received.
    package let arguments: [ArraySlice<UInt8>]

    /// All arguments as received, with the commas between them.
    package let joinedArguments: ArraySlice<UInt8>
}
