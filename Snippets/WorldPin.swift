// The first world's app: a pin for each of the others, over Socket.IO.

import YonderGeodesy
import YonderModel
import YonderSocketIOClient

// snippet.app
actor WorldPin {
    private let socket: SocketIOClient
    private var pins: [String: String] = [:]
    private var place: String?

    init(_ url: String) throws { socket = try SocketIOClient(url: url) }

    func run(_ places: some AsyncSequence<Coordinate, Never> & Sendable) async throws {
        let (joins, updates, ends) = (socket.on("join"), socket.on("update"), socket.on("disappear"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.socket.run() }
            group.addTask {
                for await state in self.socket.states where state == .connected { await self.send() }
            }
            group.addTask { for await event in joins { print("\(event.string ?? "") is here") } }
            group.addTask { for await event in updates { await self.move(event.string ?? "") } }
            group.addTask { for await event in ends { await self.remove(event.string ?? "") } }
            group.addTask { for await place in places { await self.go(to: place) } }
            // The first to end is the connection, with its error, or the user's places.
            try await group.next()
            group.cancelAll()
        }
    }

    private func go(to place: Coordinate) async {
        self.place = "\(SixDecimals(place.latitude)),\(SixDecimals(place.longitude))"
        await send()
    }

    private func send() async {
        guard let place else { return }
        // Without a connection nothing is sent; the next one begins with this place.
        try? await socket.emit("location", place)
    }

    private func move(_ update: String) {
        guard let colon = update.firstIndex(of: ":") else { return }
        let (id, place) = (String(update[..<colon]), String(update[update.index(after: colon)...]))
        print(pins.updateValue(place, forKey: id) == nil ? "\(id) is at \(place)" : "\(id) moved to \(place)")
    }

    private func remove(_ id: String) { if pins.removeValue(forKey: id) != nil { print("\(id) is gone") } }
}
// snippet.end

// snippet.start
// In place of this stream stands that of the device: its own place, now and whenever it changes.
let (places, device) = AsyncStream.makeStream(of: Coordinate.self)
if let oslo = Coordinate(latitude: 59.9139, longitude: 10.7522) { device.yield(oslo) }
do {
    try await WorldPin("http://127.0.0.1:8080").run(places)
} catch let error as SharingError {
    print("\(error.code): \(error.message)")
}
// snippet.end
