import Foundation
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel

extension Caller {
    /// The same connection without an account.
    var stranger: Caller { Caller(server: server, client: client) }

    /// Makes an entity of cafés: a name that each has, a rating, where it is, and one that is like it.
    func makeCafes(readers: String = "members") async throws {
        let reply = try await post(
            "/v1/entities",
            #"""
            {"name":"cafe","readers":"\#(readers)","fields":[{"name":"name","type":"text","required":true},
             {"name":"rating","type":"number"},{"name":"at","type":"location"},
             {"name":"like","type":"reference","entity":"cafe"}]}
            """#
        )
        try #require(reply.status == 201, "\(reply.text)")
    }

    /// Makes a café; answers its id.
    @discardableResult
    func makeCafe(_ name: String, rating: Int? = nil, at place: (Double, Double)? = nil) async throws
        -> String
    {
        var fields = [#""name":"\#(name)""#]
        if let rating { fields.append(#""rating":\#(rating)"#) }
        if let place { fields.append(#""at":{"latitude":\#(place.0),"longitude":\#(place.1)}"#) }
        let reply = try await post("/v1/objects/cafe", #"{"fields":{\#(fields.joined(separator: ","))}}"#)
        try #require(reply.status == 201, "\(reply.text)")
        return try #require(reply.object("object")["id"] as? String)
    }

    /// Asks with conditions, each in need of escapes.
    func get(_ path: String, where conditions: [String]) async throws -> Reply {
        let escaped = conditions.compactMap {
            $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        }
        try #require(escaped.count == conditions.count)
        let separator = path.contains("?") ? "&" : "?"
        return try await get(path + separator + escaped.map { "where=\($0)" }.joined(separator: "&"))
    }
}

extension Reply {
    /// A field of each object of the answer that has it.
    func values(_ field: String) -> [String] {
        list("objects").compactMap { ($0["fields"] as? [String: Any])?[field].map { "\($0)" } }
    }

    /// The ids of the answer's objects.
    var ids: [String] { list("objects").compactMap { $0["id"] as? String } }
}
