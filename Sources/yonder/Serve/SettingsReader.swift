import ArgumentParser
import Configuration

/// Settings from the environment (`YONDER_LOG_LEVEL`) and then from a file (`log-level`).
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

    /// A text; absent where it is nowhere.
    func string(_ name: String) throws -> String? {
        reader.string(forKey: ConfigKey([name]))
    }

    /// A list: in the environment with commas between.
    func strings(_ name: String) throws -> [String] {
        reader.stringArray(forKey: ConfigKey([name])) ?? []
    }

    /// Yes or no; no where it is nowhere.
    ///
    /// - Throws: `ValidationError` for another.
    func flag(_ name: String) throws -> Bool {
        let key = ConfigKey([name])
        if let flag = reader.bool(forKey: key) { return flag }
        guard let text = reader.string(forKey: key) else { return false }
        throw ValidationError("\(name) must be true or false; it is \(text).")
    }

    /// A whole number in a range; what a flag gave comes first.
    ///
    /// - Throws: `ValidationError` for another.
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
