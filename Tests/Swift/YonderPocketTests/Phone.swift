import Testing
import YonderGeodesy
import YonderLocation
import YonderModel

@testable import YonderPocket

/// The rules of one process, at minutes after a beginning.
struct Phone {
    private(set) var rules: PocketRules
    let user: User

    private let start = Timestamp(milliseconds: 1_700_000_000_000)
    private var kept: PocketRecord?

    init(_ authorization: LocationAuthorization = .whenInUse) throws {
        rules = PocketRules(authorization: authorization)
        user = User(id: try #require(UserID(7)), name: "Mia Hasler")
    }

    /// A phone without a record, and with the app in view.
    init(inView: Bool) throws {
        try self.init()
        _ = on(.launched)
        _ = on(.read(.nothing))
        if inView { _ = on(.cameToView) }
    }

    /// A phone that has shared for a moment, and is in the pocket.
    static func sharing() throws -> Phone {
        var phone = try Phone(inView: true)
        _ = phone.on(.shareStarted(phone.share(until: 600), phone.user))
        _ = phone.on(.leftView)
        return phone
    }

    /// What the rules do about an event.
    mutating func on(_ event: PocketEvent, at minute: Int = 0) -> [PocketAction] {
        let actions = rules.handle(event, at: self.minute(minute))
        for action in actions {
            if case .keep(let record) = action { kept = record }
        }
        return actions
    }

    func minute(_ minute: Int) -> Timestamp { start + .seconds(60 * minute) }

    /// The record that was kept last.
    func record() -> PocketRecord { kept ?? PocketRecord(lastInView: start) }

    /// A share in a chat of its own.
    func share(_ number: Int = 1, until minute: Int? = 600) -> PocketShare {
        share(number, chat: number, end: minute.map(self.minute))
    }

    func share(_ number: Int, chat: Int, end: Timestamp?) -> PocketShare {
        PocketShare(
            id: ShareID(Int64(number)) ?? .random(),
            chat: ChatID(Int64(100 + chat)) ?? .random(),
            started: start,
            until: end
        )
    }
}

// MARK: - Tables

extension Phone {
    /// A way in which a share ends.
    struct Ending: Sendable {
        let name: String
        let event: PocketEvent
        var minute = 1

        /// What is done besides.
        var more: [PocketAction] = []
    }

    static var endings: [Ending] {
        [
            Ending(name: "stopped by the button", event: .shareEnded(ChatID(101))),
            Ending(name: "stopped everywhere", event: .shareEnded(nil)),
            Ending(name: "its time is over", event: .timePassed, minute: 600),
            Ending(name: "a fix after its time", event: .fixArrived, minute: 601),
            Ending(name: "signed out", event: .signedOut),
        ]
    }

    /// A record that a relaunch doesn't take up.
    struct Untaken: Sendable {
        let name: String
        var minute = 10
        var change: @Sendable (inout PocketRecord) -> Void = { _ in }
    }

    static var untaken: [Untaken] {
        [
            Untaken(name: "stopped") { $0.wanted = [] },
            Untaken(name: "stopped in the notification") {
                $0.stopping = Set($0.wanted.map(\.chat))
                $0.wanted = []
            },
            Untaken(name: "over", minute: 600),
            Untaken(name: "a day without the app in view", minute: 1_440) { record in
                record.wanted = record.wanted.map {
                    PocketShare(id: $0.id, chat: $0.chat, started: $0.started, until: nil)
                }
            },
        ]
    }
}
