import ArgumentParser
import YonderClient
import YonderGeodesy
import YonderModel
import YonderWire
import YonderJSON

/// Watches positions: `yonder watch`.
///
/// Subscribes as a person with a token to a chat's positions or to the world, and prints each until Ctrl-C. A refusal of
/// the server is a ``CommandFailure``; a lost connection is made again by the client. The printed columns and the
/// members of `--json` are read by other programs and must stay (`test_command_line.py`).
///
/// Texts of help may be changed.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints a line per position in a chat or in the world.",
        discussion: """
            First the last position of each person, then each new one, until it is interrupted.

            Examples:
              YONDER_TOKEN=… yonder watch --server http://localhost:8080 --chat 77
              yonder watch --server http://localhost:8080 --world --json
            """
    )

    @OptionGroup var options: ClientOptions

    @Flag(help: "Prints each as a line of JSON.")
    var json = false

    func run() async throws {
        let client = try options.client()
        let printer = WatchPrinter(isJSON: json)
        let chat = options.chat
        try await connected(client) {
            if let chat {
                try await Self.watch(chat, client, printer)
            } else {
                try await Self.watchWorld(client, printer)
            }
        }
    }

    private static func watch(_ chat: ChatID, _ client: SharingClient, _ printer: WatchPrinter) async throws {
        var names: [UserID: String] = [:]
        for try await case .list(let chats) in await client.chats() {
            names = chats.first { $0.id == chat }?.users.mapValues(\.name) ?? [:]
            break
        }
        var last: Int64 = 0
        func show(_ message: Message) {
            guard let position = message.position, message.number ?? .max > last else { return }
            if let number = message.number { last = number }
            printer.show(position, of: message, name: names[message.sender])
        }
        for try await update in await client.locations(in: chat) {
            switch update {
            case .list(let messages): messages.forEach(show)
            case .change(.added(let message)), .change(.passed(let message)): show(message)
            case .change: break
            }
        }
    }

    private static func watchWorld(_ client: SharingClient, _ printer: WatchPrinter) async throws {
        for try await update in await client.world() {
            switch update {
            case .list(let world):
                for (id, coordinate) in world.coordinates.sorted(by: { $0.key < $1.key }) {
                    printer.show(coordinate, of: id)
                }
            case .change(.moved(let id, let coordinate?)): printer.show(coordinate, of: id)
            case .change(.left(let id)): printer.showLeft(id)
            case .change: break
            }
        }
    }
}

/// Writes positions to standard output, each line at once.
struct WatchPrinter: Sendable {
    let isJSON: Bool

    func show(_ position: Position, of message: Message, name: String?) {
        guard isJSON else {
            let who = name ?? "\(message.sender)"
            return write("\(position.timestamp)\t\(who)\t\(WorldPosition(position.coordinate).text)")
        }
        var writer = JSONWriter()
        writer.raw("{\"chat\":")
        writer.identifier(message.chat)
        if let number = message.number {
            writer.raw(",\"number\":")
            writer.integer(number)
        }
        writer.raw(",\"user\":")
        writer.identifier(message.sender)
        if let name {
            writer.raw(",\"name\":")
            writer.string(name)
        }
        write(position.coordinate, &writer)
        writer.raw(",\"time\":")
        writer.integer(position.timestamp.milliseconds)
        writer.raw("}")
        write(String(decoding: writer.bytes, as: UTF8.self))
    }

    func show(_ place: Coordinate, of id: String) {
        guard isJSON else { return write("\(id)\t\(WorldPosition(place).text)") }
        var writer = begin(id)
        write(place, &writer)
        writer.raw("}")
        write(String(decoding: writer.bytes, as: UTF8.self))
    }

    func showLeft(_ id: String) {
        guard isJSON else { return write("\(id)\tleft") }
        var writer = begin(id)
        writer.raw(",\"left\":true}")
        write(String(decoding: writer.bytes, as: UTF8.self))
    }

    private func begin(_ id: String) -> JSONWriter {
        var writer = JSONWriter()
        writer.raw("{\"pin\":")
        writer.string(id)
        return writer
    }

    private func write(_ coordinate: Coordinate, _ writer: inout JSONWriter) {
        writer.raw(",\"latitude\":")
        writer.raw(SixDecimals(coordinate.latitude).description.utf8)
        writer.raw(",\"longitude\":")
        writer.raw(SixDecimals(coordinate.longitude).description.utf8)
    }

    private func write(_ line: String) {
        StandardOutput.write(line)
    }
}
