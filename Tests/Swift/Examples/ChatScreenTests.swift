import MapKit
import ScreenReading
import SwiftUI
import TestSupport
import Testing
import YonderClient
import YonderLocation
import YonderModel

@testable import EndToEndTests
@testable import YonderApp
@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct ChatScreenTests {
    @Test(arguments: ["en", "de"])
    func `a chat is opened from the list, its messages are read and answered, and its people are listed`(
        language: String
    ) async throws {
        try await ScreenGround.running(language) { ground in
            let people = try await ground.ground.people("Mia Hasler", "Finn Beck")
            let chat = try await ground.ground.chat(people, "Along the Rhine")
            let phone = try await ground.ground.signedIn(people[0])
            let finn = try ground.ground.client(of: people[1])
            let (words, models) = (ground.words, ground.models(of: phone))
            let screen = ground.screen { HomeView(models: models) }
            try await EndToEndTests.running(phone.client, finn) { @MainActor in
                try await showing(screen.run, and: models.run) {
                    try await finn.send(MessageDraft(tag: .text, content: "Where are you?"), to: chat)
                    try await wait {
                        models.chats.rows.first?.badge == "1" && models.chats.connection.text == nil
                    }
                    let row = try #require(models.chats.rows.first)
                    #expect(screen.shows([words.say(.chatsTitle), row.name, row.preview, row.time, "1"]))
                    #expect(screen.all.contains { $0.spoken == row.unread })
                    #expect(screen.all(.search).map(\.text) == [words.say(.chatsSearch)])
                    try screen.type("rhi", into: words.say(.chatsSearch))
                    #expect(models.chats.search == "rhi")

                    try screen.press(row.name)
                    try await wait {
                        screen.shows([
                            "Along the Rhine", words.say(.messagesNew, count: 1), "Finn Beck",
                            "Where are you?",
                        ])
                    }
                    #expect(
                        screen.shows([
                            words.say(.chatViewAll), words.say(.chatViewsLast), words.say(.sharingShare),
                            words.say(.messagesMessage),
                        ])
                    )
                    try screen.turn(words.say(.chatViewAll), on: true)
                    try await wait { screen.texts.contains(words.say(.chatViewsAll)) }

                    #expect(!screen.canPress(words.say(.messagesSend)))
                    try screen.type("At the bridge", into: words.say(.messagesMessage))
                    try screen.press(words.say(.messagesSend))
                    try await wait {
                        screen.texts.contains("At the bridge")
                            && !screen.texts.contains(words.say(.messagesWaiting))
                    }

                    try screen.press(words.say(.chatPeople))
                    try await wait {
                        screen.shows([
                            words.say(.chatPeople), words.say(.chatYou, ["name": "Mia Hasler"]),
                            words.say(.chatNeverShared),
                            "Finn Beck",
                        ])
                    }
                    try screen.dismiss()
                    try screen.press("Back")
                    try await wait {
                        screen.texts.first == words.say(.chatsTitle)
                            || screen.texts.contains(words.say(.chatsTitle))
                    }
                }
            }
        }
    }

    @Test(arguments: ["en", "de"])
    func `the form shares as it was chosen, every screen says so, and each stop stops`(language: String)
        async throws
    {
        try await ScreenGround.running(language) { ground in
            let people = try await ground.ground.people("Mia Hasler", "Finn Beck")
            let chat = try await ground.ground.chat(people, "Along the Rhine")
            let phone = try await ground.ground.signedIn(people[0])
            let (words, models) = (ground.words, ground.models(of: phone))
            let chatModels = models.chat(chat)
            let screen = ground.screen { ChatView(chatModels) }
            let me = ground.screen { MeView(me: models.me, sharing: models.sharing) }
            let walk = try AppGround.walk("mia")
            try await EndToEndTests.running(phone.client) { @MainActor in
                try await showing(screen.run, and: models.run) {
                    try await wait { models.sharing.connection.text == nil && !chatModels.map.title.isEmpty }
                    try screen.press(words.say(.sharingShare))
                    #expect(
                        screen.all(.sheet).first?.texts == [
                            words.say(.sharingShare), words.say(.sharingHowLong), words.say(.sharingQuarter),
                            words.say(.sharingHour), words.say(.sharingEight), words.say(.sharingUntilStop),
                            words.say(.sharingUntilTime), words.say(.sharingAfterwards),
                            words.say(.sharingErase),
                            chatModels.form.button, words.say(.pageCancel),
                        ]
                    )
                    try screen.press(words.say(.sharingQuarter))
                    try screen.turn(words.say(.sharingErase), on: true)
                    #expect(chatModels.form.choice == .length(.quarter) && chatModels.form.isErased)
                    try screen.press(words.say(.sharingShareForButton, ["time": words.say(.sharingQuarter)]))
                    #expect(screen.all(.sheet).isEmpty)
                    try await wait { screen.texts.contains(words.say(.sharingFinding)) }
                    try await ground.device.move(along: walk[0]) {
                        models.sharing.row(in: chat).state == .here
                    }
                    let row = models.sharing.row(in: chat)
                    #expect(screen.shows([row.text, words.say(.sharingHourMore), words.say(.sharingStop)]))
                    try await wait { screen.map?.items.contains { $0.kind == .annotation } ?? false }
                    try await wait {
                        models.sharing.isSeen && models.sharing.seenText == words.say(.seenPeople, count: 1)
                    }
                    #expect(
                        me.shows([
                            words.say(.settingsTitle), models.me.signedInText, "mia@example.org",
                            words.say(.settingsProfile),
                            words.say(.settingsName), words.say(.settingsSave), words.say(.seenTitle),
                            models.sharing.seenText, "Along the Rhine", row.text, words.say(.sharingStop),
                            words.say(.seenStopEverywhere), words.say(.settingsSignOut),
                            words.say(.settingsSignOutHint),
                        ])
                    )
                    // The callout of the own pin.
                    screen.map?.tap(people[0].id.description)
                    let callout = try #require(chatModels.map.callout)
                    let shown = screen.onMap.map(\.text)
                    #expect(
                        Set([callout.name, callout.email, callout.state, words.say(.personFollowShort)])
                            .isSubset(of: shown)
                    )
                    #expect(callout.name == words.say(.chatYou, ["name": "Mia Hasler"]))
                    screen.onMap.first { $0.role == .button }?.press?()
                    #expect(screen.onMap.map(\.text).contains(words.say(.appUnfollow)))
                    screen.map?.drag(east: 0.5)
                    #expect(screen.onMap.map(\.text).contains(words.say(.personFollowShort)))

                    let home = ground.screen { SharingLine(sharing: models.sharing) }
                    #expect(home.texts == [models.sharing.statusText] && !models.sharing.statusText.isEmpty)

                    try screen.press(words.say(.sharingHourMore))
                    try await wait { models.sharing.row(in: chat).text != row.text }
                    try screen.press(words.say(.sharingStop))
                    try await wait { models.sharing.row(in: chat).state == .off }
                    #expect(screen.texts.contains(words.say(.sharingShare)) && home.texts.isEmpty)
                    #expect(!me.canPress(words.say(.seenStopEverywhere)))

                    // Once more, and stopped from the screen of the person.
                    models.sharing.share(in: chat, for: .untilStop)
                    try await wait { me.canPress(words.say(.seenStopEverywhere)) }
                    try me.press(words.say(.seenStopIn, ["chat": "Along the Rhine"]))
                    try await wait { models.sharing.row(in: chat).state == .off }
                }
            }
        }
    }
}
