package import YonderModel
package import YonderRules

extension ChatStore {
    /// Submits, and returns after the commit.
    package func submit(_ submissions: [Submission]) async -> [Result<Submission.Acceptance, SharingError>] {
        await withCheckedContinuation { continuation in
            submit(submissions) { continuation.resume(returning: $0) }
        }
    }
}
