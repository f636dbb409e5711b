// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension Binding {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.init(reading: get, writing: set)
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
