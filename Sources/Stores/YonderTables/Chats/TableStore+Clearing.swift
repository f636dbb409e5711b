package import YonderGeodesy
package import YonderModel

// The clearing's step over either database: the messages are read beside the writers, and only a short transaction clears
// them. A failure leaves the mark where it was, and the next call takes the step again (decision 15).
extension TableStore {
    /// Takes the next step of the clearing if one is due.
    ///
    /// - Parameters:
    ///   - now: The server's time.
    ///   - limit: The most rows.
    /// - Returns: The mark behind the step.
    /// - Throws: `unavailable`.
    package func clear(at now: Timestamp, limit: Int = Clearing.limit) async throws(SharingError) -> Clearing
    {
        guard let mark = try await first(Clearing.mark) else { throw SharingError.storeFailed }
        guard mark.isDue(at: now) else { return mark }
        let places = try await rows(mark.next(limit: limit))
        return try await transact(places.contains(where: \.isLeft) ? .erasing : .repeatable) {
            try mark.clear(places, limit: limit, at: now, $0)
        }
    }
}
