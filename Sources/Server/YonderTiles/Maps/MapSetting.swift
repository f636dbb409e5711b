package import YonderModel
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A map as the operator names it: a file, a TileJSON address or a template, and the properties after it.
///
///     /srv/maps/austria.pmtiles
///     https://tiles.example.org/streets.json
///     https://tile.example.org/{z}/{x}/{y}.png kind=raster zoom=0-19 attribution=© Example
///
/// `ServeSettings` reads each `--map`, and `yonder map check` its argument; `MapLoader` then opens it. A text that can't be
/// is `invalidField` with what is accepted, before anything is opened. What the operator states here overrides what the map
/// says of itself. Operators' settings have these words, so they must stay (`Documentation/street-maps.md`).
package struct MapSetting: Hashable, Sendable {
    /// The map's location: a file or an address.
    package enum Location: Hashable, Sendable {
        /// A PMTiles archive.
        case file(String)

        /// A TileJSON document, by its http or https address.
        case document(String)

        /// The http or https address of a tile, with `{z}`, `{x}` and `{y}`.
        case template(String)
    }

    /// The map's location: a file or an address.
    package var location: Location

    /// The map's name in addresses, or `nil` for a name made from the location.
    package var name: String?

    /// The kind of its tiles, or `nil` to detect it.
    package var kind: MapSource.Kind?

    /// The zoom levels that have tiles, or `nil` to detect them.
    package var zooms: ClosedRange<Int>?

    /// The layers, or `nil` to find out.
    package var schema: MapSource.Schema?

    /// The attribution to show, or `nil` to detect it.
    package var attribution: String?

    private static let words = ["name", "kind", "zoom", "schema", "attribution"]

    /// Reads a setting.
    ///
    /// - Throws: `invalidField` that says what to write instead.
    package init(_ text: String) throws(SharingError) {
        let (location, options) = Self.split(text)
        guard !location.isEmpty else {
            throw Self.invalid("\(text) must begin with a file or an address.")
        }
        self.location = try Self.location(location)
        for (word, value) in options {
            switch word {
            case "name": name = try Self.name(value)
            case "kind": kind = try Self.choice(word, value)
            case "schema": schema = try Self.choice(word, value)
            case "zoom": zooms = try Self.zooms(value)
            default: attribution = TileDocument.plain(value)
            }
        }
    }

    /// Reads `NAME=FILE`, the older form.
    ///
    /// - Throws: `invalidField`.
    package init(named text: String) throws(SharingError) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw Self.invalid("\(text) must be NAME=FILE.") }
        location = .file(String(parts[1]))
        name = try Self.name(String(parts[0]))
    }

    /// The map's name in addresses: the given name, else the letters and digits of the file's or the host's name.
    package var identifier: String {
        if let name { return name }
        let whole =
            switch location {
            case .file(let path): URL(filePath: path).deletingPathExtension().lastPathComponent
            case .document(let url), .template(let url):
                URLComponents(string: Self.plainURL(url))?.host ?? "map"
            }
        let kept = whole.unicodeScalars.map { Self.isAllowed($0) ? Character($0) : "-" }
        return kept.isEmpty ? "map" : String(kept.prefix(64))
    }

    /// The address's origin, or `nil` for a file.
    package var origin: String? {
        switch location {
        case .file: nil
        case .document(let url), .template(let url): Self.origin(of: url)
        }
    }

    /// The scheme, host and port of an http or https address, as a content security policy names them.
    ///
    /// - Returns: `nil` for anything else, and for an address that has a user.
    static func origin(of url: String) -> String? {
        guard let parts = URLComponents(string: plainURL(url)), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil,
            host.unicodeScalars.allSatisfy({ isAllowed($0) || ".:[]".unicodeScalars.contains($0) })
        else { return nil }
        return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }

    /// The address with its placeholders replaced, which no address may have.
    private static func plainURL(_ url: String) -> String {
        url.replacing("{", with: "0").replacing("}", with: "0")
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_".unicodeScalars.contains(scalar))
    }

    /// The location, and each `word=value` behind it; a value goes on until the next of the known words.
    private static func split(_ text: String) -> (location: String, options: [(String, String)]) {
        var options: [(String, String)] = []
        var location: [Substring] = []
        for part in text.split(separator: " ") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, words.contains(String(pair[0])) {
                options.append((String(pair[0]), String(pair[1])))
            } else if options.isEmpty {
                location.append(part)
            } else {
                options[options.count - 1].1 += " " + part
            }
        }
        return (location.joined(separator: " "), options)
    }

    private static func location(_ text: String) throws(SharingError) -> Location {
        guard text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") else {
            return .file(text)
        }
        guard origin(of: text) != nil else {
            throw invalid("\(text) must be an address without a user, such as https://tiles.example.org.")
        }
        let placeholders = ["{z}", "{x}", "{y}"].filter(text.contains)
        if placeholders.isEmpty { return .document(text) }
        guard placeholders.count == 3 else { throw invalid("\(text) must have {z}, {x} and {y}.") }
        return .template(text)
    }

    private static func name(_ text: String) throws(SharingError) -> String {
        guard (1...64).contains(text.count), text.unicodeScalars.allSatisfy(isAllowed),
            text != MapOffer.towns
        else {
            throw invalid("\(text) must be a name of letters, digits, hyphens and underscores.")
        }
        return text
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ word: String,
        _ text: String
    ) throws(SharingError) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            throw invalid(
                "\(word)=\(text) must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return choice
    }

    private static func zooms(_ text: String) throws(SharingError) -> ClosedRange<Int> {
        let ends = text.split(separator: "-").map { Int($0) }
        let last = TileCoordinate.maximumZoom
        guard ends.count == 2, let low = ends[0], let high = ends[1], low <= high, high <= last else {
            throw invalid(
                "zoom=\(text) must be a first and a last zoom of at most \(last), such as zoom=0-14."
            )
        }
        return low...high
    }

    private static func invalid(_ message: String) -> SharingError { SharingError(.invalidField, message) }
}
