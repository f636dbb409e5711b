import MapKit
import ScreenReading
import SwiftUI
import TestSupport
import YonderClient
import YonderLocation
import YonderModel
import YonderRequests

@testable import EndToEndTests
@testable import YonderApp
@testable import YonderAppModels

/// The example's screens on the phone of one of the demo's people, with a real server.
@MainActor struct ScreenGround {
    /// The language that the phone speaks.
    let language: String

    let ground: AppGround

    /// The phone's Core Location.
    let device = MemorySource()

    /// The texts as the models have them.
    var words: AppContext { ground.context }

    /// Runs a server beside `body`, for a phone in a language.
    static func running(
        _ language: String,
        _ body: @escaping @MainActor @Sendable (ScreenGround) async throws -> Void
    ) async throws {
        try await AppGround.running { server in
            var ground = server
            ground.languages = [language]
            try await body(ScreenGround(language: language, ground: ground))
        }
    }

    /// An app whose keychain has no session.
    var app: AppModel {
        AppModel(ground.signIn(MemorySessionStore()), from: LocationProvider(source: device))
    }

    /// Creates the models of a signed-in account's screens.
    func models(of person: SignedInUser) -> PersonModels {
        PersonModels(of: person, app.signIn, from: LocationProvider(source: device))
    }

    /// A screen with the phone's words.
    func screen(_ view: @escaping @MainActor () -> any View) -> Screen {
        let screen = Screen(view)
        screen.environment.words = words
        return screen
    }
}

extension Screen {
    /// The map that is on the screen.
    var map: ShownMap? { all(.foreign).lazy.compactMap { $0.view as? ShownMap }.first }

    /// What stands at the pins of the map, among it the callout of the selected one.
    var onMap: [Element] { (map?.items ?? []).flatMap(\.elements).flatMap(\.all) }

    /// Whether all of these texts are on the screen, in this order, with others among them.
    func shows(_ wanted: [String]) -> Bool {
        var rest = texts[...]
        for text in wanted where !text.isEmpty {
            guard let index = rest.firstIndex(of: text) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }
}
