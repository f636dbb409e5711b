import ArgumentParser
import Configuration
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file of `--config`: lines of NAME=VALUE if the file's name ends in `.conf`, else a JSON object.
///
/// Each entry must have the form of its setting: a text, a list of texts, a whole number, or true and false.
///
/// `SettingsReader` reads one at the start of `yonder serve` and `yonder ready`. A file that can't be read, an unknown name
/// or an entry of another form ends the start with a `ValidationError`: otherwise a misspelt setting would silently not be
/// set. Both formats are promised in `Documentation/configuration.md` and tried by `test_command_line.py`; a further form of
/// entry is a case of ``Form`` in both readers.
struct SettingsFile {
    /// The form of a setting's entry.
    enum Form: String {
        case text
        case list = "a list of texts"
        case number = "a whole number"
        case flag = "true or false"
    }

    /// The entries by the names of their settings.
    let values: [AbsoluteConfigKey: ConfigValue]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file; in messages, it stands as it was given.
    ///   - forms: The names that the file may have, with the form of each: ``ServeSettings/forms``.
    /// - Throws: `ValidationError` for a file that can't be read, what is no JSON object, an unknown name, or an entry of
    ///   another form.
    init(_ path: String, forms: [String: Form]) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ValidationError("\(path) can't be read: \(FileRefusal(error))")
        }
        guard path.hasSuffix(".conf") else {
            values = try Self.entries(of: data, path, forms)
            return
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw ValidationError("\(path) must be text in UTF-8.")
        }
        values = try SettingsLines(text, of: path, forms: forms).values
    }

    private static func entries(of data: Data, _ path: String, _ forms: [String: Form]) throws
        -> [AbsoluteConfigKey: ConfigValue]
    {
        let entries: [String: Entry]
        do {
            entries = try JSONDecoder().decode([String: Entry].self, from: data)
        } catch is DecodingError {
            throw ValidationError("\(path) must hold a JSON object.")
        }
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let form = forms[name] else {
                throw ValidationError("\(path): unknown setting \(name); yonder serve --help lists all.")
            }
            guard let content = entry.content(form) else {
                throw ValidationError(
                    "\(path): \(name) must be \(form.rawValue), as in \(example(name, form))."
                )
            }
            values[AbsoluteConfigKey([name])] = ConfigValue(content, isSecret: false)
        }
        return values
    }

    private static func example(_ name: String, _ form: Form) -> String {
        switch form {
        case .text: #""\#(name)": "…""#
        case .list: #""\#(name)": ["…"]"#
        case .number: #""\#(name)": 10"#
        case .flag: #""\#(name)": true"#
        }
    }

    /// A value of JSON, of one of the forms or another.
    private enum Entry: Decodable {
        case text(String)
        case list([String])
        case number(Int)
        case flag(Bool)
        case other

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([String].self) {
                self = .list(list)
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else {
                self = .other
            }
        }

        func content(_ form: Form) -> ConfigContent? {
            switch (form, self) {
            case (.text, .text(let text)): .string(text)
            case (.list, .list(let list)): .stringArray(list)
            case (.number, .number(let number)): .int(number)
            case (.flag, .flag(let flag)): .bool(flag)
            default: nil
            }
        }
    }
}
