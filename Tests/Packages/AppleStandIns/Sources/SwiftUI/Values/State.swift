// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Observation

public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

/// A value that outlives its view.
@Observable
final class StateBox<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// Where a state's value lies now: all copies of the view's value share it.
final class StateLocation<Value> {
    var box: StateBox<Value>
    init(_ value: Value) { box = StateBox(value) }
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    private let location: StateLocation<Value>

    public init(wrappedValue value: Value) { location = StateLocation(value) }

    public init(initialValue value: Value) { location = StateLocation(value) }

    public var wrappedValue: Value {
        get { location.box.value }
        nonmutating set { location.box.value = newValue }
    }

    public var projectedValue: Binding<Value> {
        let box = location.box
        return Binding(reading: { box.value }, writing: { box.value = $0 })
    }
}

extension State: ConnectedProperty {
    func connect(_ name: String, to reading: Reading) {
        location.box = reading.remembered(name) { location.box }
    }
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    init(reading read: @escaping () -> Value, writing write: @escaping (Value) -> Void) {
        (self.read, self.write) = (read, write)
    }

    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    public var projectedValue: Binding<Value> { self }

    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(reading: { value }, writing: { _ in })
    }

    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            reading: { read()[keyPath: keyPath] },
            writing: { value in
                var whole = read()
                whole[keyPath: keyPath] = value
                write(whole)
            }
        )
    }
}

@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    public var wrappedValue: Value

    fileprivate init(object: Value) { wrappedValue = object }

    @available(*, unavailable, message: "The wrapped value must be an object that conforms to Observable")
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }

    public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject {
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<
        Subject
    > {
        let object = wrappedValue
        return Binding(reading: { object[keyPath: keyPath] }, writing: { object[keyPath: keyPath] = $0 })
    }
}

extension Bindable where Value: AnyObject & Observable {
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }

    public init(_ wrappedValue: Value) { self.init(object: wrappedValue) }

    public init(projectedValue: Bindable<Value>) { self = projectedValue }
}
