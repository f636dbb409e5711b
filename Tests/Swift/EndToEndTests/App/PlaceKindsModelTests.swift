import Testing
import YonderClient
import YonderModel
import YonderRequests

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct PlaceKindsModelTests {
    @Test func `the first kind of places is chosen, and a server without places says so`() async throws {
        try await AppGround.running { ground in
            let phone = try await ground.signedIn(try await ground.person("Mia Hasler"))
            let without = PlaceKindsModel(of: phone, ground.context)
            #expect(without.text == "Looking…" && without.places == nil)
            try await showing(without.run) {
                try await wait { without.text == "No places here" }
                #expect(!without.offersChoice && without.places == nil)
            }
            _ = try await ground.makePlaces()
            let model = PlaceKindsModel(of: phone, ground.context)
            try await showing(model.run) {
                try await wait { model.places != nil }
                #expect(model.kinds.map(\.name) == ["Restaurant"] && !model.offersChoice)
                #expect(model.places?.title == "Restaurant")
                let kind = try #require(model.kinds.first)
                let record = try #require(try await phone.requests.objects(of: kind.id).objects.first)
                let field = try #require(FieldName("place"))
                let place = try #require(MapObject(record, field: field))
                let shown = model.place(place)
                #expect(shown.lines.map(\.name) == ["Name", "Place"])
                #expect(shown.title == shown.lines.first?.text && !shown.title.isEmpty)
            }
        }
    }
}
