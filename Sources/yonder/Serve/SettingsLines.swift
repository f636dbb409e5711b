import ArgumentParser
import Configuration

/// A settings file whose name ends in `.conf`: a `NAME=VALUE` a line.
///
/// Everything after the first `=` is the value: there are no quotes and no escapes. A list has commas between its
/// values. A line that is empty or begins with `#` sets nothing.
///
/// ``SettingsFile`` reads the text once, at the start; the first line that can't be is a `ValidationError` with its number,
/// and nothing of the file counts. The format must stay, as operators' files and the Debian package's
/// `/etc/yonder/yonder.conf` have it; messages may be changed.
///
/// `Documentation/configuration.md` promises the format (`test_command_line.py`).
struct SettingsLines {
    /// The entries by the names of their settings.
    private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]

    private let path: String
    private let forms: [String: SettingsFile.Form]
    private var lines: [String: Int] = [:]

    /// Reads a file's text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: The file, for error messages.
    ///   - forms: The settings with the form of each.
    /// - Throws: `ValidationError` with the file and the line, for an unknown name, a name that stands there twice, or a value of
    ///   another form.
    init(_ text: String, of path: String, forms: [String: SettingsFile.Form]) throws {
        self.path = path
        self.forms = forms
        // An editor of another system may end lines with a carriage return, too.
        let all = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in all.enumerated() where !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") {
            try add(line, at: index + 1)
        }
    }

    private mutating func add(_ line: Substring, at number: Int) throws {
        guard let sign = line.firstIndex(of: "=") else {
            throw complaint(number, "the line must be NAME=VALUE, or begin with #; it is \(line)")
        }
        let name = String(line[..<sign])
        guard let form = forms[name] else {
            throw complaint(number, "unknown setting \(name); \(hint(name))")
        }
        if let earlier = lines.updateValue(number, forKey: name) {
            throw complaint(number, "\(name) may be set once; line \(earlier) sets it, too")
        }
        let text = line[line.index(after: sign)...]
        guard let content = Self.content(text, form) else {
            let example = Self.example(name, form)
            throw complaint(
                number,
                "\(name) must be \(Self.kind(form)), as in \(example); it is \(text.isEmpty ? "empty" : text)"
            )
        }
        values[AbsoluteConfigKey([name])] = ConfigValue(content, isSecret: false)
    }

    private func complaint(_ line: Int, _ message: some StringProtocol) -> ValidationError {
        ValidationError("\(path):\(line): \(message).")
    }

    /// The name to write instead, for the name of a variable.
    private func hint(_ name: String) -> String {
        var plain = name.lowercased().split(separator: "_").joined(separator: "-")
        if plain.hasPrefix("yonder-") { plain.removeFirst("yonder-".count) }
        return forms[plain] == nil ? "yonder serve --help lists all" : "write \(plain)"
    }

    private static func content(_ text: Substring, _ form: SettingsFile.Form) -> ConfigContent? {
        guard !text.isEmpty else { return nil }
        switch form {
        case .text: return .string(String(text))
        case .list:
            let list = text.split(separator: ",", omittingEmptySubsequences: false)
            return list.contains("") ? nil : .stringArray(list.map(String.init))
        case .number: return Int(text).map(ConfigContent.int)
        case .flag: return Bool(String(text)).map(ConfigContent.bool)
        }
    }

    private static func kind(_ form: SettingsFile.Form) -> String {
        form == .list ? "texts with commas between" : form.rawValue
    }

    private static func example(_ name: String, _ form: SettingsFile.Form) -> String {
        switch form {
        case .text: "\(name)=…"
        case .list: "\(name)=…,…"
        case .number: "\(name)=10"
        case .flag: "\(name)=true"
        }
    }
}
