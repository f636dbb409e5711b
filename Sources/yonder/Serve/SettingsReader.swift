import ArgumentParser
import Configuration

/// Settings from the environment (`YONDER_LOG_LEVEL`) and then from a file (`log-level`).
///
/// `ServeSettings`, `BusSettings` and `ReadyCommand` look each setting up here, after the flag that comes first. A name is
/// written as the flag, in lowercase with hyphens. A value that can't be read is a `ValidationError` with the setting's
/// name, before the server opens anything. The order *environment, then file* and the prefix `YONDER_` are promised in
/// `Documentation/configuration.md`, and tried by `test_command_line.py`.
///
/// Order and prefix must stay; the words of refusals may be changed.
struct SettingsReader {
    private let reader: ConfigReader

    /// Reads the environment alone.
    init(environment: [String: String]) {
        reader = ConfigReader(providers: [Self.provider(environment)])
    }

    /// Reads the environment, and the file that a flag or the environment names.
    ///
    /// - Throws: `ValidationError` that names the file.
    static func load(_ config: String?, environment: [String: String]) throws -> SettingsReader {
        let outer = SettingsReader(environment: environment)
        guard let path = try config ?? outer.string("config") else { return outer }
        return SettingsReader(environment: environment, try SettingsFile(path, forms: ServeSettings.forms))
    }

    private init(environment: [String: String], _ file: SettingsFile) {
        reader = ConfigReader(providers: [
            Self.provider(environment), InMemoryProvider(values: file.values),
        ])
    }

    /// A text, or `nil` if neither has it.
    func string(_ name: String) throws -> String? {
        reader.string(forKey: ConfigKey([name]))
    }

    /// A list, in the environment with commas between; empty if neither has it.
    func strings(_ name: String) throws -> [String] {
        reader.stringArray(forKey: ConfigKey([name])) ?? []
    }

    /// `true` or `false`; `false` if neither has it.
    ///
    /// - Throws: `ValidationError` for any other text.
    func flag(_ name: String) throws -> Bool {
        let key = ConfigKey([name])
        if let flag = reader.bool(forKey: key) { return flag }
        guard let text = reader.string(forKey: key) else { return false }
        throw ValidationError("\(name) must be true or false; it is \(text).")
    }

    /// Looks up a whole number in a range.
    ///
    /// - Parameters:
    ///   - name: The setting, as its flag is called.
    ///   - given: The flag's number, which comes first.
    ///   - range: The numbers that are accepted.
    /// - Returns: The number, or `nil` if neither the flag, the environment nor the file has it.
    /// - Throws: `ValidationError` for a text that is no whole number, and for one outside the range.
    func integer(_ name: String, _ given: Int?, _ range: ClosedRange<Int>) throws -> Int? {
        let found = try given ?? integer(name)
        guard let found else { return nil }
        guard range.contains(found) else {
            throw ValidationError(
                "\(name) must be in \(range.lowerBound)…\(range.upperBound); it is \(found)."
            )
        }
        return found
    }

    private func integer(_ name: String) throws -> Int? {
        let key = ConfigKey([name])
        if let number = reader.int(forKey: key) { return number }
        guard let text = reader.string(forKey: key) else { return nil }
        throw ValidationError("\(name) must be a whole number; it is \(text).")
    }

    private static func provider(_ environment: [String: String]) -> some ConfigProvider {
        EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "yonder")
    }
}
