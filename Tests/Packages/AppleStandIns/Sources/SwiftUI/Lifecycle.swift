// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        changing { elements, reading in
            reading.inside("task") { reading.add(.task(id: 0, action: action)) }
            return elements
        }
    }

    public func task<T: Equatable>(
        id value: T,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        changing { elements, reading in
            reading.inside("task") { reading.add(.task(id: AnyHashable(Compared(value)), action: action)) }
            return elements
        }
    }

    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        changing { elements, reading in
            reading.inside("appear") { reading.add(.appearance { action?() }) }
            return elements
        }
    }

    public func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        changing { elements, reading in
            let new = AnyHashable(Compared(value))
            reading.inside("change") {
                reading.add(
                    .change(new, isInitial: initial) { old in
                        action((old.base as? Compared<V>)?.value ?? value, value)
                    }
                )
            }
            return elements
        }
    }

    public func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping () -> Void
    ) -> some View {
        onChange(of: value, initial: initial) { _, _ in action() }
    }
}

/// A value that can only be compared, where a key is needed.
private struct Compared<Value: Equatable>: Hashable {
    let value: Value
    init(_ value: Value) { self.value = value }
    func hash(into hasher: inout Hasher) {}
}
