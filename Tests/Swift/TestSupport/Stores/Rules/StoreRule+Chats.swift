import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let starting = [
        StoreRule("a new chat has everyone in it from number 1, the starter as owner, no color twice") {
            town in
            let people = try await town.people(4)
            let wish = ChatStart(creator: people[0], invitees: people + people, subject: "Walk")
            let outcome = try await town.store.start(wish, at: town.now)
            #expect(!outcome.existed)
            let chat = try await town.store.chat(outcome.chat.id)
            #expect(chat == outcome.chat)
            #expect(chat.participants.map(\.user) == people && chat.subject == "Walk")
            #expect(chat.participants.map(\.role) == [.owner, .member, .member, .member])
            #expect(chat.participants.map(\.color) == [0, 1, 2, 3])
            #expect(chat.participants.allSatisfy { $0.spans == [ParticipationSpan(first: 1)] })
            #expect(chat.first == 1 && chat.last == 0)
        },
        StoreRule("a chat needs contacts to share it with") { town in
            let people = try await town.people(3)
            let stranger = try await town.person("Stranger")
            func start(_ invitees: [UserID], isOneToOne: Bool = false) async throws -> ChatStart.Outcome {
                let wish = ChatStart(creator: people[0], invitees: invitees, isOneToOne: isOneToOne)
                return try await town.store.start(wish, at: town.now)
            }
            await expectRefusal(.noInvitee) { try await start([]) }
            await expectRefusal(.noInvitee) { try await start([people[0]]) }
            await expectRefusal(.unknownInvitee) { try await start([people[1], stranger]) }
            await expectRefusal(.unknownInvitee) { try await start([.random()]) }
            await expectRefusal(.oneToOne) { try await start([people[1], people[2]], isOneToOne: true) }
            #expect(try await town.store.chats(of: people[0]).isEmpty)
        },
        StoreRule("a user meets the present and former participants of the chats that the user is in now") {
            town in
            let people = try await town.people(3)
            let store = town.store
            #expect(try await !store.meets(people[0], people[1], .ever))
            let chat = try await town.group([people[0], people[1]])
            #expect(try await store.meets(people[0], people[1], .ever))
            #expect(try await store.meets(people[1], people[0], .ever))
            #expect(try await !store.meets(people[0], people[2], .ever))
            #expect(try await !store.meets(people[2], people[0], .ever))
            try await town.perform(.leave, people[1], chat)
            #expect(try await store.meets(people[0], people[1], .ever))
            #expect(try await !store.meets(people[1], people[0], .ever))
            try await store.connect(people[1], people[2])
            _ = try await town.group([people[1], people[2]])
            #expect(try await !store.meets(people[1], people[0], .ever))
            #expect(try await store.meets(people[2], people[1], .ever))
        },
        StoreRule("people meet now while both are in a chat, and in a group unless it is one-to-one") {
            town in
            let people = try await town.people(3)
            let store = town.store
            func meetings(_ one: Int, _ other: Int) async throws -> [Bool] {
                [
                    try await store.meets(people[one], people[other], .now),
                    try await store.meets(people[one], people[other], .inGroup),
                ]
            }
            #expect(try await meetings(0, 1) == [false, false])
            _ = try await town.pair([people[0], people[1]])
            #expect(try await meetings(0, 1) == [true, false])
            #expect(try await meetings(1, 0) == [true, false])
            let chat = try await town.group([people[0], people[1]])
            #expect(try await meetings(0, 1) == [true, true])
            #expect(try await meetings(0, 2) == [false, false])
            try await town.perform(.leave, people[1], chat)
            #expect(try await meetings(0, 1) == [true, false])
            #expect(try await meetings(1, 0) == [true, false])
        },
        StoreRule("a pair has one one-to-one chat, also when both start it at once") { town in
            let people = try await town.people(2)
            let outcomes = try await withThrowingTaskGroup(of: ChatStart.Outcome.self) { group in
                for index in 0..<20 {
                    group.addTask { try await town.pair(index % 2 == 0 ? people : people.reversed()) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(outcomes.map(\.chat.id)).count == 1)
            #expect(outcomes.count { !$0.existed } == 1)
            #expect(outcomes[0].chat.participants.map(\.role) == [.owner, .owner])
            let group = try await town.group(people)
            #expect(group != outcomes[0].chat.id)
        },
        StoreRule("a user who left a one-to-one chat and starts it again joins the same one") { town in
            let people = try await town.people(2)
            let chat = try await town.pair(people).chat.id
            try await town.say("1", people[1], chat)
            try await town.perform(.leave, people[0], chat)
            try await town.say("3", people[1], chat)
            let told = Told(by: town.store)
            #expect(try await town.pair(people.reversed()).existed)
            #expect(told.take().isEmpty)
            await expectRefusal(.notParticipant) { try await town.read(chat, people[0]) }
            let again = try await town.pair(people)
            #expect(again.existed && again.chat.id == chat)
            let join = try #require(told.take().first?.messages.first)
            #expect(join.message.number == 4 && join.message.tag == .join)
            #expect(join.moved.map(\.user) == [people[0]] && join.moved.allSatisfy(\.isPresent))
            #expect(try await town.read(chat, people[0]).map(\.number) == [1, 2, 4])
            #expect(try await town.pair(people).existed)
            #expect(told.take().isEmpty)
            #expect(try await town.say("5", people[0], chat).number == 5)
            #expect(try await town.store.chat(chat).participants.map(\.role) == [.owner, .owner])
        },
        StoreRule("nobody is added to a one-to-one chat, and it has no subject") { town in
            let people = try await town.people(3)
            let chat = try await town.pair(people).chat.id
            await expectRefusal(.oneToOne) { try await town.perform(.add([people[2]]), people[0], chat) }
            await expectRefusal(.oneToOne) { try await town.perform(.subject("x"), people[0], chat) }
        },
        StoreRule("a wish under a known key answers its chat, another is refused") { town in
            let people = try await town.people(3)
            let wish = ChatStart(creator: people[0], invitees: [people[1]], subject: "a", key: "k")
            let first = try await town.store.start(wish, at: town.now)
            let again = try await town.store.start(wish, at: town.now)
            #expect(again.existed && again.chat == first.chat)
            let other = ChatStart(creator: people[0], invitees: [people[2]], subject: "a", key: "k")
            await expectRefusal(.keyReused) { try await town.store.start(other, at: town.now) }
            let next = ChatStart(creator: people[0], invitees: [people[1]], subject: "a", key: "l")
            #expect(try await town.store.start(next, at: town.now).chat.id != first.chat.id)
            try await town.perform(.leave, people[0], first.chat.id)
            await expectRefusal(.notParticipant) { try await town.store.start(wish, at: town.now) }
        },
    ]

    static let joining = [
        StoreRule("only an owner adds people, and everybody changes the subject, in the log") { town in
            let people = try await town.people(3)
            let chat = try await town.group(Array(people[..<2]))
            await expectRefusal(.notAllowed) { try await town.perform(.add([people[2]]), people[1], chat) }
            await expectRefusal(.invalidField) { try await town.perform(.subject("a\nb"), people[0], chat) }
            await expectRefusal(.unknownChat) { try await town.perform(.subject("x"), people[2], chat) }
            let subject = try await town.perform(.subject("Walk"), people[1], chat).message
            #expect(subject.tag == .subject && subject.content == "Walk" && subject.number == 1)
            #expect(try await town.store.chat(chat).subject == "Walk")
            let join = try await town.perform(.add([people[2]]), people[0], chat).message
            #expect(join.tag == .join && join.data?.json == #"{"users":["\#(people[2])"]}"#)
        },
        StoreRule("an owner locks the subject: no member changes it until an owner unlocks it") { town in
            let people = try await town.people(3)
            let chat = try await town.group(Array(people[..<2]))
            try await town.perform(.subject("Walk"), people[1], chat)
            await expectRefusal(.notAllowed) { try await town.perform(.lockSubject(true), people[1], chat) }
            let lock = try await town.perform(.lockSubject(true), people[0], chat).message
            #expect(lock.tag == .subject && lock.content == "Walk")
            #expect(lock.data?.json == #"{"subjectLocked":true}"#)
            await expectRefusal(.notAllowed) { try await town.perform(.subject("Run"), people[1], chat) }
            try await town.perform(.subject("Swim"), people[0], chat)
            let locked = try await town.store.chat(chat)
            #expect(locked.subject == "Swim" && locked.isSubjectLocked)
            try await town.perform(.owner(people[1]), people[0], chat)
            await expectRefusal(.notAllowed) { try await town.perform(.subject("Run"), people[0], chat) }
            try await town.perform(.lockSubject(false), people[1], chat)
            try await town.perform(.subject("Run"), people[0], chat)
            #expect(try await town.store.chat(chat).isSubjectLocked == false)
            let pair = try await town.pair(people).chat.id
            await expectRefusal(.oneToOne) { try await town.perform(.lockSubject(true), people[0], pair) }
        },
        StoreRule("an added user must be a contact, not in the chat yet, and named once") { town in
            let people = try await town.people(4)
            let stranger = try await town.person("Stranger")
            let chat = try await town.group(Array(people[..<2]))
            await expectRefusal(.noInvitee) { try await town.perform(.add([]), people[0], chat) }
            await expectRefusal(.noInvitee) {
                try await town.perform(.add([people[2], people[2]]), people[0], chat)
            }
            await expectRefusal(.alreadyParticipant) {
                try await town.perform(.add([people[2], people[1]]), people[0], chat)
            }
            await expectRefusal(.unknownInvitee) {
                try await town.perform(.add([people[2], stranger]), people[0], chat)
            }
            #expect(try await town.store.chat(chat).last == 0)
        },
        StoreRule("a color that someone left free goes to the next who joins") { town in
            let people = try await town.people(5)
            let chat = try await town.group(Array(people[..<3]))
            try await town.perform(.leave, people[1], chat)
            let joined = try await town.perform(.add([people[3], people[4]]), people[0], chat)
            #expect(joined.moved.map(\.color) == [1, 3])
            let back = try await town.perform(.add([people[1]]), people[0], chat)
            #expect(back.moved.map(\.color) == [4] && back.moved.first?.spans.count == 2)
            let present = try await town.store.chat(chat).participants.filter(\.isPresent)
            #expect(Set(present.map(\.color)).count == 5)
        },
        StoreRule("a group whose last owner left belongs to who has been in it longest") { town in
            let people = try await town.people(3)
            try await town.store.connect(people[1], people[2])
            let chat = try await town.group(people)
            try await town.perform(.leave, people[1], chat)
            try await town.perform(.add([people[1]]), people[0], chat)
            try await town.perform(.leave, people[0], chat)
            let roles = try await town.store.chat(chat).participants.filter(\.isPresent)
            #expect(roles.map(\.user) == [people[1], people[2]] && roles.map(\.role) == [.member, .owner])
            try await town.store.connect(people[2], people[0])
            try await town.perform(.add([people[0]]), people[2], chat)
            #expect(try await town.store.chat(chat).participant(people[0])?.role == .member)
        },
        StoreRule("an owner takes somebody out, whose last message says so") { town in
            let people = try await town.people(4)
            let chat = try await town.group(Array(people[..<3]))
            await expectRefusal(.notAllowed) { try await town.perform(.remove(people[2]), people[1], chat) }
            await expectRefusal(.notAllowed) { try await town.perform(.remove(people[0]), people[0], chat) }
            await expectRefusal(.unknownUser) { try await town.perform(.remove(people[3]), people[0], chat) }
            let removed = try await town.perform(.remove(people[1]), people[0], chat)
            #expect(removed.message.tag == .remove && removed.message.sender == people[0])
            #expect(removed.message.data?.json == #"{"user":"\#(people[1])"}"#)
            #expect(removed.moved.map(\.user) == [people[1]])
            #expect(removed.moved.first?.spans == [ParticipationSpan(first: 1, last: 1)])
            try await town.say("2", people[0], chat)
            await expectRefusal(.notParticipant) { try await town.read(chat, people[1]) }
            await expectRefusal(.notParticipant) { try await town.say("x", people[1], chat) }
            await expectRefusal(.unknownUser) { try await town.perform(.remove(people[1]), people[0], chat) }
            try await town.perform(.add([people[1]]), people[0], chat)
            #expect(try await town.read(chat, people[1]).map(\.number) == [1, 3])
            let pair = try await town.pair(people).chat.id
            await expectRefusal(.oneToOne) { try await town.perform(.remove(people[1]), people[0], pair) }
        },
        StoreRule("an owner hands the chat over, and is a member then") { town in
            let people = try await town.people(3)
            let chat = try await town.group(people)
            await expectRefusal(.notAllowed) { try await town.perform(.owner(people[1]), people[2], chat) }
            await expectRefusal(.unknownUser) { try await town.perform(.owner(.random()), people[0], chat) }
            let handed = try await town.perform(.owner(people[1]), people[0], chat)
            #expect(handed.message.tag == .owner && handed.moved.isEmpty)
            #expect(handed.message.data?.json == #"{"user":"\#(people[1])"}"#)
            let roles = try await town.store.chat(chat).participants.map(\.role)
            #expect(roles == [.member, .owner, .member])
            await expectRefusal(.notAllowed) { try await town.perform(.remove(people[2]), people[0], chat) }
            try await town.perform(.remove(people[0]), people[1], chat)
            let pair = try await town.pair(people).chat.id
            await expectRefusal(.oneToOne) { try await town.perform(.owner(people[1]), people[0], pair) }
        },
        StoreRule("everyone may leave") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.perform(.leave, people[0], chat)
            let last = try await town.perform(.leave, people[1], chat)
            #expect(last.message.number == 2 && last.moved.map(\.user) == [people[1]])
            await expectRefusal(.notParticipant) { try await town.say("a", people[1], chat) }
            await expectRefusal(.notParticipant) { try await town.perform(.leave, people[1], chat) }
        },
    ]
}
