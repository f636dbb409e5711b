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
        let events = socket.on("connect", "join", "update", "disappear")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await event in events { await self.show(event) } }
            group.addTask { for await place in places { await self.go(to: place) } }
            try await self.socket.run()
            group.cancelAll()
        }
    }

    private func go(to place: Coordinate) async {
        self.place = "\(SixDecimals(place.latitude)),\(SixDecimals(place.longitude))"
        await send()
    }

    private func send() async {
        // Without a connection nothing is sent; the next one begins with this place.
        if let place { try? await socket.emit("location", place) }
    }

    private func show(_ event: SocketIOEvent) async {
        let parts = (event.string ?? "").split(separator: ":", maxSplits: 1).map(String.init)
        switch (event.name, parts.first) {
        case ("connect", _):
            // The server sends each connection all others' places again.
            pins = [:]
            await send()
        case ("join", let id?): print("\(id) is here")
        case ("update", let id?) where parts.count == 2:
            let isNew = pins.updateValue(parts[1], forKey: id) == nil
            print(isNew ? "\(id) is at \(parts[1])" : "\(id) moved to \(parts[1])")
        case ("disappear", let id?): if pins.removeValue(forKey: id) != nil { print("\(id) is gone") }
        default: break
        }
    }
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
