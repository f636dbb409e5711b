/// Answers on their way out, in the order of their commits.
struct MemoryAnswers: Sendable {
    private var waiting: [@Sendable () -> Void] = []
    private var taken = 0
    private var isDelivering = false

    /// Queues an answer; returns `true` if the caller must deliver it and those queued meanwhile.
    mutating func append(_ answer: @escaping @Sendable () -> Void) -> Bool {
        waiting.append(answer)
        defer { isDelivering = true }
        return !isDelivering
    }

    mutating func next() -> (@Sendable () -> Void)? {
        guard taken < waiting.count else {
            waiting.removeAll(keepingCapacity: true)
            taken = 0
            isDelivering = false
            return nil
        }
        defer { taken += 1 }
        return waiting[taken]
    }
}
