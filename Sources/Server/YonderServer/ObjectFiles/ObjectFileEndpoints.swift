import HTTPTypes
import HummingbirdCore
import YonderAccounts
import YonderHub
import YonderJSON
import YonderModel
import YonderRules
import YonderObjects
import YonderREST

/// The REST endpoints for importing and exporting objects as files.
///
/// `ObjectService` registers them; an import is read by `ObjectImport` as it comes, an export written by `ObjectExport`,
/// each for one request. Only owners import; a person imports a few files at once, by `WriteAllowance`, which must be
/// ended also when the client disconnects. A body that is too long is refused before it is read. Paths, parameters and
/// types must stay (`Documentation/objects.md`, `openapi.yaml`, `ImportTests`, `ExportTests`).
struct ObjectFileEndpoints: Sendable {
    let service: ObjectService

    func register(in routes: RESTRoutes) {
        let path = "/v1/objects/{entity}"
        routes.on(
            .post,
            path + "/import",
            query: ["format", "preview", "partial", "map"],
            repeating: ["map"],
            types: ObjectFileFormat.mediaTypes
        ) { call throws(SharingError) in try await take(call) }
        routes.on(
            .get,
            path + "/export",
            access: .optional,
            query: ["format", "where"],
            repeating: ["where"]
        ) { call throws(SharingError) in try await give(call) }
    }

    private func take(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let caller = try await service.caller(call)
        let entity = try EntityRules.writable(
            service.catalog.definition(of: try call.entity, for: caller),
            by: caller
        )
        let parameters = call.query
        let wish = ObjectImport.Wish(
            entity: entity,
            format: try parameters.format(),
            overrides: try ColumnOverrides(parameters.strings("map"), in: entity),
            isPreview: try parameters.boolean("preview") ?? false,
            isPartial: try parameters.boolean("partial") ?? false,
            caller: caller,
            warrant: try service.warrant(call)
        )
        let length = try call.checkFile(wish.format)
        let allowance = service.writes.allowance(of: try call.caller.user)
        if let error = allowance.beginImport() { throw error }
        defer { allowance.endImport() }
        var run = ObjectImport(wish, into: service.catalog, accounts: service.accounts, now: service.now)
        return try await run.run(call.request.body, length: length)
    }

    private func give(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let name = try call.entity
        let reader = try await service.reader(of: name, call)
        let entity = try service.catalog.definition(of: name, for: reader)
        let parameters = call.query
        let export = ObjectExport(
            catalog: service.catalog,
            entity: entity,
            criteria: try parameters.criteria(in: entity),
            format: try parameters.format(),
            reader: reader,
            turn: call.turn,
            right: OngoingRight(
                try call.readingWarrant(needsOperator: reader == .owner),
                accounts: service.accounts,
                now: service.now
            )
        )
        return try await export.answer()
    }
}

extension RESTCall {
    /// Checks the request's headers before the body is read; returns the `Content-Length`, or `nil` if there
    /// is none.
    ///
    /// - Throws: `invalidFrame`, `tooLarge`.
    fileprivate func checkFile(_ format: ObjectFileFormat) throws(SharingError) -> Int? {
        try checkContentType(FieldNames([format.mediaType]))
        guard request.headers[.contentEncoding]?.utf8.isIgnoringCase("identity") ?? true else {
            throw SharingError(
                .invalidFrame,
                "Content-Encoding must be identity; send the file uncompressed."
            )
        }
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard length ?? 0 <= ObjectImport.byteLimit else { throw .fileTooLarge }
        return length
    }
}
