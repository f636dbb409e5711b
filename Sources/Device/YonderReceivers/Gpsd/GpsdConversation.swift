import YonderGeodesy
import YonderLocation

/// The protocol of gpsd on one connection.
///
/// The daemon sends VERSION as a greeting and receives WATCH; from then on it sends reports. While there is
/// no report of a position, WATCH is sent again at every tick: the answer shows that the daemon is alive,
/// lists its devices (3.22 doesn't report when one has vanished), and activates those that came back.
///
/// `ReceiverSession` has one for a `GpsdSource`: it calls ``open(at:)`` for each connection, ``read(_:at:)`` for each piece
/// of data, and ``tick()`` after each silence, and performs the events. Nothing throws and no line traps: a line that can't
/// be read is skipped after the greeting, and before it means that the server isn't gpsd (`hangUp`). A daemon that answers no
/// probe is hung up on, too.
///
/// What gpsd sends of four receivers is in recordings under `Tests/Fixtures/gpsd` (`GpsdSessionTests`, `RealGpsdTests` with a
/// real daemon). The limits of lines and devices may be raised. Reports are read in `GpsdReport`, positions built in
/// `GpsdPosition`.
struct GpsdConversation: ReceiverConversation {
    /// The longest line that is read, in bytes; a longer line is skipped.
    ///
    /// gpsd's own limit is 10 240.
    static let longestLine = 16_384

    /// The most devices remembered; gpsd supports four.
    static let mostDevices = 64

    /// The device to use, or `nil` for all.
    let device: String?

    private var lines = LineReader(longest: Self.longestLine)
    private var assembler = GpsdPosition()
    private var devices: Set<String> = []
    private var hasGreeted = false
    private var isLost = false
    private var isWithoutFix = false
    private var isSilent = false
    private var hasHeard = false
    private var hasHeardFix = false
    private var isProbing = false

    init(device: String? = nil) {
        self.device = device
    }

    /// Requests reports in JSON, in units that need no conversion.
    var request: String {
        let filter = device.map { ",\"device\":\"\($0)\"" } ?? ""
        return "?WATCH={\"enable\":true,\"json\":true,\"scaled\":true\(filter)};\n"
    }

    var farewell: String? { hasGreeted ? "?WATCH={\"enable\":false};\n" : nil }

    mutating func open(at time: Timestamp) -> [ConversationEvent] {
        self = GpsdConversation(device: device)
        return []
    }

    mutating func read(_ bytes: Span<UInt8>, at time: Timestamp) -> [ConversationEvent] {
        hasHeard = true
        var events: [ConversationEvent] = []
        for line in lines.read(bytes) { read(line, at: time, into: &events) }
        if !hasGreeted, lines.isInOverlongLine { events.append(.hangUp(Self.notGpsd)) }
        return events
    }

    mutating func end(at time: Timestamp) -> [ConversationEvent] { [] }

    mutating func tick() -> [ConversationEvent] {
        defer { (hasHeard, hasHeardFix) = (false, false) }
        guard hasGreeted else {
            return [.hangUp(LocationError(.sourceLost, "No greeting from gpsd came in time."))]
        }
        guard hasHeard || !isProbing else {
            return [.hangUp(LocationError(.sourceLost, "gpsd doesn't answer any more."))]
        }
        isProbing = !hasHeardFix
        guard !hasHeardFix else { return [] }
        defer { isSilent = true }
        guard !isLost, !isSilent else { return [.send(request)] }
        return [.failure(LocationError(.positionUnavailable, "gpsd's receiver is silent.")), .send(request)]
    }
}

// Lines.
extension GpsdConversation {
    private static let notGpsd = LocationError(.sourceUnreadable, "The server at this address isn't gpsd.")

    private mutating func read(
        _ line: LineReader.Line,
        at time: Timestamp,
        into events: inout [ConversationEvent]
    ) {
        guard case .text(let text) = line, let report = GpsdReport(text) else {
            if !hasGreeted { events.append(.hangUp(Self.notGpsd)) }
            return
        }
        guard hasGreeted || report.isGreeting else { return events.append(.hangUp(Self.notGpsd)) }
        switch report {
        case .version(let number): greet(number, into: &events)
        case .devices(let list): take(list, into: &events)
        case .device(let device): take(device, into: &events)
        case .fix(let fix) where matters(fix.device): take(fix, at: time, into: &events)
        case .attitude(let attitude) where matters(attitude.device): assembler.take(attitude, at: time)
        case .error(let message): complain(message, into: &events)
        case .watch, .sky, .fix, .attitude, .other: break
        }
    }

    private mutating func greet(_ number: Int?, into events: inout [ConversationEvent]) {
        guard !hasGreeted else { return }
        guard number == 3 else {
            let number = number.map(String.init) ?? "none"
            events.append(
                .hangUp(
                    LocationError(.sourceUnreadable, "gpsd must speak protocol 3; this one speaks \(number).")
                )
            )
            return
        }
        hasGreeted = true
        events.append(.send(request))
    }

    private mutating func take(
        _ fix: GpsdReport.Fix,
        at time: Timestamp,
        into events: inout [ConversationEvent]
    ) {
        (hasHeardFix, isProbing, isSilent) = (true, false, false)
        if let path = fix.device, devices.count < Self.mostDevices { devices.insert(path) }
        find(into: &events)
        if let position = assembler.position(of: fix, at: time) {
            isWithoutFix = false
            events.append(position)
        } else if !fix.hasFix, !isWithoutFix {
            isWithoutFix = true
            events.append(.positions([]))
        }
    }

    private func matters(_ path: String?) -> Bool {
        device == nil || path == nil || path == device
    }
}

// Devices.
extension GpsdConversation {
    private mutating func take(_ list: [GpsdReport.Device], into events: inout [ConversationEvent]) {
        devices = Set(list.prefix(Self.mostDevices).filter { !$0.isGone }.compactMap(\.path).filter(matters))
        settle(into: &events)
    }

    private mutating func take(_ change: GpsdReport.Device, into events: inout [ConversationEvent]) {
        guard let path = change.path, matters(path) else { return }
        if change.isGone {
            devices.remove(path)
        } else if devices.count < Self.mostDevices {
            devices.insert(path)
        }
        settle(into: &events)
    }

    private mutating func settle(into events: inout [ConversationEvent]) {
        guard devices.isEmpty else { return find(into: &events) }
        let what = device.map { "no receiver at \($0)" } ?? "no receiver"
        lose(LocationError(.sourceLost, "gpsd has \(what)."), into: &events)
    }

    private mutating func complain(_ message: String, into events: inout [ConversationEvent]) {
        let complaint = GpsdComplaint(message: message)
        guard message.hasPrefix("No such device") || message.hasPrefix("Can't assign") else {
            let error = LocationError(
                .positionUnavailable,
                "gpsd complains: \(message)",
                underlying: complaint
            )
            return events.append(.failure(error))
        }
        devices = []
        lose(LocationError(.sourceLost, "gpsd says: \(message)", underlying: complaint), into: &events)
    }

    private mutating func find(into events: inout [ConversationEvent]) {
        isLost = false
        events.append(.found)
    }

    private mutating func lose(_ error: LocationError, into events: inout [ConversationEvent]) {
        guard !isLost else { return }
        (isLost, isWithoutFix, isSilent) = (true, false, false)
        events.append(.lost(error))
    }
}

extension GpsdReport {
    fileprivate var isGreeting: Bool {
        if case .version = self { true } else { false }
    }
}

/// An error reported by gpsd, in its own words.
public struct GpsdComplaint: Error, Hashable, Sendable {
    /// gpsd's message.
    public let message: String
}
