import Foundation
import Testing
import YonderClient
import YonderHub
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct PlacesModelTests {
    /// The demo's country, and a street of it.
    private static let country = Region(west: 9.45, south: 47.0, east: 9.7, north: 47.3)
    private static let north = Region(west: 9.45, south: 47.2, east: 9.7, north: 47.3)

    @Test
    func `the map is moved twice in a row, and the selected place stays selected, also through its callout`()
        async throws
    {
        try await AppGround.running { ground in
            let entity = try await ground.makePlaces()
            let phone = try await ground.signedIn(try await ground.person("Mia Hasler"))
            let (country, north) = (try #require(Self.country), try #require(Self.north))
            let model = PlacesModel(of: entity, for: phone, AppContext(languages: ["en"], timeZone: .gmt))
            #expect(model.title == "Restaurant" && model.text == "Looking…")
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    model.look(at: country)
                    try await wait { model.text == "34 places" }
                    #expect(model.rows.count == 34 && !model.isCached)
                    let sareis = try #require(model.rows.first { $0.name == "Bergrestaurant Sareis" })
                    model.selection = sareis.pin
                    #expect(model.callout == sareis && sareis.openSpoken == "Open Bergrestaurant Sareis")

                    // It lies in the south. MapKit moves the map once more as the callout opens.
                    model.look(at: north)
                    model.look(at: north.padded(by: 0.1))
                    try await wait { (model.total ?? 34) < 34 && !model.isCached }
                    #expect(!model.rows.contains(sareis) && model.annotations.objects[sareis.pin] != nil)
                    #expect(model.callout == sareis && model.selection == sareis.pin)
                    model.open()
                    #expect(model.opened?.id == sareis.id && model.callout == sareis)

                    // What was seen before is shown at once, and then asked for.
                    model.look(at: country)
                    try await wait { model.total == 34 }
                    #expect(model.isCached && model.text == "34 places · as seen before")
                    try await wait { !model.isCached && model.rows.count == 34 }
                    #expect(model.callout == sareis)
                }
            }
        }
    }

    @Test func `more than are listed are counted, what changes is shown, and a cut is said and made good`()
        async throws
    {
        try await AppGround.running { ground in
            let entity = try await ground.makePlaces()
            let phone = try await ground.signedIn(try await ground.person("Mia Hasler"))
            var settings = RegionQuerySettings()
            settings.limit = 32
            let german = AppContext(languages: ["de-LI"], timeZone: .gmt)
            let model = PlacesModel(of: entity, for: phone, german, settings: settings)
            let country = try #require(Self.country)
            try await running(phone.client) { @MainActor in
                try await showing(model.run) {
                    model.look(at: country)
                    try await wait { model.text == "32 von 34" }
                    #expect(model.spoken == "32 von 34 Orten hier werden gezeigt." && model.rows.count == 32)
                    model.selection = model.rows[0].pin
                    let chosen = try #require(model.callout)
                    try await ground.delete(model.rows[1].id, of: entity)
                    try await wait { model.total == 33 }
                    ground.line.cut()
                    try await wait { model.connection.text == "Verbindung wird wiederhergestellt …" }
                    #expect(model.rows.count == 32 && model.callout == chosen)
                    try await ground.delete(model.rows[2].id, of: entity)
                    model.look(at: country.padded(by: 0.5))
                    ground.line.mend()
                    try await wait { model.total == 32 && model.connection.text == nil }
                    #expect(model.callout == chosen)
                    try await ground.delete(chosen.id, of: entity)
                    try await wait { model.callout == nil }
                    #expect(model.problem == "Diesen Ort gibt es hier nicht mehr.")
                }
            }
        }
    }
}

extension AppGround {
    fileprivate func delete(_ object: ObjectID, of entity: Entity) async throws {
        try await server.catalog.change(
            ObjectSubmission(entity: entity.name, caller: .owner, action: .delete(object), time: .now)
        )
    }
}
