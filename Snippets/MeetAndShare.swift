// From sign-in to sign-out: a person signs in by a link, invites two others, shares a walk with them, blocks one, and signs out.

import Foundation
import YonderClient
import YonderGeodesy
import YonderModel
import YonderRequests

// snippet.meet
/// Signs in by a link, and makes two contacts: each accepts an invitation, here in the same program.
func meet(_ server: String, _ link: String) async throws -> (ada: RESTClient, others: [RESTClient]) {
    let ada = try RESTClient(server: server, store: MemorySessionStore())
    print("Signed in as \(try await ada.signIn(link: link).name).")
    var others: [RESTClient] = []
    for name in ["Bea", "Cleo"] {
        let invitation = try await ada.invite()
        let other = try RESTClient(server: server, store: MemorySessionStore())
        print(
            "\(try await other.inviter(of: invitation.link)) invites: \(invitation.link.prefix { $0 != "#" })"
        )
        let (user, _) = try await other.accept(invitation.link, asNewPerson: name)
        print("\(user.name) accepts.")
        others.append(other)
    }
    return (ada, others)
}
// snippet.end

func now() -> Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

func text(_ time: Timestamp) -> String {
    "\(Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000))"
}

// snippet.share
/// Shares three positions in a chat, 100 meters apart.
func walk(_ yonder: SharingClient, in chat: ChatID, from start: Coordinate) async throws {
    let share = try await yonder.startShare(in: chat, ShareWish(until: now() + .seconds(3_600))).share
    if let end = share.until { print("Sharing until \(text(end)).") }
    for step in 0..<3 {
        let place = start.destination(bearing: .degrees(90), distance: .meters(Double(step) * 100))
        let data = MessageData(position: Position(coordinate: place, timestamp: now()))
        try await yonder.send(MessageDraft(tag: .location, data: data), to: chat)
    }
}
// snippet.end

// snippet.watch
/// Prints the pins and the line of a chat as they change, until the line has three points.
func watch(_ yonder: SharingClient, _ id: ChatID) async throws {
    let answer = try await yonder.chats().first { _ in true }
    guard case .list(let chats) = answer, let chat = chats.first(where: { $0.id == id }) else { return }
    var map = MapModel()
    var positions: [Message] = []
    for try await update in await yonder.messages(in: chat.id, where: .tagged(.location)) {
        switch update {
        case .list(let list): positions = list
        case .change(.added(let message)): positions.append(message)
        case .change: continue
        }
        let changes = map.show(MapAnnotations(chat, positions, extent: .all))
        for pin in changes.pins.added + changes.pins.changed {
            map.select(pin.id)
            guard let callout = map.selected, let time = callout.time else { continue }
            print("Pin: \(callout.name ?? "?") at \(callout.coordinate), \(text(time)).")
        }
        guard let line = map.annotations.lines.values.first, line.points.count == 3 else { continue }
        print("Line: \(line.points.count) points, \(Polyline(line.points).length.meters.rounded()) m long.")
        return
    }
}
// snippet.end

// snippet.run
func run(_ server: String, _ link: String) async throws {
    let (ada, others) = try await meet(server, link)
    let bea = try await others[0].me().user
    guard let start = Coordinate(latitude: 47.1410, longitude: 9.5210) else { return }
    let (walker, viewer) = (SharingClient(ada), SharingClient(others[0]))
    try await withThrowingTaskGroup(of: Void.self) { group in
        for client in [walker, viewer] { group.addTask { try await client.run() } }
        let people = try await ada.contacts().map(\.id)
        let chat = try await walker.startChat(with: people, subject: "A walk").chat
        print("A chat of \(chat.chat.participants.count): “\(chat.chat.subject)”.")
        async let seen: Void = watch(viewer, chat.id)
        try await walk(walker, in: chat.id, from: start)
        try await seen
        try await walker.stopShares()
        print("Nobody sees \(try await ada.me().user.name) any more.")
        group.cancelAll()
    }
    try await ada.block(bea.id)
    print("Blocked: \(try await ada.blocks().map(\.name).joined(separator: ", ")).")
    try await ada.signOut()
    print(try await ada.isSignedIn ? "Still signed in." : "Signed out.")
}

do {
    let environment = ProcessInfo.processInfo.environment
    try await run(environment["YONDER_SERVER"] ?? "http://127.0.0.1:8080", environment["YONDER_LINK"] ?? "")
} catch let error as SharingError {
    print("\(error.code): \(error.message)")
    exit(1)
}
// snippet.end
