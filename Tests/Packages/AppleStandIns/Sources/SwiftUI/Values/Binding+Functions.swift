// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension Binding {
    /// Apple's closures are of any isolation; here they are of the main actor, on which a test reads and writes.
    public init(
        get: @escaping @MainActor @Sendable () -> Value,
        set: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        self.init(
            reading: {
                // Safe because the closure ends before the value is read.
                nonisolated(unsafe) var values: [Value] = []
                MainActor.assumeIsolated { values.append(get()) }
                return values[0]
            },
            writing: { value in
                // Safe because the closure ends before anything else reads the value.
                nonisolated(unsafe) let value = value
                MainActor.assumeIsolated { set(value) }
            }
        )
    }
}

public struct Animation: Hashable, Sendable {
    public static let `default` = Animation()
}

/// Performs the changes at once: there are no animations.
public func withAnimation<Result>(
    _ animation: Animation? = .default,
    _ body: () throws -> Result
) rethrows -> Result {
    try body()
}
