import TestSupport
import Testing
import YonderModel

@testable import YonderServer

@Suite struct ColumnPlanTests {
    @Test(arguments: [
        (
            "id,name,rating,latitude,longitude,altitude,address",
            "id name rating at.latitude at.longitude at.altitude at.address"
        ),
        ("ID;NAME;Lat;Lng", "id name at.latitude at.longitude"), ("name,Name,NAME", "name - -"),
        ("Name,name", "- name"), ("at,lat,lon", "at - -"), ("x,y,name", "at.longitude at.latitude name"),
        ("lat,name", "- name"), ("Anschrift,Breitengrad,Längengrad", "at.address at.latitude at.longitude"),
        ("created,updated,", "- - -"),
    ])
    func `a column goes where its name says`(columns: String, expected: String) throws {
        #expect(try plan(columns, Self.cafe) == expected)
    }

    @Test func `a field comes before a part of the location`() throws {
        let entity = Self.entity([("lat", .number), ("address", .text), ("at", .location)])
        #expect(try plan("lat,lon,address,Adresse", entity) == "lat - address at.address")
    }

    @Test func `a location may be called like one of its parts`() throws {
        let entity = Self.entity([("address", .location)])
        #expect(try plan("address", entity) == "address")
        #expect(try plan("lat,lon,address", entity) == "address.latitude address.longitude address.address")
    }

    @Test func `given targets come before guesses by name`() throws {
        #expect(try plan("name,titel,rating", Self.cafe, "titel:name", "rating:") == "- name -")
        #expect(
            try plan("N,E,lat,lon", Self.cafe, "N:at.latitude", "E:at.longitude")
                == "at.latitude at.longitude - -"
        )
        #expect(try plan("geo:lat,lat,lon", Self.cafe, "geo:lat:rating") == "rating at.latitude at.longitude")
        #expect(try plan("id,nr", Self.cafe, "id:", "nr:id") == "- id")
        #expect(try plan("place,lat,lon", Self.cafe, "place:at") == "at - -")
    }

    @Test(arguments: [
        ["name"], ["name:nothing"], ["name:name.latitude"], ["name:at.size"], ["name:at.latitude.x"],
        ["name:name", "name:rating"], ["name:name", "b:name"], ["name:at.latitude"],
        ["name:at", "b:at.address"],
    ])
    func `invalid targets are refused`(map: [String]) {
        #expect(throws: SharingError.self) { try plan("name,b", Self.cafe, map) }
    }

    private static let cafe = entity([("name", .text), ("rating", .number), ("at", .location)])

    static func entity(_ fields: [(String, FieldType)]) -> Entity {
        let fields = fields.compactMap { name, type in FieldName(name).map { Field($0, type) } }
        return ObjectSamples.stored(EntityDefinition(ObjectSamples.entity("cafe"), fields: fields))
    }

    private func plan(_ columns: String, _ entity: Entity, _ map: String...) throws -> String {
        try plan(columns, entity, map)
    }

    private func plan(_ columns: String, _ entity: Entity, _ map: [String]) throws -> String {
        let columns = columns.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" }.map(
            String.init
        )
        let plan = try ColumnPlan(columns, in: entity, ColumnOverrides(map, in: entity))
        return plan.targets.map { target in
            guard case .part(let part, of: let field)? = target else { return target?.name ?? "-" }
            return "\(field.name).\(part.rawValue)"
        }
        .joined(separator: " ")
    }
}
