import Testing
import YonderGeodesy
import YonderModel
import YonderRules

/// The commits that a store passes to its outlet.
extension StoreRule {
    static let commits = [
        StoreRule("a commit reaches the outlet once, before its caller is answered") { town in
            let people = try await town.people(3)
            let told = Told(by: town.store)
            let chat = try await town.group(people)
            #expect(told.take() == [StoreCommit(started: [try await town.store.chat(chat)])])
            let said = try await town.store.submit(town.submission("a", people[0], chat))
            #expect(told.take() == [StoreCommit(messages: [said])])
            let left = try await town.perform(.leave, people[2], chat)
            #expect(left.moved.map(\.user) == [people[2]])
            #expect(told.take() == [StoreCommit(messages: [left])])
            let recalled = try await town.perform(.recall(number: 1), people[0], chat)
            #expect(recalled.recalled?.content == "a")
            #expect(told.take() == [StoreCommit(messages: [recalled])])
            let mark = ReadMark(chat: chat, reader: people[1], number: 1)
            let outcome = try await town.store.read(mark)
            #expect(told.take() == [StoreCommit(reads: [ReadMove(mark: mark, outcome: outcome)])])
        },
        StoreRule("a block reaches the outlet if the two users have a chat, in the order of the commits") {
            town in
            let people = try await town.people(3)
            let pair = try await town.pair(people).chat.id
            let told = Told(by: town.store)
            try await town.store.block(people[2], by: people[0])
            #expect(told.take().isEmpty)
            var last = Int64.min
            for isBlocked in [true, false, true] {
                if isBlocked {
                    try await town.store.block(people[1], by: people[0])
                } else {
                    try await town.store.unblock(people[1], by: people[0])
                }
                let change = try #require(told.take().first?.blocks.first)
                #expect(change.chat == pair && change.blocker == people[0])
                #expect(change.isBlocked == isBlocked && change.number > last)
                last = change.number
            }
        },
        StoreRule("a submission that changes nothing doesn't reach the outlet") { town in
            let people = try await town.people(2)
            let chat = try await town.pair(people, key: "start").chat.id
            let submission = town.submission("a", people[0], chat, key: "a")
            try await town.store.submit(submission)
            let mark = ReadMark(chat: chat, reader: people[1], number: 1)
            try await town.store.read(mark)
            let told = Told(by: town.store)
            #expect(try await town.store.submit(submission).isRepeat)
            _ = try await town.store.read(mark)
            #expect(try await town.pair(people, key: "start").existed)
            await expectRefusal(.keyReused) { try await town.say("b", people[0], chat, key: "a") }
            await expectRefusal(.unknownUser) { try await town.store.block(.random(), by: people[0]) }
            _ = try await town.store.chats(of: people[0])
            #expect(told.take().isEmpty)
        },
        StoreRule("a share whose positions were erased is told as erased") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let wish = ShareWish(keeping: .expiring)
            let share = try await town.perform(.startShare(.random(), wish), people[0], chat).shares
            let id = try #require(share.first?.id)
            try await town.perform(.stopShare(id), people[0], chat)
            let told = Told(by: town.store)
            while try await town.store.eraseShares(at: town.now, limit: 10) > 0 {}
            let erased = told.take().flatMap(\.shares)
            #expect(erased.map(\.id) == [id] && erased.allSatisfy(\.isErased))
        },
        StoreRule(
            "a change of what signs a user in, or of what they may do, raises their version and is told"
        ) {
            town in
            _ = try await town.store.createAccount(
                Account(user: User(id: .random(), name: "Owner"), isOperator: true, created: town.now)
            )
            let ada = try await town.person("Ada", login: "ada")
            for number in 1...3 {
                let kind = [Credential.Kind.session, .token, .device][number - 1]
                try await town.store.createCredential(
                    Credential(
                        secret: .made(of: number),
                        kind: kind,
                        user: ada,
                        created: town.now,
                        expires: nil
                    )
                )
            }
            let told = Told(by: town.store)
            let change = { () throws -> SignInChange in
                let commits = told.take()
                #expect(commits.count == 1)
                return try #require(commits.first?.signIns.first)
            }
            let version = { () async throws -> Int64? in
                try await town.store.signIn(.made(of: 2), kind: .token, at: town.now)?.version
            }
            try await town.store.setPassword(ada, hash: "hash")
            #expect(try change() == SignInChange(ada, versions: 0...1, ended: .credentials([])))
            #expect(try await version() == 1)
            try await town.store.removeCredential(.made(of: 3), of: ada)
            try await town.store.removeCredential(.made(of: 9), of: ada)
            #expect(told.take().isEmpty, "a browser that is forgotten signs nobody out")
            try await town.store.removeCredential(.made(of: 1), of: ada)
            let ended = SignInChange(ada, versions: 1...2, ended: .credentials([.made(of: 1)]))
            #expect(try change() == ended)
            var wish = AccountChange()
            wish.isOperator = true
            #expect(try await town.store.change(ada, wish).version == 3)
            #expect(try change() == SignInChange(ada, versions: 2...3, ended: .role))
            wish = AccountChange()
            wish.name = "Ada L"
            _ = try await town.store.change(ada, wish)
            #expect(told.take().isEmpty, "a name is none of it")
            wish.isDisabled = true
            _ = try await town.store.change(ada, wish)
            #expect(try change().ended == .all)
            try await town.store.remove(ada)
            let removed = try change()
            #expect(removed.ended == .all && removed.versions.upperBound == .max)
        },
        StoreRule("while members go and come back, each number is told once") { town in
            let people = try await town.people(2)
            let chat = try await town.pair(people).chat.id
            let told = Told(by: town.store)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<4 {
                    group.addTask {
                        for count in 0..<25 { try await town.say("\(sender) \(count)", people[1], chat) }
                    }
                }
                group.addTask {
                    for _ in 0..<25 {
                        try await town.perform(.leave, people[0], chat)
                        _ = try await town.pair(people)
                    }
                }
                try await group.waitForAll()
            }
            let numbers = told.take().flatMap(\.messages).map(\.message.logNumber)
            #expect(numbers.count == 150 && numbers.sorted() == Array(1...150))
        },
    ]
}
