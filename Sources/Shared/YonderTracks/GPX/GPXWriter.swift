import YonderGeodesy

// Tests and programs that use the library write tracks with it; the server writes none. It can't fail: a character that XML
// forbids becomes U+FFFD. The order of elements is the schema's and must stay, as validating readers refuse another
// (`GPXWriterTests`, which also read files back). Line ends and the namespace's prefix `tpx` may change.
extension GPXDocument {
    /// The document as a GPX 1.1 file, valid against its schema.
    ///
    /// Course and speed are written as Garmin's `TrackPointExtension`, version 2. Reading the file gives the
    /// same document, except for characters that XML forbids, which become U+FFFD, and for white space around
    /// names.
    ///
    /// - Parameter creator: The name of the program that writes the file.
    /// - Returns: The file in UTF-8.
    public func bytes(creator: String) -> [UInt8] {
        var writer = GPXWriter()
        writer.write(self, creator: creator)
        return Array(writer.text.utf8)
    }
}

/// Writes elements in the order of GPX 1.1's schema.
private struct GPXWriter {
    private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"

    mutating func write(_ document: GPXDocument, creator: String) {
        text += #"<gpx version="1.1" creator=""#
        writeEscaped(creator)
        text += #"" xmlns="http://www.topografix.com/GPX/1/1""#
        text += #" xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">"# + "\n"
        if let name = document.name {
            text += "<metadata>"
            write("name", name)
            text += "</metadata>\n"
        }
        for point in document.waypoints { write("wpt", point) }
        for route in document.routes { write(route) }
        for track in document.tracks { write(track) }
        text += "</gpx>\n"
    }

    private mutating func write(_ route: Route) {
        text += "<rte>"
        if let name = route.name { write("name", name) }
        text += "\n"
        for point in route.points { write("rtept", point) }
        text += "</rte>\n"
    }

    private mutating func write(_ track: Track) {
        text += "<trk>"
        if let name = track.name { write("name", name) }
        text += "\n"
        for segment in track.segments {
            text += "<trkseg>\n"
            for point in segment { write("trkpt", point) }
            text += "</trkseg>\n"
        }
        text += "</trk>\n"
    }

    private mutating func write(_ element: String, _ point: TrackPoint) {
        let latitude = Self.decimal(point.coordinate.latitude)
        let longitude = Self.decimal(point.coordinate.longitude)
        text += "<\(element) lat=\"\(latitude)\" lon=\"\(longitude)\">"
        if let altitude = point.altitude { text += "<ele>\(Self.decimal(altitude.meters))</ele>" }
        if let time = point.timestamp { text += "<time>\(time.iso8601)</time>" }
        if let name = point.name { write("name", name) }
        if point.speed != nil || point.course != nil { writeMotion(of: point) }
        text += "</\(element)>\n"
    }

    private mutating func writeMotion(of point: TrackPoint) {
        text += "<extensions><tpx:TrackPointExtension>"
        if let speed = point.speed { text += "<tpx:speed>\(Self.decimal(speed.metersPerSecond))</tpx:speed>" }
        if let course = point.course { text += "<tpx:course>\(Self.decimal(course.degrees))</tpx:course>" }
        text += "</tpx:TrackPointExtension></extensions>"
    }

    private mutating func write(_ element: String, _ content: String) {
        text += "<\(element)>"
        writeEscaped(content)
        text += "</\(element)>"
    }

    private mutating func writeEscaped(_ content: String) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            // A reader treats a bare carriage return as a line end.
            case "\r": text += "&#13;"
            default: text.unicodeScalars.append(XMLCharacters.isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
    }

    /// The shortest digits that restore the number, without an exponent, which `xsd:decimal` doesn't have.
    private static func decimal(_ number: Double) -> String {
        let text = number.description
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
            return text
        }
        let sign = number < 0 ? "-" : ""
        let mantissa = text[..<mark].drop { $0 == "-" }.split(separator: ".")
        let decimals = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
        let digits = mantissa[0] + decimals
        if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
        return sign + digits + String(repeating: "0", count: max(0, exponent - decimals.count)) + ".0"
    }
}
