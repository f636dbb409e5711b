import ArgumentParser

/// The place of a command's data, and what named it.
///
/// A flag comes first, then a variable, then the settings file of `YONDER_CONFIG`, then the service that runs on this machine,
/// then the installed service's settings file. Nothing is guessed: without any of these a command ends with a sentence.
struct FoundPlace {
    let place: StorePlace

    /// What named the place, for a place that neither a flag nor a variable gave; else `nil`.
    let source: String?

    /// Whether the place is that of the service which is installed on this machine.
    let isService: Bool

    /// The origin of the server's pages, as its settings or a variable has it.
    let origin: String?

    /// Finds the place.
    ///
    /// - Throws: `ValidationError` if nothing names one, ``CommandFailure`` if a settings file can't be read.
    init(data: String?, store: String?, environment: [String: String]) throws {
        let outer = SettingsReader(environment: environment)
        let service = InstalledService(environment: environment)
        let named = try outer.string("config")
        let file = named ?? service.settings
        let isGiven = ["YONDER_DATA", "YONDER_STORE"].contains { environment[$0] != nil }
        let settings: SettingsReader?
        if data != nil || store != nil || isGiven {
            let given = try StorePlace(data: data, store: store, environment: environment)
            place = given
            source = nil
            let read = file.flatMap { try? SettingsReader.load($0, environment: [:]) }
            // Another server's settings say nothing of this place.
            settings = read.flatMap { Self.place($0) == given ? $0 : nil }
            isService = settings != nil
        } else if named == nil, let folder = service.runningFolder {
            place = .folder(folder)
            source = "the service that runs"
            settings = file.flatMap { try? SettingsReader.load($0, environment: [:]) }
            isService = true
        } else {
            guard let file else {
                throw ValidationError(
                    "Say where the data is: --data FOLDER, as yonder serve was started with."
                )
            }
            let read = try Self.settings(file)
            guard let found = Self.place(read) else {
                throw CommandFailure(
                    "\(file) sets neither data nor store: say where the data is, as in --data FOLDER."
                )
            }
            place = found
            source = file
            settings = read
            isService = true
        }
        origin = try outer.strings("origin").first ?? settings?.strings("origin").first
    }

    /// Prints on standard error which place was taken, if nobody named it.
    func announce() {
        guard let source else { return }
        StandardError.write("Using \(place.folder ?? "the database"), by \(source)")
    }

    private static func settings(_ file: String) throws -> SettingsReader {
        do {
            return try SettingsReader.load(file, environment: [:])
        } catch {
            throw CommandFailure(
                "\(error) The settings say where the data is: use sudo, or say it yourself, as in --data /var/lib/yonder."
            )
        }
    }

    private static func place(_ settings: SettingsReader) -> StorePlace? {
        try? StorePlace(data: settings.string("data"), store: settings.string("store"))
    }
}
