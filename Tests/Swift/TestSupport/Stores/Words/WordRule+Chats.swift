import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension WordRule {
    static let chats = [
        WordRule(
            "a participant of an unknown role reads and leaves, and does nothing else",
            "participant",
            "role",
            where: "role = 'member'",
            prepare: { try await $0.found() },
            check: { town in
                let ben = try #require(try await town.chat().participant(town.ids.ben))
                #expect(ben.role == .member)
                try await town.perform(.subject("Later"), by: town.ids.ada, "a")
                await expectRefusal(.notAllowed) {
                    try await town.perform(
                        .message(MessageDraft(tag: .text, content: "Hello")),
                        by: town.ids.ben,
                        "b"
                    )
                }
                await expectRefusal(.notAllowed) {
                    try await town.perform(
                        .startShare(town.ids.share, ShareWish()),
                        by: town.ids.ben,
                        "c"
                    )
                }
                let query = MessageQuery(chat: try await town.chat().id)
                let read = try await town.store.messages(query, reader: town.ids.ben, now: town.now)
                #expect(read.messages.map(\.tag) == [.subject])
                try await town.perform(.leave, by: town.ids.ben, "d")
            },
            replace: (
                "member", { try await $0.perform(.add([$0.ids.ben]), by: $0.ids.ada, "e") }
            )
        ),
        WordRule(
            "a participant of an unknown role doesn't inherit the group",
            "participant",
            "role",
            where: "role = 'member'",
            prepare: { try await $0.found() },
            check: { town in
                let chat = try await town.chat().id
                try await town.perform(.leave, by: town.ids.ada, "a")
                #expect(try await town.store.chat(chat).participant(town.ids.ben)?.role == .member)
            }
        ),
        WordRule(
            "a chat that keeps positions for an unknown time keeps them for the shortest",
            "chat",
            "positions",
            prepare: { try await $0.found() },
            check: { town in
                #expect(try await town.chat().positions == .day)
                try await town.perform(
                    .message(MessageDraft(tag: .text, content: "Hello")),
                    by: town.ids.ada,
                    "a"
                )
                try await town.locate("b", after: .seconds(1))
                try await town.perform(.subject("Later"), by: town.ids.ada, "c")
                let day = Duration.seconds(86_400)
                #expect(try await town.store.erasePositions(at: town.now + day, limit: 9) == 0)
                #expect(try await town.store.erasePositions(at: town.now + day * 1.1, limit: 9) == 1)
            },
            replace: ("day", { try await $0.perform(.keepPositions(.day), by: $0.ids.ada, "d") })
        ),
        WordRule(
            "a message's tag is answered as it was sent",
            "message",
            "tag",
            where: "tag = 'Text'",
            prepare: { town in
                try await town.found()
                try await town.perform(
                    .message(MessageDraft(tag: .text, content: "Hello")),
                    by: town.ids.ada,
                    "a"
                )
                // A read moves what waits.
                let query = MessageQuery(chat: try await town.chat().id)
                _ = try await town.store.messages(query, reader: town.ids.ada, now: town.now)
            },
            check: { town in
                try await town.perform(
                    .message(MessageDraft(tag: .text, content: "Again")),
                    by: town.ids.ada,
                    "b"
                )
                let query = MessageQuery(chat: try await town.chat().id)
                let read = try await town.store.messages(query, reader: town.ids.ben, now: town.now)
                #expect(read.messages.map(\.tag.rawValue) == [word, MessageTag.text.rawValue])
                try await town.perform(.recall(number: 1), by: town.ids.ada, "c")
            }
        ),
    ]

    static let shares = [
        WordRule(
            "positions of a share with an unknown keeping go with its end",
            "share",
            "keeping",
            where: "id IN (SELECT min(id) FROM share)",
            prepare: { town in
                try await town.found()
                try await town.perform(.startShare(town.ids.share, ShareWish()), by: town.ids.ada, "a")
                try await town.perform(.startShare(.random(), ShareWish()), by: town.ids.ben, "b")
            },
            check: { town in
                let shares = try await town.store.shares()
                #expect(shares.map(\.keeping).sorted { $0.rawValue < $1.rawValue } == [.expiring, .kept])
                let share = try #require(shares.first { $0.keeping == .expiring })
                let edit = ShareEdit(showsBattery: false)
                try await town.perform(.changeShare(share.id, edit), by: share.user, "c")
                try await town.perform(.stopShare(share.id), by: share.user, "d")
                #expect(try await town.store.eraseShares(at: town.now, limit: 9) > 0)
                #expect(try await town.store.shares().first { $0.id == share.id }?.isErased == true)
                #expect(try await town.store.eraseShares(at: town.now, limit: 9) == 0)
            }
        ),
        WordRule(
            "a person's own choice takes the place of a share's unknown keeping",
            "share",
            "keeping",
            prepare: { town in
                try await town.found()
                try await town.perform(.startShare(town.ids.share, ShareWish()), by: town.ids.ada, "a")
            },
            check: { town in
                let share = try await town.share()
                #expect(share.keeping == .expiring && share.isReadable(at: town.now))
            },
            replace: (
                "expiring",
                { town in
                    let edit = ShareEdit(keeping: .expiring)
                    try await town.perform(.changeShare(town.ids.share, edit), by: town.ids.ada, "b")
                }
            )
        ),
        WordRule(
            "a share with an unknown ending has ended",
            "share",
            "ending",
            where: "ended IS NOT NULL",
            prepare: { town in
                try await town.found()
                let wish = ShareWish(keeping: .expiring)
                try await town.perform(.startShare(town.ids.share, wish), by: town.ids.ada, "a")
                try await town.perform(.startShare(.random(), ShareWish()), by: town.ids.ben, "b")
                try await town.locate("c", after: .seconds(1))
                try await town.perform(.stopShare(town.ids.share), by: town.ids.ada, "d", after: .seconds(2))
            },
            check: { town in
                #expect(try await town.store.shares().count == 2)
                let share = try await town.share()
                #expect(!share.isRunning(at: town.now + .seconds(2)))
                await expectRefusal(.shareEnded) { try await town.locate("e", after: .seconds(3)) }
                while try await town.store.eraseShares(at: town.now, limit: 1) > 0 {}
                #expect(try await town.share().isErased)
            }
        ),
    ]
}
