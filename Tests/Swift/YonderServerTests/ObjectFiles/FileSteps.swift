import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import YonderAccounts
import YonderModel

extension Caller {
    /// Sends a file.
    func send(
        _ file: String,
        to path: String = "/v1/objects/cafe/import?format=csv",
        as type: String = "text/csv"
    ) async throws -> Reply {
        try await send(Array(file.utf8), to: path, as: type)
    }

    /// Sends a file.
    func send(_ file: [UInt8], to path: String, as type: String) async throws -> Reply {
        let caller = with(.contentType, type)
        let body = ByteBuffer(bytes: file)
        return Reply(try await client.execute(uri: path, method: .post, headers: caller.headers, body: body))
    }

    /// Sends a GeoJSON file.
    func sendFeatures(_ file: String, query: String = "") async throws -> Reply {
        try await send(file, to: "/v1/objects/cafe/import?format=geojson\(query)", as: "application/geo+json")
    }

    /// The fields of every object, as the wire has them, the oldest first.
    func cafes() async throws -> [String] {
        try await get("/v1/objects/cafe?limit=1000").list("objects").map { object in
            let fields = try #require(object["fields"])
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
            return String(
                decoding: try JSONSerialization.data(withJSONObject: fields, options: options),
                as: UTF8.self
            )
        }
    }
}

extension Reply {
    /// The numbers of an import: rows, created, changed, unchanged, refused, renamed.
    var counts: [Int] {
        ["rows", "created", "changed", "unchanged", "refused", "renamed"].map { integer($0) ?? -1 }
    }

    /// The refused rows, each with its code.
    var refusals: [String] {
        list("errors").map { "\($0["row"] ?? "?") \($0["code"] ?? "?")" }
    }
}
