package import YonderModel

// How the stores make an answer of what a body threw: a refusal of a rule passes, a failure of SQLite's becomes
// `unavailable`, whose text tells clients nothing of the disk.

extension Result where Failure == SharingError {
    /// Returns the result of `body`; an error other than a `SharingError` becomes `unavailable`.
    package static func catching(_ body: () throws -> Success) -> Result<Success, SharingError> {
        do {
            return .success(try body())
        } catch let error as SharingError {
            return .failure(error)
        } catch {
            return .failure(.storeFailed)
        }
    }
}
