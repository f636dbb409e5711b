// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A view that says by itself what it holds; every other view is read through its `body`.
///
/// Apple's SwiftUI has nothing of this file; the module `ScreenReading` reads screens by it.
@MainActor package protocol ReadableView {
    func elements(in reading: Reading) -> [Element]
}

extension View {
    /// What the view holds, from the top to the bottom.
    package func read(in reading: Reading) -> [Element] {
        if let readable = self as? any ReadableView { return readable.elements(in: reading) }
        return reading.inside("\(Self.self)") {
            reading.connect(self)
            if let foreign = self as? any UIViewRepresentable { return foreign.represented(in: reading) }
            return body.read(in: reading)
        }
    }

    /// This view, with an identity of its own.
    public func id<ID: Hashable>(_ id: ID) -> some View {
        read { content, reading in reading.inside("id \(id)") { content.read(in: reading) } }
    }

    /// This view, whose elements are changed after each reading.
    package func changing(
        _ change: @escaping @MainActor ([Element], Reading) -> [Element]
    ) -> ChangedView<Self> {
        ChangedView(content: self) { content, reading in change(content.read(in: reading), reading) }
    }

    /// This view, read in another way.
    package func read(
        by read: @escaping @MainActor (Self, Reading) -> [Element]
    ) -> ChangedView<Self> {
        ChangedView(content: self, read: read)
    }
}

/// A view and what a modifier does to it.
package struct ChangedView<Content: View>: View, ReadableView {
    package typealias Body = Never
    let content: Content
    let read: @MainActor (Content, Reading) -> [Element]

    init(content: Content, read: @escaping @MainActor (Content, Reading) -> [Element]) {
        (self.content, self.read) = (content, read)
    }

    package func elements(in reading: Reading) -> [Element] { read(content, reading) }
}

/// What runs or is compared beside a view while it is on the screen.
package struct Effect {
    package enum Kind {
        /// Begins when the view appears or `id` changes, and is canceled when the view disappears.
        case task(id: AnyHashable, action: @Sendable () async -> Void)
        /// Is called when the view appears.
        case appearance(@MainActor () -> Void)
        /// Is called when the value has changed since the last reading.
        case change(AnyHashable, isInitial: Bool, action: @MainActor (_ old: AnyHashable) -> Void)
    }

    package let path: String
    package let kind: Kind
}

/// One reading of a screen: where it is in the tree of views, and what it has found.
@MainActor package final class Reading {
    /// The values that views read by `@Environment`.
    package var environment: EnvironmentValues

    /// What is to run beside the views that are on the screen.
    package private(set) var effects: [Effect] = []

    /// Whether the views that are read lie under another screen, or in a tab that isn't selected.
    package private(set) var isCovered = false

    private let memory: ViewMemory
    private var path: [String] = []
    private var effectCount = 0

    package init(_ memory: ViewMemory, _ environment: EnvironmentValues) {
        (self.memory, self.environment) = (memory, environment)
        memory.beginReading()
    }

    /// Reads a part of a view, whose identity is `part` among its siblings.
    package func inside<Result>(_ part: String, _ read: () -> Result) -> Result {
        path.append(part)
        defer { path.removeLast() }
        return read()
    }

    /// Reads views that aren't on the screen, and keeps their state.
    package func covered<Result>(_ read: () -> Result) -> Result {
        let wasCovered = isCovered
        isCovered = true
        defer { isCovered = wasCovered }
        return read()
    }

    /// Reads with other values of the environment.
    package func with<Result>(_ change: (inout EnvironmentValues) -> Void, _ read: () -> Result) -> Result {
        let before = environment
        change(&environment)
        defer { environment = before }
        return read()
    }

    /// Connects the view's properties with what is remembered of them.
    func connect(_ view: some View) {
        for child in Mirror(reflecting: view).children {
            (child.value as? any ConnectedProperty)?.connect(child.label ?? "", to: self)
        }
    }

    /// The object that is remembered for the present view; the one that `make` makes if it was just now read for the first time.
    package func remembered<Object: AnyObject>(_ name: String, _ make: () -> Object) -> Object {
        memory.object((path + [name]).joined(separator: "/"), make)
    }

    /// Adds what is to run beside the present view, unless it is covered.
    package func add(_ kind: Effect.Kind) {
        guard !isCovered else { return }
        effectCount += 1
        effects.append(Effect(path: (path + ["effect"]).joined(separator: "/"), kind: kind))
    }
}

/// What is remembered of the views of a screen: their state, as long as they are in the tree.
@MainActor package final class ViewMemory {
    private var objects: [String: AnyObject] = [:]
    private var read: Set<String> = []

    package init() {}

    func beginReading() {
        read = []
    }

    func object<Object: AnyObject>(_ path: String, _ make: () -> Object) -> Object {
        read.insert(path)
        if let object = objects[path] as? Object { return object }
        let object = make()
        objects[path] = object
        return object
    }

    /// Forgets the state of views that the last reading hasn't met.
    package func forgetUnread() {
        objects = objects.filter { read.contains($0.key) }
    }
}

/// A property whose value is kept outside of its view.
@MainActor protocol ConnectedProperty {
    func connect(_ name: String, to reading: Reading)
}
