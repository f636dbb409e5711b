import MapKit
import ScreenReading
import SwiftUI
import TestSupport
import Testing
import YonderClient
import YonderGeodesy
import YonderLocation
import YonderModel

@testable import EndToEndTests
@testable import YonderApp
@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct OtherScreenTests {
    @Test(arguments: ["en", "de"])
    func `two contacts are chosen, a chat with a subject is started, and its screen opens`(language: String)
        async throws
    {
        try await ScreenGround.running(language) { ground in
            let people = try await ground.ground.people("Mia Hasler", "Finn Beck", "Eva Beck")
            let phone = try await ground.ground.signedIn(people[0])
            let (words, models) = (ground.words, ground.models(of: phone))
            let screen = ground.screen { ContactsView(models: models) }
            #expect(screen.texts.contains(words.say(.pageLoading)))
            try await EndToEndTests.running(phone.client) { @MainActor in
                try await showing(screen.run) {
                    try await wait {
                        models.contacts.rows.count == 2 && models.contacts.connection.text == nil
                    }
                    #expect(
                        screen.shows([
                            words.say(.chatsNew), "Eva Beck", "eva@example.org", "Finn Beck",
                            "finn@example.org",
                            words.say(.chatsStart),
                        ])
                    )
                    #expect(!screen.canPress(words.say(.chatsStart)))
                    try screen.press("Eva Beck")
                    #expect(
                        screen.shows([words.say(.chatsKind), words.say(.chatsTwo), words.say(.chatsGroup)])
                    )
                    try screen.press("Finn Beck")
                    #expect(screen.texts.contains(words.say(.chatsSelected, count: 2)))
                    #expect(screen.all(.button).filter(\.isSelected).count == 2)
                    try screen.type("Sunday", into: words.say(.chatsAbout))
                    try screen.press(words.say(.chatsStart))
                    try await wait { screen.texts.contains("Sunday") && screen.map != nil }
                    try screen.press("Back")
                    #expect(models.contacts.opened == nil && screen.texts.contains(words.say(.chatsNew)))
                }
            }
        }
    }

    @Test(arguments: ["en", "de"])
    func `the world shows how many are here, and the person when they want to be shown`(language: String)
        async throws
    {
        try await ScreenGround.running(language) { ground in
            let people = try await ground.ground.people("Mia Hasler", "Finn Beck")
            let phone = try await ground.ground.signedIn(people[0])
            let (words, models) = (ground.words, ground.models(of: phone))
            let screen = ground.screen { WorldView(world: models.world) }
            let here = try #require(Coordinate(latitude: 47.14, longitude: 9.52))
            try await EndToEndTests.running(phone.client) { @MainActor in
                try await showing(screen.run) {
                    try await wait { screen.texts.contains(words.say(.worldNobody)) }
                    #expect(
                        screen.shows([
                            words.say(.worldNobody), words.say(.worldShowMeHint), words.say(.worldShowMe),
                            words.say(.appZoomToMe), words.say(.appFollowMe),
                        ])
                    )
                    try screen.press(words.say(.appFollowMe))
                    #expect(models.world.followsMe && screen.all(.button).contains { $0.isSelected })
                    try screen.press(words.say(.worldShowMe))
                    try await ground.device.move(along: here) { screen.texts.contains(words.say(.appShown)) }
                    try screen.press(words.say(.appHideMe))
                    try await wait { screen.texts.contains(words.say(.worldShowMe)) }
                }
            }
        }
    }

    @Test(arguments: ["en", "de"])
    func `the places in view are listed, and the selected one opens on a screen of its own`(language: String)
        async throws
    {
        try await ScreenGround.running(language) { ground in
            _ = try await ground.ground.makePlaces()
            let phone = try await ground.ground.signedIn(try await ground.ground.person("Mia Hasler"))
            let (words, models) = (ground.words, ground.models(of: phone))
            let screen = ground.screen { PlacesView(kinds: models.places) }
            #expect(screen.texts == [words.say(.placesTitle), words.say(.placesLooking)])
            try await EndToEndTests.running(phone.client) { @MainActor in
                try await showing(screen.run) {
                    try await wait { screen.map != nil }
                    let places = try #require(models.places.places)
                    screen.map?.settle()
                    try await wait { places.total == 34 && places.connection.text == nil && !places.isCached }
                    #expect(screen.shows([words.say(.placesTitle), places.text, places.rows[0].name]))
                    #expect(screen.all.contains { $0.spoken == places.spoken })
                    #expect(screen.all.contains { $0.spoken == words.say(.placesList) })
                    let row = try #require(places.rows.first { $0.name == "Bergrestaurant Sareis" })
                    try screen.press(row.name)
                    #expect(places.selection == row.pin && screen.map?.selected?.tag != nil)
                    places.open()
                    try await wait {
                        screen.texts.first == row.name || screen.texts.contains(row.name) && screen.map == nil
                    }
                    try screen.press("Back")
                    #expect(places.opened == nil && places.selection == row.pin && screen.map != nil)
                }
            }
        }
    }

    @Test(arguments: ["en", "de"])
    func `the person's name is saved, and a refused one says why`(language: String) async throws {
        try await ScreenGround.running(language) { ground in
            let phone = try await ground.ground.signedIn(try await ground.ground.person("Mia Hasler"))
            let (words, models) = (ground.words, ground.models(of: phone))
            let screen = ground.screen { MeView(me: models.me, sharing: models.sharing) }
            try await EndToEndTests.running(phone.client) { @MainActor in
                try await showing(screen.run, and: models.run) {
                    #expect(screen.texts.contains(words.say(.appNobodySees)))
                    #expect(!screen.canPress(words.say(.settingsSave)))
                    try screen.type("Mia Beck", into: words.say(.settingsName))
                    try screen.press(words.say(.settingsSave))
                    try await wait { screen.texts.contains(words.say(.pageSaved)) }
                    #expect(screen.texts.contains(words.say(.appSignedInAs, ["name": "Mia Beck"])))
                    try screen.type(String(repeating: "a", count: 1_000), into: words.say(.settingsName))
                    try screen.press(words.say(.settingsSave))
                    try await wait { models.me.problem != nil }
                    #expect(screen.texts.contains(models.me.problem ?? "?"))
                }
            }
        }
    }
}
