// Your first app: signs in, shares a walk in a chat, and prints where each person's pin goes.

import Foundation
import YonderClient
import YonderGeodesy
import YonderModel

// snippet.walk
/// A walk in circles, 100 meters from a point: a position a second, ten degrees further each.
func walk(around center: Coordinate) -> AsyncStream<Position> {
    let start = Date()
    return AsyncStream {
        do { try await Task.sleep(for: .seconds(1)) } catch { return nil }
        let now = Date()
        return Position(
            coordinate: center.destination(
                bearing: .degrees(now.timeIntervalSince(start) * 10),
                distance: .meters(100)
            ),
            timestamp: Timestamp(milliseconds: Int64(now.timeIntervalSince1970 * 1000))
        )
    }
}
// snippet.end

// snippet.app
/// Shares a walk in the user's first chat and prints the pins of everyone in it.
func share(with yonder: SharingClient, around center: Coordinate) async throws {
    let answer = try await yonder.chats().first { _ in true }
    guard case .list(let chats) = answer, let chat = chats.first else {
        throw SharingError(.unknownChat, "This user has no chat yet.")
    }
    print("Sharing in “\(chat.chat.subject)”.")

    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await yonder.share(walk(around: center), with: .chat(chat.id)) }

        var map = MapModel()
        var newest: [Message] = []
        for try await update in await yonder.locations(in: chat.id) {
            switch update {
            case .list(let messages): newest = messages
            case .change(.added(let message)):
                newest.removeAll { $0.sender == message.sender }
                newest.append(message)
            case .change: continue
            }
            let pins = map.show(MapAnnotations(chat, newest, extent: .last)).pins
            for pin in pins.added { print("\(pin.name ?? pin.id) is at \(pin.coordinate)") }
            for pin in pins.changed { print("\(pin.name ?? pin.id) moved to \(pin.coordinate)") }
        }
    }
}
// snippet.end

// snippet.start
func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let yonder = try SharingClient(
        server: environment["YONDER_SERVER"] ?? "http://127.0.0.1:8080",
        token: environment["YONDER_TOKEN"]
    )
    guard let center = Coordinate(latitude: 47.1410, longitude: 9.5210) else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await yonder.run() }
        group.addTask { try await share(with: yonder, around: center) }
        try await group.next()
        group.cancelAll()
    }
}

do {
    try await run()
} catch let error as SharingError {
    print("\(error.code): \(error.message)")
}
// snippet.end
