#if Postgres
import Synchronization
import TestSupport
import YonderGeodesy
import YonderModel
import YonderRules

/// The answers of a store's ports about all of its content.
struct StoreAnswers: Equatable {
    var accounts: [Account] = []
    var contacts: [[User]] = []
    var blocked: [[User]] = []
    var credentials: [[Credential]] = []
    var closed: [ChatID: Set<UserID>] = [:]
    var leaving: Set<UserID> = []
    var keys: [SigningKey] = []
    var secrets: [SigningSecret?] = []
    var chats: [[Chat]] = []
    var readings: [[ChatID: ChatReading]] = []
    var pages: [MessageAnswer] = []
    var locations: [LastLocations] = []
    var shares: Set<Share> = []
    var entities: [Entity] = []
    var objects: [ObjectPage] = []
    var placed: [ObjectRecord] = []

    typealias Store = NounStore & ChatStore & ObjectStore

    init(_ store: any Store, at now: Timestamp) async throws {
        accounts = try await store.accounts(after: nil, limit: 1_000)
        leaving = Set(try await store.leaving())
        closed = try await store.closedChats()
        keys = try await store.signingKeys()
        for key in keys { secrets.append(try await store.signingKey(key.id)?.secret) }
        shares = Set(try await store.shares())
        for person in accounts.map(\.user.id) {
            contacts.append(try await store.contacts(of: person))
            blocked.append(try await store.blocked(by: person))
            credentials.append(try await store.credentials(of: person))
            let own = try await store.chats(of: person)
            chats.append(own)
            readings.append(try await store.readings(of: own, for: person, now: now))
            for chat in own {
                let query = MessageQuery(chat: chat.id, limit: 1_000)
                pages.append(try await store.messages(query, reader: person, now: now))
                locations.append(try await store.lastLocations(in: chat.id, of: nil, now: now))
            }
        }
        entities = try await store.entities(for: .owner)
        for entity in entities {
            objects.append(try await store.objects(ObjectQuery(entity.name, limit: 1_000), for: .owner))
        }
        let records = Mutex<[ObjectRecord]>([])
        try await store.forEachPlacedObject(batch: 100) { batch in records.withLock { $0 += batch } }
        placed = records.withLock(\.self)
    }
}
#endif
