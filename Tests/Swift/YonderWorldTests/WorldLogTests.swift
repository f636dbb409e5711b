import Logging
import Synchronization
import TestSupport
import Testing
import YonderModel
import YonderWire

@testable import YonderWorld

@Suite struct WorldLogTests {
    private final class Visitor: WorldListener {
        let worldForm = WorldForm.events
        let worldAllowance = WorldAllowance()
        let isWritable = true
        func deliver(_ delivery: WorldDelivery) {}
        func flush() {}
    }

    @Test(arguments: [(true, Logger.Level.info), (false, .debug)])
    func `each connect and disconnect has a line with the id that others see`(
        isLogged: Bool,
        level: Logger.Level
    ) throws {
        let log = Log()
        let room = room(isLogged: isLogged, log.logger(from: .trace))
        let one = try room.enter(Visitor(), isMember: false)
        let other = try room.enter(Visitor(), isMember: false)
        room.settle()
        try room.move(one, to: #require(WorldPosition(Array("59.9,10.7".utf8))))
        room.leave(one)
        room.leave(one)
        #expect(
            log.lines.withLock { $0 } == [
                "\(level) Connected to the world member=\(one.id) members=1",
                "\(level) Connected to the world member=\(other.id) members=2",
                "\(level) Disconnected from the world member=\(one.id) members=1",
            ]
        )
    }

    @Test func `a connection that ends before it was announced has no line, and no level but those has any`()
        throws
    {
        let log = Log()
        let early = room(isLogged: true, log.logger(from: .trace))
        early.leave(try early.enter(Visitor(), isMember: false))
        early.settle()
        let quiet = room(isLogged: false, log.logger(from: .info))
        let member = try quiet.enter(Visitor(), isMember: false)
        quiet.settle()
        quiet.leave(member)
        #expect(log.lines.withLock { $0 } == [])
    }

    private func room(isLogged: Bool, _ logger: Logger) -> WorldRoom {
        var settings = WorldSettings()
        settings.isLogged = isLogged
        return WorldRoom(settings: settings, topic: 1, logger: logger)
    }
}

/// Keeps what is logged.
private final class Log: Sendable {
    let lines = Mutex<[String]>([])

    func logger(from level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = level
        return logger
    }

    private struct Handler: LogHandler {
        let log: Log
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
            log.lines.withLock { $0.append("\(event.level) \(event.message) \(fields)") }
        }
    }
}
