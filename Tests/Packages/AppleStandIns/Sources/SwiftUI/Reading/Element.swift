// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A text, button, field or image of a screen, with the action that a press calls.
///
/// A test reads elements. Apple's SwiftUI has no such type.
package struct Element {
    /// The kind of element: text, button, field, and others.
    package enum Role: Hashable, Sendable {
        case text, image, progress, button, toggle, field, secureField, date, link
        /// A choice among ``Element/children`` of the role ``option``.
        case picker
        case option
        /// Holds what is in it.
        case list, section, header, footer, stack, tab, title, search, sheet, alert, toolbar
        /// A map, or another view that isn't SwiftUI's.
        case foreign
    }

    package var role: Role

    /// The text that is seen.
    package var text: String

    /// What a voice reads instead of the text, or `nil`.
    package var spoken: String?

    /// What a voice adds: a value, or `nil`.
    package var value: String?

    /// Whether it can be pressed or changed.
    package var isEnabled = true

    /// Whether a voice skips it.
    package var isHidden = false

    package var isSelected = false

    /// What is in it.
    package var children: [Element]

    /// What a press does, or `nil`.
    package var press: (@MainActor () -> Void)?

    /// The text of a field.
    package var content: Binding<String>?

    /// The state of a toggle.
    package var isOn: Binding<Bool>?

    /// The date of a date picker.
    package var date: Binding<Date>?

    /// The value that stands for it in a picker.
    package var tag: AnyHashable?

    /// The view itself, where a test needs more than its text.
    package var view: Any?

    package init(_ role: Role, _ text: String = "", _ children: [Element] = []) {
        (self.role, self.text, self.children) = (role, text, children)
    }

    /// All texts in it, from the top to the bottom, without empty ones.
    package var texts: [String] {
        ([text] + children.flatMap(\.texts)).filter { !$0.isEmpty }
    }

    /// What a voice calls it.
    package var name: String { spoken ?? texts.joined(separator: ", ") }

    /// This element and all in it.
    package var all: [Element] { [self] + children.flatMap(\.all) }

    /// This element after a change to it and to all in it.
    package func changing(_ change: (inout Element) -> Void) -> Element {
        var element = self
        change(&element)
        element.children = element.children.map { $0.changing(change) }
        return element
    }
}
