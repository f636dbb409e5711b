public import YonderGeodesy

/// What a map shows beside its items.
///
/// An app gives it to `PeopleMap` or `MapDriver`, and may change it between two drawings; `MapDrawing` follows it
/// (`MapDrawingTests`).
public struct PeopleMapSettings: Hashable, Sendable {
    /// Whether the map shows the system's dot at the user's own place.
    ///
    /// The dot needs the permission for the location; without the permission the map shows no dot.
    public var showsOwnPlace: Bool

    /// The id of the user's own pin, which isn't drawn while the map shows the system's dot; `nil` if every pin is drawn.
    public var ownPin: String?

    /// One hue for all people and lines, in degrees; `nil` if each person has their own.
    public var hue: Int?

    /// What the map shows before the first look; `nil` for the whole Earth.
    public var start: Region?

    /// Creates settings.
    public init(
        showsOwnPlace: Bool = false,
        ownPin: String? = nil,
        hue: Int? = nil,
        start: Region? = nil
    ) {
        self.showsOwnPlace = showsOwnPlace
        self.ownPin = ownPin
        self.hue = hue
        self.start = start
    }
}
