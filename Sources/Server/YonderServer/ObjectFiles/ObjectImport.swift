import Hummingbird
import NIOCore
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects
import YonderREST

/// Reads a file as it arrives, and submits its rows to the store in batches.
///
/// While enough batches are under way, no more of the body is read, which slows down the sender. A batch that
/// was submitted is stored, even if a later one fails.
///
/// `ObjectFileEndpoints` makes one for each import, after `WriteAllowance` admitted it, and runs it once. A row that is
/// refused is in the report, and the others go on; a file that can't be read at all throws. A row with the id of an object
/// changes it; any other makes a new one, also when the same file is imported again. What a column becomes is decided by
/// `ColumnPlan` and `RowDraft`, what a row may change by `ObjectRules`. The report is REST's (`Documentation/objects.md`,
/// `ImportTests`).
///
/// ``byteLimit`` is promised there, too. The size of a batch and how many are under way may be changed; that rows are
/// submitted in the order of the file must stay.
struct ObjectImport: Sendable {
    /// The most bytes of a file.
    static let byteLimit = 256 << 20

    /// The most rows, and about how many bytes of the file, in one batch.
    private static let batchLimit = (rows: 256, bytes: 1 << 20)

    /// The most batches under way in the store.
    private static let batchesInFlight = 2

    /// The import that a request asks for.
    struct Wish: Sendable {
        let entity: Entity
        let format: ObjectFileFormat
        let overrides: ColumnOverrides
        /// Whether to write nothing and only report the outcome.
        let isPreview: Bool
        /// Whether the file may be cut off at its end.
        let isPartial: Bool
        let caller: ObjectCaller
        /// The right by which the rows are written, which may end while the file comes.
        let warrant: Warrant
    }

    private let catalog: ObjectCatalog
    private let accounts: any AccountStore
    private let wish: Wish
    private let now: @Sendable () -> Timestamp
    private var rows: any ObjectRows
    private var report = ImportReport()
    private var batch: [FileRow] = []
    private var batchBytes = 0
    private var inFlight: [(rows: [FileRow], answer: BatchAnswer)] = []

    init(
        _ wish: Wish,
        into catalog: ObjectCatalog,
        accounts: any AccountStore,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.catalog = catalog
        self.accounts = accounts
        self.wish = wish
        self.now = now
        rows =
            switch wish.format {
            case .csv: CSVRows(wish.entity, wish.overrides)
            case .geojson: GeoJSONRows(wish.entity, wish.overrides)
            }
    }

    /// Reads the file to its end, and returns the report; `length` is the expected number of bytes, or `nil`
    /// if unknown.
    ///
    /// - Throws: `invalidFile`, `tooLarge`, `tooMany`, `unknownField`, `invalidField`, `invalidFrame`;
    ///   `unavailable`, `unknownEntity`, `notAllowed` or `notSignedIn` if the store refuses further rows. The message gives
    ///   the number of objects stored until then.
    mutating func run(_ body: RequestBody, length: Int?) async throws(SharingError) -> RESTAnswer {
        do throws(SharingError) {
            try await read(body, length)
            try await submit()
            while !inFlight.isEmpty { try await settleFirst() }
        } catch {
            throw await ended(by: error)
        }
        let (report, columns, isPreview) = (report, rows.columns, wish.isPreview)
        return .json { $0.report(report, columns, isPreview: isPreview) }
    }

    private mutating func read(_ body: RequestBody, _ length: Int?) async throws(SharingError) {
        var count = 0
        do {
            for try await piece in body {
                count += piece.readableBytes
                guard count <= Self.byteLimit else { throw SharingError.fileTooLarge }
                batchBytes += piece.readableBytes
                try await take(try rows.read(Array(piece.readableBytesView)))
            }
        } catch let error as SharingError {
            throw error
        } catch {
            throw SharingError.endedEarly
        }
        guard count > 0 || length ?? 0 > 0 else {
            throw SharingError(.invalidFile, "The body is missing; send the file.")
        }
        // A server that shuts down stops reading, which looks like the end of the file.
        guard !Task.isCancelled, count == length ?? count else { throw .endedEarly }
        try await take(try rows.finish(isPartial: wish.isPartial))
    }

    private mutating func take(_ rows: [FileRow]) async throws(SharingError) {
        for row in rows {
            batch.append(row)
            if batch.count >= Self.batchLimit.rows { try await submit() }
        }
        if batchBytes >= Self.batchLimit.bytes { try await submit() }
    }

    /// Waits for the batches under way, and adds the number of stored objects to the error's message.
    private mutating func ended(by error: SharingError) async -> SharingError {
        while !inFlight.isEmpty {
            do throws(SharingError) { try await settleFirst() } catch { continue }
        }
        guard !wish.isPreview else { return error }
        var error = error
        error.message += " After row \(report.rows); \(report.kept) objects were kept."
        return error
    }
}

// Batches.
extension ObjectImport {
    private mutating func submit() async throws(SharingError) {
        batchBytes = 0
        guard !batch.isEmpty else { return }
        let rows = batch
        batch = []
        let imported = rows.compactMap { try? $0.result.get() }
        let (name, caller, time) = (wish.entity.name, wish.caller, now())
        let warrant = wish.warrant.used(at: time)
        let known = try await objects(imported.compactMap(\.id), of: name)
        let submissions = imported.map { row in
            let isKnown = row.id.map { known[$0] != nil } ?? false
            return row.submission(for: name, isKnown: isKnown, by: caller, at: time, under: warrant)
        }
        let answer = BatchAnswer()
        if wish.isPreview {
            try await accounts.judge(warrant)
            answer.give(try await check(submissions, known))
        } else {
            while inFlight.count >= Self.batchesInFlight { try await settleFirst() }
            catalog.change(submissions) { answer.give($0) }
        }
        inFlight.append((rows, answer))
        if wish.isPreview { try await settleFirst() }
    }

    /// Waits for the answer to the oldest batch and records it.
    ///
    /// - Throws: The first error that doesn't concern a single row.
    private mutating func settleFirst() async throws(SharingError) {
        let (rows, answer) = inFlight.removeFirst()
        var results = await answer.results.makeIterator()
        var end: SharingError?
        for row in rows {
            let result = row.result.flatMap { _ in results.next() ?? .failure(.unanswered) }
            if case .failure(let error) = result, error.endsImport { end = end ?? error }
            report.take(row, result, isPreview: wish.isPreview)
        }
        if let end { throw end }
    }

    private func objects(_ ids: [ObjectID], of entity: EntityName) async throws(SharingError)
        -> [ObjectID: Object]
    {
        var found: [ObjectID: Object] = [:]
        var rest = ids[...]
        while !rest.isEmpty {
            let page = Array(rest.prefix(ObjectQuery.maximumLimit))
            rest = rest.dropFirst(page.count)
            for object in try await catalog.store.objects(page, of: entity, for: wish.caller) {
                found[object.id] = object
            }
        }
        return found
    }

    /// Returns the results that the store would give, without writing.
    private func check(
        _ submissions: [ObjectSubmission],
        _ known: [ObjectID: Object]
    ) async throws(SharingError) -> BatchAnswer.Results {
        let targets = try await targets(of: submissions)
        return submissions.map { submission in
            let surroundings = ObjectRules.Surroundings(
                object: known[submission.object],
                targets: targets
            )
            return Result { () throws(SharingError) in
                try ObjectRules.decide(submission, in: wish.entity, surroundings).change
            }
        }
    }

    private func targets(of submissions: [ObjectSubmission]) async throws(SharingError)
        -> [ObjectID: EntityName]
    {
        let ids = Array(submissions.reduce(into: Set()) { $0.formUnion($1.references) })
        var targets: [ObjectID: EntityName] = [:]
        guard !ids.isEmpty else { return targets }
        for entity in Set(wish.entity.definition.fields.compactMap(\.type.target)) {
            for id in try await objects(ids, of: entity).keys { targets[id] = entity }
        }
        return targets
    }
}

extension SharingError {
    static let fileTooLarge = SharingError(
        .tooLarge,
        "The file must have at most \(ObjectImport.byteLimit) bytes."
    )

    fileprivate static let endedEarly = SharingError(
        .invalidFrame,
        "The body must be as long as its Content-Length; it ended earlier."
    )

    fileprivate static let unanswered = SharingError(
        .internalError,
        "The store didn't answer; export the objects before you send the rows again."
    )

    /// Whether every further row would be refused with the same error.
    fileprivate var endsImport: Bool {
        [.unavailable, .unknownEntity, .notAllowed, .notSignedIn, .internalError].contains(code)
    }
}
