package import SwiftUI
import Observation

/// A screen in the hands of a test: it is read, pressed and typed into, and its tasks run while ``run()`` does.
///
/// Each look reads the views anew, so it is never out of date. Nothing is laid out: what lies under another screen or in a tab that isn't
/// selected isn't read.
@MainActor package final class Screen {
    /// Why a test can't do what it wants to do.
    package struct NotFound: Error, CustomStringConvertible {
        package let description: String
    }

    /// The values that the views read by `@Environment`.
    package var environment = EnvironmentValues() {
        didSet { changed?.yield() }
    }

    private let root: @MainActor () -> any View
    private let memory = ViewMemory()
    private var running: [String: RunningTask] = [:]
    private var appeared: Set<String> = []
    private var compared: [String: AnyHashable] = [:]
    private var changed: AsyncStream<Void>.Continuation?

    private struct RunningTask {
        let id: AnyHashable
        let end: AsyncStream<Void>.Continuation
    }

    /// Creates the screen that shows a view.
    package init(_ root: @escaping @MainActor () -> any View) {
        self.root = root
    }

    // MARK: - Looking

    /// What is on the screen.
    package var elements: [Element] { read().elements }

    /// Everything on the screen, also inside of other elements.
    package var all: [Element] { elements.flatMap(\.all) }

    /// The texts on the screen, from the top to the bottom.
    package var texts: [String] { elements.flatMap(\.texts) }

    /// The elements of a role.
    package func all(_ role: Element.Role) -> [Element] { all.filter { $0.role == role } }

    private func read() -> (elements: [Element], effects: [Effect]) {
        let reading = Reading(memory, environment)
        let elements = root().read(in: reading)
        memory.forgetUnread()
        return (elements, reading.effects)
    }

    // MARK: - Pressing

    /// What can be pressed and is called `name`, by its text or for a voice.
    package func button(_ name: String) throws -> Element {
        let found = all.filter { $0.press != nil && $0.role != .field && $0.role != .secureField }
        let named = found.filter { $0.name == name || $0.texts.contains(name) }
        // What is called so as a whole goes first: a row of a list also contains other texts. An alert lies over what is under it.
        guard
            let element = named.last(where: { $0.name == name })
                ?? named.first(where: { $0.role != .sheet && $0.role != .alert })
        else { throw NotFound(description: "“\(name)” isn't among \(found.map(\.name)).") }
        return element
    }

    /// Whether something can be pressed now that is called `name`.
    package func canPress(_ name: String) -> Bool {
        (try? button(name))?.isEnabled ?? false
    }

    /// Presses a button, a link, a tab or an option.
    package func press(_ name: String) throws {
        let element = try button(name)
        guard element.isEnabled, let press = element.press else {
            throw NotFound(description: "“\(name)” is disabled.")
        }
        press()
    }

    /// Types into the field that is called `name`, in the place of what it holds.
    package func type(_ text: String, into name: String) throws {
        let fields = all.filter { $0.content != nil }
        guard let field = fields.first(where: { $0.name == name || $0.texts.contains(name) }) else {
            throw NotFound(description: "“\(name)” isn't among \(fields.map(\.name)).")
        }
        field.content?.wrappedValue = text
    }

    /// Turns a switch.
    package func turn(_ name: String, on isOn: Bool) throws {
        let toggles = all(.toggle)
        guard let toggle = toggles.first(where: { $0.texts.contains(name) || $0.name == name }) else {
            throw NotFound(description: "“\(name)” isn't among \(toggles.map(\.name)).")
        }
        toggle.isOn?.wrappedValue = isOn
    }

    /// Takes the sheet or alert off that was presented last.
    package func dismiss() throws {
        guard let sheet = all.last(where: { $0.role == .sheet || $0.role == .alert }) else {
            throw NotFound(description: "Nothing is presented.")
        }
        sheet.press?()
    }

    // MARK: - Running

    /// Runs the tasks of the views that are on the screen, until the task is canceled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let (changes, changed) = AsyncStream.makeStream(
                    of: Void.self,
                    bufferingPolicy: .bufferingNewest(1)
                )
                self.changed = changed
                let effects = withObservationTracking {
                    read().effects
                } onChange: {
                    changed.yield()
                }
                apply(effects) { task in group.addTask { await task() } }
                for await _ in changes { break }
            }
            for task in running.values { task.end.finish() }
            (running, appeared, compared, changed) = ([:], [], [:], nil)
            group.cancelAll()
        }
    }

    private func apply(_ effects: [Effect], _ begin: (@escaping @Sendable () async -> Void) -> Void) {
        let seen = Set(effects.map(\.path))
        for (path, task) in running where !seen.contains(path) {
            task.end.finish()
            running[path] = nil
        }
        appeared.formIntersection(seen)
        compared = compared.filter { seen.contains($0.key) }
        for effect in effects {
            switch effect.kind {
            case .task(let id, let action):
                guard running[effect.path]?.id != id else { continue }
                running[effect.path]?.end.finish()
                let (ends, end) = AsyncStream.makeStream(of: Void.self)
                running[effect.path] = RunningTask(id: id, end: end)
                begin { await Self.run(action, until: ends) }
            case .appearance(let action):
                if appeared.insert(effect.path).inserted { action() }
            case .change(let value, let isInitial, let action):
                let old = compared.updateValue(value, forKey: effect.path)
                if let old, old != value { action(old) }
                if old == nil, isInitial { action(value) }
            }
        }
    }

    private nonisolated static func run(
        _ action: @escaping @Sendable () async -> Void,
        until ends: AsyncStream<Void>
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await action()
                // A task that has ended stays known until its view disappears.
                for await _ in ends {}
            }
            group.addTask { for await _ in ends {} }
            await group.next()
            group.cancelAll()
        }
    }
}
