// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public struct Toggle<Label: View>: View, ReadableView {
    public typealias Body = Never
    let isOn: Binding<Bool>
    let label: Label

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        (self.isOn, self.label) = (isOn, label())
    }

    package func elements(in reading: Reading) -> [Element] {
        var element = Element(.toggle, "", label.read(in: reading))
        element.isOn = isOn
        element.isSelected = isOn.wrappedValue
        element.isEnabled = reading.environment.isEnabled
        return [element]
    }
}

extension Toggle where Label == Text {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        (self.isOn, label) = (isOn, Text(title))
    }
}

public struct TextField<Label: View>: View, ReadableView {
    public typealias Body = Never
    let text: Binding<String>
    let label: Label
    let prompt: Text?

    package func elements(in reading: Reading) -> [Element] {
        var element = Element(.field, "", label.read(in: reading) + prompt.read(in: reading))
        element.content = text
        element.value = text.wrappedValue
        element.isEnabled = reading.environment.isEnabled
        return [element]
    }
}

extension TextField where Label == Text {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        (label, self.text, prompt) = (Text(title), text, nil)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {
        (label, self.text, self.prompt) = (Text(title), text, prompt)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) {
        (label, self.text, prompt) = (Text(title), text, nil)
    }
}

public struct SecureField<Label: View>: View, ReadableView {
    public typealias Body = Never
    let text: Binding<String>
    let label: Label

    package func elements(in reading: Reading) -> [Element] {
        var element = Element(.secureField, "", label.read(in: reading))
        element.content = text
        element.isEnabled = reading.environment.isEnabled
        return [element]
    }
}

extension SecureField where Label == Text {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        (label, self.text) = (Text(title), text)
    }
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View, ReadableView {
    public typealias Body = Never
    let selection: Binding<SelectionValue>
    let label: Label
    let content: Content

    package func elements(in reading: Reading) -> [Element] {
        let options = content.read(in: reading).map(option)
        return [Element(.picker, "", label.read(in: reading) + options)]
    }

    private func option(_ element: Element) -> Element {
        var option = Element(.option, "", [element])
        option.tag = element.tag
        guard let value = element.tag?.base as? SelectionValue else { return option }
        option.isSelected = selection.wrappedValue == value
        option.press = { selection.wrappedValue = value }
        return option
    }
}

extension Picker where Label == Text {
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        (label, self.selection, self.content) = (Text(title), selection, content())
    }
}

public struct DatePickerComponents: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    public static let date = DatePickerComponents(rawValue: 2)
}

public struct DatePicker<Label: View>: View, ReadableView {
    public typealias Components = DatePickerComponents
    public typealias Body = Never
    let selection: Binding<Date>
    let label: Label

    package func elements(in reading: Reading) -> [Element] {
        var element = Element(.date, "", label.read(in: reading))
        element.date = selection
        element.isEnabled = reading.environment.isEnabled
        return [element]
    }
}

extension DatePicker where Label == Text {
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        selection: Binding<Date>,
        in range: PartialRangeFrom<Date>,
        displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]
    ) {
        (label, self.selection) = (Text(title), selection)
    }
}

extension View {
    public func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View {
        changing { elements, _ in
            elements.map { element in
                var element = element
                element.tag = AnyHashable(tag)
                return element
            }
        }
    }

    public func disabled(_ disabled: Bool) -> some View {
        read { content, reading in
            reading.with({ $0.isEnabled = $0.isEnabled && !disabled }) { content.read(in: reading) }
        }
    }

    public func onSubmit(
        of triggers: SubmitTriggers = .text,
        _ action: @escaping () -> Void
    ) -> some View {
        changing { elements, _ in
            elements.map { element in
                element.changing {
                    if $0.role == .field || $0.role == .secureField { $0.press = { action() } }
                }
            }
        }
    }

    public func submitLabel(_ submitLabel: SubmitLabel) -> some View { self }
    public func keyboardType(_ type: UIKeyboardType) -> some View { self }
    public func textContentType(_ textContentType: UITextContentType?) -> some View { self }
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?)
        -> some View
    { self }
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }
}

public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let text = SubmitTriggers(rawValue: 1)
    public static let search = SubmitTriggers(rawValue: 2)
}

public struct SubmitLabel: Sendable {
    public static var go: SubmitLabel { SubmitLabel() }
    public static var send: SubmitLabel { SubmitLabel() }
}

public struct TextInputAutocapitalization: Sendable {
    public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
    public static var sentences: TextInputAutocapitalization { TextInputAutocapitalization() }
}

// UIKit's, which `import SwiftUI` brings.
public enum UIKeyboardType: Int, Sendable {
    case `default` = 0
    case URL = 3
    case emailAddress = 7
}

public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let URL = UITextContentType(rawValue: "URL")
    public static let username = UITextContentType(rawValue: "username")
    public static let password = UITextContentType(rawValue: "password")
}
