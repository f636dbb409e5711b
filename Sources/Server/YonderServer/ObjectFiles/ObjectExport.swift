import Hummingbird
import NIOCore
import YonderHub
import YonderModel
import YonderObjects
import YonderRules
import YonderREST
import YonderTransport

/// Writes an entity's objects to a file, oldest first, at the pace of the receiver.
///
/// Objects are read from the store page by page, and memory holds one page. With criteria each page takes a turn in the queue
/// of queries, as up to 10 000 objects are read for it, of which none may be written. The export ends if the receiver
/// disconnects, also where nothing is written.
///
/// An error before the first byte is the answer; one later cuts the body short, which a client sees by the missing end of
/// the chunks; so does the end of the reader's right. Objects that change meanwhile are written once, as they were when
/// their page was read.
struct ObjectExport: Sendable {
    let catalog: ObjectCatalog
    let entity: Entity
    let criteria: ObjectCriteria
    let format: ObjectFileFormat
    let reader: ObjectCaller

    /// By whom its pages wait in the queue of queries.
    let turn: TurnTaker

    /// The reader's right, which may end while the file is written.
    let right: OngoingRight

    /// Returns the file.
    ///
    /// The first page is read before this returns, so that an error still sets the response's status.
    ///
    /// - Throws: `unknownEntity`, `unknownField`, `invalidField`, `unavailable`; `tooManyRequests` if the queue of queries is
    ///   full.
    func answer() async throws(SharingError) -> RESTAnswer {
        let first = try await page(after: nil)
        return RESTAnswer(
            status: .ok,
            headers: [
                .contentType: format == .csv ? "text/csv; charset=utf-8" : format.mediaType.description,
                .contentDisposition: "attachment; filename=\"\(entity.name).\(format.rawValue)\"",
                .cacheControl: "no-store",
            ],
            body: stream(first)
        )
    }

    /// How many objects are written at once.
    private static let partLimit = 100

    private func page(after cursor: ObjectCursor?) async throws(SharingError) -> ObjectPage {
        let query = ObjectQuery(entity.name, where: criteria, after: cursor, limit: ObjectQuery.maximumLimit)
        return try await ClientPresence.whileThere { () async throws(SharingError) in
            try await catalog.page(query, for: reader, turn: turn)
        }
    }

    private func stream(_ first: ObjectPage) -> ResponseBody {
        ResponseBody { body in
            var file: any ObjectFileWriter =
                switch format {
                case .csv: CSVObjectWriter(entity)
                case .geojson: GeoJSONObjectWriter(entity)
                }
            var (page, right) = (first, right)
            while true {
                for (index, object) in page.objects.enumerated() {
                    file.write(object)
                    guard index % Self.partLimit == Self.partLimit - 1 else { continue }
                    try await body.write(ByteBuffer(bytes: file.takeBytes()))
                    try await right.judgeIfDue()
                }
                let rest = file.takeBytes()
                if !rest.isEmpty { try await body.write(ByteBuffer(bytes: rest)) }
                guard let next = page.next else { break }
                try Task.checkCancellation()
                try await right.judge()
                page = try await self.page(after: next)
            }
            file.finish()
            try await body.write(ByteBuffer(bytes: file.takeBytes()))
            try await body.finish(nil)
        }
    }
}
