import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    static let people = [
        StoreRule("people get a hue with their first contact that none of their contacts has, and keep it") {
            town in
            let people = try await town.people(12)
            func hues() async throws -> [Int?] {
                try await town.store.users(Set(people)).sorted { $0.name < $1.name }.map(\.hue)
            }
            let first = try await hues().compactMap(\.self)
            #expect(first.count == 12 && Set(first).count == 12 && first.allSatisfy(Hue.range.contains))
            let stranger = try await town.person("Stranger")
            #expect(try await town.store.account(stranger).user.hue == nil)
            try await town.store.connect(stranger, people[0])
            let hue = try #require(try await town.store.account(stranger).user.hue)
            #expect(!first.contains(hue))
            _ = try await town.group(people)
            #expect(try await hues() == first)
            try await town.store.setHue(people[0], 100)
            _ = try await town.pair(people)
            #expect(try await town.store.account(people[0]).user.hue == 100)
            let renamed = try await town.store.update(people[0], profile: Profile(name: "Ada"))
            #expect(renamed.hue == 100)
            await expectRefusal(.unknownUser) { try await town.store.setHue(.random(), 100) }
        },
        StoreRule("the hues of a small server are the farthest from each other, in any order of invitations")
        {
            town in
            var people = [try await town.person("Person 0")]
            // Each is a contact of the one before alone.
            for number in 1..<8 {
                people.append(try await town.person("Person \(number)"))
                try await town.store.connect(people[number - 1], people[number])
            }
            let users = try await town.store.users(Set(people)).sorted { $0.name < $1.name }
            #expect(users.map(\.hue) == [26, 206, 116, 296, 71, 161, 251, 339])
        },
        StoreRule("on a large server a hue is the farthest from those of the contact and its contacts") {
            town in
            _ = try await town.people(17)
            let around = try await town.people(4)
            let hues = try await town.store.users(Set(around)).compactMap(\.hue)
            let distances = hues.flatMap { one in hues.filter { $0 != one }.map { Hue.distance(one, $0) } }
            #expect(Set(hues).count == 4 && distances.allSatisfy { $0 >= 45 })
        },
        StoreRule("a contact that is removed is nobody's any more, and the chats stay") { town in
            let people = try await town.people(2)
            let chat = try await town.pair(people).chat.id
            try await town.store.disconnect(people[1], people[0])
            for person in people { #expect(try await town.store.contacts(of: person).isEmpty) }
            try await town.say("still", people[0], chat)
            await expectRefusal(.unknownInvitee) { try await town.group(people) }
            try await town.store.disconnect(people[0], people[1])
            try await town.store.connect(people[0], people[1])
            #expect(try await town.group(people) != chat)
        },
        StoreRule("neither of two can start, add, invite or find the other while one blocks the other") {
            town in
            let people = try await town.people(3)
            let (one, other) = (people[0], people[1])
            let group = try await town.group([one, people[2]])
            try await town.store.block(one, by: other)
            #expect(try await town.store.blocked(by: other).map(\.id) == [one])
            #expect(try await town.store.blocked(by: one).isEmpty)
            #expect(try await town.store.contacts(of: one).map(\.id) == [people[2]])
            #expect(try await town.store.contacts(of: other).isEmpty)
            for pair in [[one, other], [other, one]] {
                await expectRefusal(.unknownInvitee) { try await town.group(pair) }
                await expectRefusal(.unknownInvitee) { try await town.pair(pair) }
                await expectRefusal(.unknownUser) { try await town.store.connect(pair[0], pair[1]) }
            }
            await expectRefusal(.unknownInvitee) { try await town.perform(.add([other]), one, group) }
            for (sender, invited) in [(one, other), (other, one)] {
                let secret = try #require(SecretHash((0..<32).map { _ in UInt8.random(in: 0...255) }))
                let end = town.now + .seconds(1_000)
                try await town.store.createInvitation(
                    Invitation(secret: secret, sender: sender, created: town.now, expires: end)
                )
                await expectRefusal(.invitationUsed) {
                    try await town.store.accept(secret, by: invited, at: town.now)
                }
            }
            try await town.store.unblock(one, by: other)
            #expect(try await town.store.contacts(of: one).map(\.id) == [people[2]])
            try await town.store.connect(one, other)
            _ = try await town.pair([one, other])
        },
        StoreRule(
            "the one-to-one chat of two takes no more messages while one blocks the other, a group does"
        ) { town in
            let people = try await town.people(3)
            let (pair, group) = (try await town.pair(people).chat.id, try await town.group(people))
            let known = town.submission("before", people[0], pair)
            #expect(try await town.store.submit(known).message.number == 1)
            try await town.store.block(people[0], by: people[1])
            for sender in people[..<2] {
                await expectRefusal(.closedChat) { try await town.say("x", sender, pair) }
                await expectRefusal(.closedChat) { try await town.say("x", sender, pair, tag: .location) }
                try await town.say("x", sender, group)
            }
            #expect(try await town.store.submit(known).isRepeat)
            let start = Submission.Action.startShare(.random(), ShareWish())
            await expectRefusal(.closedChat) { try await town.perform(start, people[1], pair) }
            #expect(try await town.store.closedChats() == [pair: [people[1]]])
            #expect(try await town.read(pair, people[0]).map(\.content) == ["before"])
            try await town.perform(.recall(number: 1), people[0], pair)
            #expect(try await town.store.block(people[1], by: people[0]) == pair)
            #expect(try await town.store.unblock(people[0], by: people[1]) == pair)
            await expectRefusal(.closedChat) { try await town.say("x", people[0], pair) }
            #expect(try await town.store.unblock(people[1], by: people[0]) == pair)
            #expect(try await town.store.closedChats().isEmpty)
            try await town.say("after", people[0], pair)
            try await town.perform(.leave, people[1], pair)
        },
        StoreRule("a share that runs in a closed chat can be stopped and ended, and not changed") { town in
            let people = try await town.people(2)
            let pair = try await town.pair(people).chat.id
            var shares: [ShareID] = []
            for person in people {
                shares.append(
                    try #require(
                        try await town.perform(.startShare(.random(), ShareWish()), person, pair).shares.first
                    ).id
                )
            }
            try await town.store.block(people[1], by: people[0])
            let edit = ShareEdit(keeping: .expiring)
            await expectRefusal(.closedChat) {
                try await town.perform(.changeShare(shares[0], edit), people[0], pair)
            }
            try await town.perform(.stopShare(shares[0]), people[0], pair)
            try await town.perform(.endShare(shares[1], .stopped), people[1], pair)
            #expect(try await town.store.shares().map(\.end?.ending) == [.stopped, .stopped])
        },
        StoreRule("an account that is removed blocks nobody and is blocked by nobody") { town in
            let people = try await town.people(3)
            try await town.store.block(people[1], by: people[0])
            try await town.store.block(people[0], by: people[2])
            try await town.store.remove(people[0])
            #expect(try await town.store.blocked(by: people[2]).isEmpty)
            #expect(try await town.store.closedChats().isEmpty)
        },
        StoreRule(
            "of two without a common group, each is shown the other as at the block, from either side"
        ) { town in
            let people = try await town.people(3)
            let (ann, ben, cy) = (people[0], people[1], people[2])
            let seen = { (user: UserID, viewer: UserID) async throws -> User in
                let live = try #require(try await town.store.users([user]).first)
                let partings = try await town.store.partings(of: [user, cy], with: [viewer, cy])
                #expect(partings.applied(to: live, for: cy) == live)
                return partings.applied(to: live, for: viewer)
            }
            func rename(_ user: UserID, _ name: String) async throws {
                let profile = Profile(name: name, email: "\(name)@example.org", avatar: "/a.png")
                _ = try await town.store.update(user, profile: profile)
                try await town.store.setHue(user, 200)
            }
            try await rename(ann, "Ann")
            try await rename(ben, "Ben")
            let hue = try await town.store.account(ben).user.hue
            try await town.store.block(ben, by: ann)
            try await rename(ann, "Anna")
            try await rename(ben, "Benedict")
            try await town.store.setHue(ben, 300)
            for (user, viewer, name) in [(ann, ben, "Ann"), (ben, ann, "Ben")] {
                #expect(try await seen(user, viewer) == User(id: user, name: name, hue: hue))
            }
            #expect(try await town.store.blocked(by: ann).map(\.name) == ["Ben"])
            // A block of the other side, and the end of the first, leave the names as they are.
            try await town.store.block(ann, by: ben)
            try await town.store.unblock(ben, by: ann)
            #expect(try await seen(ann, ben).name == "Ann")
            // In a common group each is shown as they are; a chat of two is none.
            try await town.store.connect(cy, ben)
            let group = try await town.store.start(
                ChatStart(creator: cy, invitees: [ann, ben]),
                at: town.now
            )
            #expect(try await seen(ann, ben).name == "Anna")
            #expect(try await town.store.blocked(by: ben).map(\.name) == ["Anna"])
            try await town.perform(.leave, ben, group.chat.id)
            #expect(try await seen(ben, ann).name == "Ben")
            try await town.store.unblock(ann, by: ben)
            #expect(try await seen(ben, ann).name == "Benedict")
        },
        StoreRule("a block of a stranger is refused as the block of an unknown user is") { town in
            let people = try await town.people(3)
            let group = try await town.group(people)
            let stranger = try await town.person("Stranger")
            await expectRefusal(.unknownUser) { try await town.store.block(stranger, by: people[1]) }
            // Met in a group, also once one of them has left.
            try await town.store.block(people[2], by: people[1])
            try await town.store.unblock(people[2], by: people[1])
            try await town.perform(.leave, people[2], group)
            try await town.store.block(people[2], by: people[1])
            // Who is blocked may block.
            try await town.store.block(people[1], by: people[2])
        },
        StoreRule("a user blocks neither themselves nor a user who doesn't exist, and a block twice is one") {
            town in
            let people = try await town.people(2)
            await expectRefusal(.unknownUser) { try await town.store.block(people[0], by: people[0]) }
            await expectRefusal(.unknownUser) { try await town.store.block(.random(), by: people[0]) }
            for _ in 0..<2 { try await town.store.block(people[1], by: people[0]) }
            // Also if the users are no contacts any more, and never were in a chat.
            #expect(try await town.store.blocked(by: people[0]).count == 1)
            try await town.store.unblock(people[0], by: people[1])
            #expect(try await town.store.blocked(by: people[0]).count == 1)
        },
    ]
}
