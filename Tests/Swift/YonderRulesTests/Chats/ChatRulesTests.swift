import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct ChatRulesTests {
    private let people = (0..<8).map { _ in UserID.random() }

    private func act(_ action: Submission.Action, _ chat: Chat, _ sender: UserID, key: String = "k")
        -> Submission
    {
        Submission(chat: chat.id, sender: sender, key: key, action: action, time: Timestamp(milliseconds: 0))
    }

    @Test
    func `numbers follow, colors differ, spans are in order, and a group has an owner, after any actions`()
        throws
    {
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            let wish = ChatStart(creator: people[0], invitees: Array(people[1...3]))
            var chat = try ChatRules.start(wish, id: .random(using: &random), at: Timestamp(milliseconds: 0))
            for _ in 0..<80 {
                let sender = people[Int.random(in: 0..<8, using: &random)]
                let other = people[Int.random(in: 0..<8, using: &random)]
                let actions: [Submission.Action] = [
                    .leave, .add([other]), .message(MessageDraft(tag: .text)),
                ]
                let action = actions[Int.random(in: 0..<3, using: &random)]
                let decision = try? ChatRules.decide(
                    act(action, chat, sender),
                    in: chat,
                    contacts: Set(people)
                )
                guard let decision else { continue }
                #expect(decision.message.number == chat.last + 1 && decision.chat.last == chat.last + 1)
                chat = decision.chat
                expectSound(chat, seed)
            }
        }
    }

    private func expectSound(_ chat: Chat, _ seed: UInt64) {
        let present = chat.participants.filter(\.isPresent)
        #expect(Set(present.map(\.color)).count == present.count, "seed \(seed)")
        #expect(present.isEmpty || present.contains { $0.role == .owner }, "seed \(seed)")
        #expect(Set(chat.participants.map(\.user)).count == chat.participants.count, "seed \(seed)")
        for spans in chat.participants.map(\.spans) {
            let numbers = spans.flatMap { [$0.first, $0.last ?? chat.last + 1] }
            #expect(numbers == numbers.sorted(), "seed \(seed)")
            #expect(spans.dropLast().allSatisfy { !$0.isOpen }, "seed \(seed)")
        }
    }

    @Test
    func `a user who leaves a one-to-one chat and starts it again was moved by each of the two messages`()
        throws
    {
        let wish = ChatStart(creator: people[0], invitees: [people[1]], isOneToOne: true)
        let chat = try ChatRules.start(wish, id: .random(), at: Timestamp(milliseconds: 0))
        let left = try ChatRules.decide(act(.leave, chat, people[0]), in: chat, contacts: [])
        let back = ChatRules.rejoin(people[0], left.chat, at: Timestamp(milliseconds: 0))
        #expect(back.chat.participant(people[0])?.spans == [ParticipationSpan(first: 1)])
        for decision in [left, back] {
            let moved = back.chat.moved(by: decision.message).map { $0.asOf(decision.message) }
            #expect(moved == decision.moved && moved.map(\.user) == [people[0]])
        }
    }

    @Test func `five thousand may be in a chat, and are added at once`() throws {
        let crowd = (0..<4_999).map { _ in UserID.random() }
        let wish = ChatStart(creator: people[0], invitees: [crowd[0]])
        let chat = try ChatRules.start(wish, id: .random(), at: Timestamp(milliseconds: 0))
        let full = try ChatRules.decide(
            act(.add(Array(crowd[1...])), chat, people[0]),
            in: chat,
            contacts: Set(crowd)
        ).chat
        #expect(full.participants.count == 5_000)
        #expect(Set(full.participants.map(\.color)) == Set(0..<5_000))
        let error = #expect(throws: SharingError.self) {
            try ChatRules.decide(act(.add([people[1]]), full, people[0]), in: full, contacts: [people[1]])
        }
        #expect(error?.code == .tooMany)
    }

    @Test func `colors of a crowd are all different`() {
        let colors = Set((0..<200).map(ParticipantColor.init(index:)))
        #expect(colors.count == 200)
        #expect(ParticipantColor(index: -1) == ParticipantColor(index: 0))
    }

    @Test(arguments: ["a\u{0}b", "a\nb", String(repeating: "x", count: 201)])
    func `a subject is short and has no controls`(subject: String) {
        #expect(throws: SharingError.self) { try ChatStart.check(subject: subject) }
    }

    @Test func `a fingerprint is the same for ever, and another for another action`() throws {
        let chat = try ChatRules.start(
            ChatStart(creator: people[0], invitees: [people[1]]),
            id: .random(),
            at: Timestamp(milliseconds: 0)
        )
        let drafts = [
            MessageDraft(tag: .text, content: "ab"), MessageDraft(tag: .text, content: "a"),
            MessageDraft(tag: .text), MessageDraft(tag: .location, content: "ab"),
            MessageDraft(tag: .text, content: "ab", expires: Timestamp(milliseconds: 0)),
            MessageDraft(tag: .text, content: "ab", data: .recall(of: 1)),
            MessageDraft(tag: .text, content: "a", data: .recall(of: 1)),
            MessageDraft(tag: .text, content: "\u{e9}"), MessageDraft(tag: .text, content: "e\u{301}"),
            MessageDraft(tag: .text, content: "12345678"), MessageDraft(tag: .text, content: "123456780"),
        ]
        let actions: [Submission.Action] =
            drafts.map { .message($0) } + [
                .leave, .recall(number: 1), .recall(number: 2), .subject("a"), .add([people[1]]),
                .add([people[2]]), .lockSubject(true), .lockSubject(false),
            ]
        let prints = actions.map { act($0, chat, people[0]).fingerprint }
        #expect(Set(prints).count == actions.count)
        #expect(prints == actions.map { act($0, chat, people[1], key: "other").fingerprint })
        // Undone from 0, which is the fingerprint of what was erased.
        #expect(act(.recall(number: -5_178_351_736_401_316_884), chat, people[0]).fingerprint == 1)
        // On the disk of whoever runs this: it must not change.
        #expect(act(.message(drafts[0]), chat, people[0]).fingerprint == -5_661_757_945_486_732_065)
    }
}
