import Logging
import YonderModel
import YonderJSON
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes each entry as a line of JSON to standard error, with `--log-format json`.
///
/// `Serve` installs it before any other part logs. It never fails: an entry that can't be written is lost. Programs that
/// collect logs read the names `time` (ISO 8601, UTC, with milliseconds), `level`, `logger` and `message`, so they must
/// stay; an entry's metadata are further members, all of them texts, in the order of their names.
///
/// The flag is promised in `Documentation/configuration.md`; `Documentation/operations.md` quotes messages and members.
struct JSONLogHandler: LogHandler {
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info
    private let label: String

    init(label: String) {
        self.label = label
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var writer = JSONWriter()
        writer.raw("{\"time\":")
        writer.string(
            Date.now.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
        )
        writer.raw(",\"level\":")
        writer.string(event.level.rawValue)
        writer.raw(",\"logger\":")
        writer.string(label)
        writer.raw(",\"message\":")
        writer.string("\(event.message)")
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            writer.raw(",")
            writer.string(key)
            writer.raw(":")
            writer.string("\(value)")
        }
        writer.raw("}\n")
        StandardError.write(writer.bytes)
    }
}
