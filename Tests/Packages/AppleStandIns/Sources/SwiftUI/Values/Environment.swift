// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Observation

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Self.Value { get }
}

public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// An object by its type.
    subscript<T: AnyObject>(object type: T.Type) -> T? {
        get { values[ObjectIdentifier(type)] as? T }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}

public enum ScenePhase: Comparable, Sendable {
    case background
    case inactive
    case active
}

private struct ScenePhaseKey: EnvironmentKey {
    static var defaultValue: ScenePhase { .active }
}

private struct IsEnabledKey: EnvironmentKey {
    static var defaultValue: Bool { true }
}

extension EnvironmentValues {
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    public var isEnabled: Bool {
        get { self[IsEnabledKey.self] }
        set { self[IsEnabledKey.self] = newValue }
    }
}

/// What a view's property has read of its environment.
final class EnvironmentLocation {
    var values = EnvironmentValues()
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let location = EnvironmentLocation()
    private let read: (EnvironmentValues) -> Value?

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        read = { $0[keyPath: keyPath] }
    }

    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        read = { $0[object: objectType] }
    }

    public var wrappedValue: Value {
        guard let value = read(location.values) else {
            preconditionFailure("There is no \(Value.self) in the environment.")
        }
        return value
    }
}

extension Environment: ConnectedProperty {
    func connect(_ name: String, to reading: Reading) {
        location.values = reading.environment
    }
}

extension View {
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V)
        -> some View
    {
        read { content, reading in
            reading.with({ $0[keyPath: keyPath] = value }) { content.read(in: reading) }
        }
    }

    public func environment<T>(_ object: T?) -> some View where T: AnyObject, T: Observable {
        read { content, reading in
            reading.with({ $0[object: T.self] = object }) { content.read(in: reading) }
        }
    }
}
