import Testing
import YonderModel
package import YonderRules

/// A store that keeps both chats and accounts, and tells what it commits.
package typealias TestedStore = any (ChatStore & AccountStore & CommitSource)

/// A promise that every store keeps, as a test: its name says what.
package struct StoreRule: Sendable, CustomTestStringConvertible {
    /// The promise.
    package let testDescription: String

    /// Tries it on an empty store.
    package let check: @Sendable (TestedStore) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (StoreTown) async throws -> Void) {
        testDescription = name
        self.check = { try await check(StoreTown(store: $0)) }
    }

    /// All of them.
    package static let all =
        log + keys + times + reading + reads + locating + queries + emptying + erasing + starting + joining
        + staying
        + people
        + accounts
        + secrets + operators + shares + signInEnds + commits + warrants
}

/// Expects a refusal.
func expectRefusal<Value>(
    _ code: SharingError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    do {
        let value = try await body()
        Issue.record("\(code) was expected, came \(value)", sourceLocation: sourceLocation)
    } catch {
        #expect((error as? SharingError)?.code == code, sourceLocation: sourceLocation)
    }
}
