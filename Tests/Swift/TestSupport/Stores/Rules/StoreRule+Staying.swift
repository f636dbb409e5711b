import Testing
import YonderModel
import YonderRules

extension StoreRule {
    static let staying = [
        StoreRule(
            "an add of a participant that stays out of a group is refused, an add of another one is stored"
        ) { town in
            let people = try await town.people(4)
            let chat = try await town.group(Array(people[..<3]))
            let left = try await town.perform(.stayOut, people[1], chat).message
            #expect(left.tag == .leave && left.content.isEmpty && left.data == nil)
            await expectRefusal(.notAllowed) { try await town.perform(.add([people[1]]), people[0], chat) }
            await expectRefusal(.notAllowed) {
                try await town.perform(.add([people[3], people[1]]), people[0], chat)
            }
            #expect(try await town.store.chat(chat).last == 1)
            try await town.perform(.add([people[3]]), people[0], chat)
            try await town.perform(.leave, people[2], chat)
            try await town.perform(.add([people[2]]), people[0], chat)
            let present = try await town.store.chat(chat).participants.filter(\.isPresent).map(\.user)
            #expect(Set(present) == [people[0], people[2], people[3]])
        },
        StoreRule("an owner who stays out hands the group over, and the new owner can't add them") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            try await town.perform(.stayOut, people[0], chat)
            #expect(try await town.store.chat(chat).participant(people[1])?.role == .owner)
            await expectRefusal(.notAllowed) { try await town.perform(.add([people[0]]), people[1], chat) }
        },
        StoreRule("nobody stays out of a one-to-one chat") { town in
            let people = try await town.people(2)
            let chat = try await town.pair(people).chat.id
            await expectRefusal(.invalidField) { try await town.perform(.stayOut, people[0], chat) }
            #expect(try await town.store.chat(chat).isPresent(people[0]))
        },
        StoreRule("leaving a one-to-one chat and starting it again without pause makes no further span") {
            town in
            let people = try await town.people(2)
            let chat = try await town.pair(people).chat.id
            try await town.say("1", people[0], chat)
            for _ in 0..<3 {
                let left = try await town.perform(.leave, people[0], chat)
                #expect(left.moved.map(\.isPresent) == [false])
                #expect(try await town.store.chat(chat).isPresent(people[0]) == false)
                #expect(try await town.pair(people).chat.isPresent(people[0]))
            }
            let spans = try await town.store.chat(chat).participant(people[0])?.spans
            #expect(spans == [ParticipationSpan(first: 1)])
            #expect(try await town.read(chat, people[0]).map(\.number) == Array(1...7))
            try await town.perform(.leave, people[0], chat)
            try await town.say("9", people[1], chat)
            _ = try await town.pair(people)
            let apart = try await town.store.chat(chat).participant(people[0])?.spans
            #expect(apart == [ParticipationSpan(first: 1, last: 8), ParticipationSpan(first: 10)])
            #expect(try await town.read(chat, people[0]).map(\.number) == Array(1...8) + [10])
        },
        StoreRule("leaving and staying out under one key are two actions, and each is repeated as itself") {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let left = try await town.perform(.stayOut, people[1], chat, key: "k")
            let again = try await town.perform(.stayOut, people[1], chat, key: "k")
            #expect(again.isRepeat && again.message == left.message)
            await expectRefusal(.keyReused) { try await town.perform(.leave, people[1], chat, key: "k") }
        },
        StoreRule("groups stayed out of are listed newest first, with their subjects of then") { town in
            let people = try await town.people(2)
            var chats: [ChatID] = []
            for number in 0..<3 {
                chats.append(try await town.group(people))
                try await town.perform(.subject("\(number)"), people[0], chats[number])
            }
            for number in [1, 0] { try await town.perform(.stayOut, people[1], chats[number]) }
            try await town.perform(.leave, people[1], chats[2])
            try await town.perform(.subject("later"), people[0], chats[0])
            let listed = [LeftGroup(chat: chats[0], subject: "0"), LeftGroup(chat: chats[1], subject: "1")]
            #expect(try await town.store.leftGroups(of: people[1], limit: 10) == listed)
            #expect(try await town.store.leftGroups(of: people[1], limit: 1) == [listed[0]])
            #expect(try await town.store.leftGroups(of: people[1], limit: 0).isEmpty)
            #expect(try await town.store.leftGroups(of: people[0], limit: 10).isEmpty)
        },
        StoreRule("a user who takes it back is added again, and may stay out once more") { town in
            let people = try await town.people(3)
            let chat = try await town.group(people)
            try await town.perform(.stayOut, people[1], chat)
            try await town.perform(.stayOut, people[2], chat)
            try await town.store.stopStayingOut(of: chat, by: people[1])
            try await town.store.stopStayingOut(of: chat, by: people[1])
            #expect(try await town.store.leftGroups(of: people[1], limit: 10).isEmpty)
            #expect(try await town.store.leftGroups(of: people[2], limit: 10).map(\.chat) == [chat])
            try await town.perform(.add([people[1]]), people[0], chat)
            #expect(try await town.store.chat(chat).isPresent(people[1]))
            await expectRefusal(.notAllowed) { try await town.perform(.add([people[2]]), people[0], chat) }
            try await town.perform(.stayOut, people[1], chat)
            #expect(try await town.store.leftGroups(of: people[1], limit: 10).map(\.chat) == [chat])
        },
        StoreRule("the groups of an owner in which a user is are listed by id, and no other chats") { town in
            let people = try await town.people(3)
            var owned: [ChatID] = []
            for _ in 0..<3 { owned.append(try await town.group(people)) }
            owned.sort()
            _ = try await town.pair(people)
            _ = try await town.group([people[0], people[2]])
            try await town.store.connect(people[1], people[2])
            _ = try await town.group([people[1], people[2]])
            let left = try await town.group(people)
            try await town.perform(.leave, people[1], left)
            let abandoned = try await town.group(people)
            try await town.perform(.leave, people[0], abandoned)
            let handed = try await town.group(people)
            try await town.perform(.owner(people[2]), people[0], handed)
            let (owner, user) = (people[0], people[1])
            #expect(try await town.store.groups(of: user, ownedBy: owner, limit: 10) == owned)
            #expect(try await town.store.groups(of: user, ownedBy: owner, limit: 2) == Array(owned[..<2]))
            #expect(try await town.store.groups(of: user, ownedBy: people[2], limit: 10) == [handed])
            #expect(try await town.store.groups(of: user, ownedBy: .random(), limit: 10).isEmpty)
        },
        StoreRule("the end of staying out is refused to a user that never was in the group") { town in
            let people = try await town.people(3)
            let chat = try await town.group(Array(people[..<2]))
            try await town.store.stopStayingOut(of: chat, by: people[1])
            #expect(try await town.store.chat(chat).isPresent(people[1]))
            await expectRefusal(.unknownChat) { try await town.store.stopStayingOut(of: chat, by: people[2]) }
            await expectRefusal(.unknownChat) {
                try await town.store.stopStayingOut(of: .random(), by: people[1])
            }
        },
    ]
}
