import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension StoreRule {
    /// Without a fingerprint the key alone decides: another message under the key of an erased one is answered with its number.
    static let erasing = [
        StoreRule("nothing derived from erased content stays") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            // given a text to recall and one that expires, positions to be kept for a day, and one kept for good
            let keys = ["recalled", "expired", "position", "late position", "kept"]
            try await town.say("a", people[1], chat, key: keys[0])
            let brief = MessageDraft(tag: .text, content: "b", expires: town.now + .seconds(60))
            try await town.perform(.message(brief), people[1], chat, key: keys[1])
            let time = town.now.milliseconds
            try await town.perform(.message(position(1, at: time)), people[1], chat, key: keys[2])
            try await town.perform(.message(position(2, at: time - 1_000)), people[1], chat, key: keys[3])
            try await town.say("c", people[1], chat, key: keys[4])
            for key in keys {
                await expectRefusal(.keyReused) { try await town.say("another", people[1], chat, key: key) }
            }
            // when
            try await town.perform(.recall(number: 1), people[1], chat)
            #expect(try await town.store.expire(at: town.now + .seconds(120), limit: 10) == 1)
            try await town.perform(.keepPositions(.day), people[0], chat)
            let later = town.now + .seconds(2 * 86_400)
            #expect(try await town.store.erasePositions(at: later, limit: 10) == 2)
            // then
            for (number, key) in zip(Int64(1)..., keys.dropLast()) {
                let again = try await town.store.submit(
                    town.submission("another", people[1], chat, key: key)
                )
                #expect(again.isRepeat && again.message.number == number && again.message.isEmpty, "\(key)")
            }
            await expectRefusal(.keyReused) { try await town.say("another", people[1], chat, key: "kept") }
            let log = try await town.read(chat, people[0])
            #expect(log.filter { $0.tag == .location }.map(\.isLate) == [false, true])
        },
        StoreRule("nothing derived from the positions of an expiring share stays once they are erased") {
            town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let wish = ShareWish(keeping: .expiring)
            let started = try await town.perform(.startShare(.random(), wish), people[0], chat)
            let share = try #require(started.shares.first)
            let draft = position(1, at: town.now.milliseconds)
            let sent = try await town.perform(.message(draft), people[0], chat, key: "k").message
            try await town.perform(.stopShare(share.id), people[0], chat)
            while try await town.store.eraseShares(at: town.now, limit: 2) > 0 {}
            let other = position(2, at: town.now.milliseconds)
            let again = try await town.perform(.message(other), people[0], chat, key: "k")
            #expect(again.isRepeat && again.message.number == sent.number)
        },
        StoreRule("nothing derived from a message that had expired on arrival is stored") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            let over = MessageDraft(tag: .text, content: "a", expires: town.now)
            let sent = try await town.perform(.message(over), people[0], chat, key: "k").message
            #expect(sent.isEmpty)
            let again = try await town.store.submit(town.submission("b", people[0], chat, key: "k"))
            #expect(again.isRepeat && again.message == sent)
        },
        StoreRule("nothing derived from a share's place of arrival is stored with its start") { town in
            let people = try await town.people(2)
            let chat = try await town.group(people)
            func start(_ latitude: Double?, key: String) async throws -> Submission.Acceptance {
                let place = latitude.flatMap { Coordinate(latitude: $0, longitude: 10.7) }
                let arrival = place.flatMap { Arrival(coordinate: $0, radius: .meters(100)) }
                let until = town.now + .seconds(latitude == nil ? 600 : 60)
                return try await town.perform(
                    .startShare(.random(), ShareWish(until: until, arrival: arrival)),
                    people[0],
                    chat,
                    key: key
                )
            }
            let first = try await start(59.9, key: "place")
            let again = try await start(60.1, key: "place")
            #expect(again.isRepeat && again.message == first.message)
            _ = try await start(nil, key: "none")
            await expectRefusal(.keyReused) { try await start(nil, key: "none") }
        },
    ]

    private static func position(_ latitude: Int, at time: Int64) -> MessageDraft {
        let json = #"{"latitude":"\#(latitude)","longitude":"2","timestamp":\#(time)}"#
        return MessageDraft(tag: .location, data: MessageData(checked: Array(json.utf8)))
    }
}
