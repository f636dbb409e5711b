import ArgumentParser
import Configuration
import Foundation

/// Settings from the environment (`YONDER_LOG_LEVEL`) and then from a JSON file (`"log-level"`).
struct SettingsReader {
    private let reader: ConfigReader

    /// Reads the environment alone.
    init(environment: [String: String]) {
        reader = ConfigReader(providers: [Self.provider(environment)])
    }

    /// Reads the environment and a file.
    ///
    /// - Throws: What is wrong with the file; a name that no setting has, too.
    init(environment: [String: String], file path: String) async throws {
        try Self.checkNames(path)
        let location = ConfigReader(
            provider: InMemoryProvider(values: ["filePath": .init(stringLiteral: path)])
        )
        let file = try await FileProvider<JSONSnapshot>(config: location)
        reader = ConfigReader(providers: [Self.provider(environment), file])
    }

    /// A text; absent where it is nowhere.
    func string(_ name: String) throws -> String? {
        reader.string(forKey: ConfigKey([name]))
    }

    /// A list: in the environment with commas between.
    func strings(_ name: String) throws -> [String] {
        reader.stringArray(forKey: ConfigKey([name])) ?? []
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

    /// A misspelt name would otherwise be a setting that silently isn't set.
    private static func checkNames(_ path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let settings = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw ValidationError("\(path) must hold a JSON object.")
        }
        if let unknown = settings.keys.filter({ !ServeSettings.names.contains($0) }).min() {
            throw ValidationError("\(path): unknown setting \(unknown); yonder serve --help lists all.")
        }
    }
}
