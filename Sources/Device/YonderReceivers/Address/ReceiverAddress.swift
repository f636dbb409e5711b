/// The address of a receiver, in text form.
///
/// | text | receiver |
/// |---|---|
/// | `gpsd` | gpsd on this machine, any of its receivers |
/// | `gpsd:HOST`, `gpsd:HOST:PORT` | gpsd on another |
/// | `gpsd:HOST:PORT#DEVICE` | one receiver of it, such as `/dev/ttyUSB0`; host and port may be left out |
/// | `nmea:PATH`, `nmea:PATH#BAUD` | a serial line (at 4800 baud by default), a FIFO, or a recorded file |
/// | `nmea:-` | standard input |
/// | `nmea:tcp://HOST:PORT` | a server of sentences; port 10110 by default |
/// | `nmea:udp://HOST:PORT` | datagrams to this machine |
///
/// An IPv6 address must be in brackets.
///
/// The option `--receiver` of the commands (`SourceOptions`) and apps read it; `ReceiverAddress+Source.swift` makes the
/// source. A text of another form throws ``ReceiverAddressFailure``, whose sentences people read and may change. Forms, ports
/// and the default speed must stay, as people's scripts have them (`ReceiverAddressTests`, `Documentation/receivers.md`); a
/// further form may be added.
public enum ReceiverAddress: Hashable, Sendable {
    /// A gpsd.
    case gpsd(GpsdAddress)

    /// A path whose file type decides: a regular file is replayed, any other is a device.
    case path(String, BaudRate)

    /// A receiver that sends NMEA sentences.
    case nmea(NMEASource.Input)

    /// The default port of NMEA over IP.
    public static let usualNMEAPort = 10_110

    /// Reads an address.
    public init(_ text: String) throws(ReceiverAddressFailure) {
        if text == "gpsd" {
            self = .gpsd(GpsdAddress())
        } else if let rest = text.removing(prefix: "gpsd:") {
            self = .gpsd(try Self.gpsd(rest))
        } else if let rest = text.removing(prefix: "nmea:tcp://") {
            let (host, port) = try Self.endpoint(rest, usualPort: Self.usualNMEAPort)
            self = .nmea(.tcp(host: host, port: port))
        } else if let rest = text.removing(prefix: "nmea:udp://") {
            let (host, port) = try Self.endpoint(rest, usualPort: Self.usualNMEAPort)
            self = .nmea(.udp(host: host, port: port))
        } else if let rest = text.removing(prefix: "nmea:") {
            self = try Self.nmea(rest)
        } else {
            throw .unknownKind
        }
    }

    private static func gpsd(_ text: Substring) throws(ReceiverAddressFailure) -> GpsdAddress {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let device = parts.count > 1 ? String(parts[1]) : nil
        let (host, port) =
            parts[0].isEmpty && device != nil
            ? (GpsdAddress().host, GpsdAddress.usualPort)
            : try endpoint(parts[0], usualPort: GpsdAddress.usualPort)
        guard let address = GpsdAddress(host: host, port: port, device: device) else { throw .invalidDevice }
        return address
    }

    private static func nmea(_ text: Substring) throws(ReceiverAddressFailure) -> ReceiverAddress {
        guard !text.isEmpty, !text.hasPrefix("#") else { throw .missingPath }
        if text == "-" { return .nmea(.standardInput) }
        guard let mark = text.lastIndex(of: "#"), let number = Int(text[mark...].dropFirst()) else {
            return .path(String(text), .nmea)
        }
        guard let baudRate = BaudRate(bitsPerSecond: number) else { throw .unknownBaudRate }
        return .path(String(text[..<mark]), baudRate)
    }

    private static func endpoint(
        _ text: Substring,
        usualPort: Int
    ) throws(ReceiverAddressFailure) -> (host: String, port: Int) {
        let (host, rest) = try split(text)
        guard !host.isEmpty else { throw .missingHost }
        if rest.isEmpty { return (String(host), usualPort) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { throw .invalidPort }
        return (String(host), Int(port))
    }

    /// Splits a text into the host, without brackets, and the rest.
    private static func split(_ text: Substring) throws(ReceiverAddressFailure) -> (Substring, Substring) {
        guard text.hasPrefix("[") else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            return (text[..<end], text[end...])
        }
        guard let end = text.firstIndex(of: "]") else { throw .missingHost }
        return (text[..<end].dropFirst(), text[end...].dropFirst())
    }
}

/// The reason why a text isn't the address of a receiver.
public enum ReceiverAddressFailure: Error, Hashable, Sendable {
    /// The text begins neither with `gpsd` nor with `nmea:`.
    case unknownKind

    /// The host is missing.
    case missingHost

    /// The text after the host isn't a colon and a port.
    case invalidPort

    /// The text after `#` isn't a valid path of a receiver.
    case invalidDevice

    /// The path is missing.
    case missingPath

    /// Serial ports don't have this speed.
    case unknownBaudRate
}

extension ReceiverAddressFailure: CustomStringConvertible {
    /// A description of the failure, for a person.
    public var description: String {
        switch self {
        case .unknownKind:
            "A receiver must be gpsd[:HOST[:PORT]][#DEVICE], nmea:PATH[#BAUD], nmea:tcp://HOST:PORT or nmea:udp://ADDRESS:PORT."
        case .missingHost: "The receiver's host is missing."
        case .invalidPort: "The port must be a number from 1 to 65535."
        case .invalidDevice: "After # must come a receiver's path, such as /dev/ttyUSB0."
        case .missingPath: "The path after nmea: is missing."
        case .unknownBaudRate: "The serial speed isn't supported; usual are 4800, 9600, 38400 and 115200."
        }
    }
}

extension String {
    fileprivate func removing(prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
