public import YonderClient
public import YonderGeodesy
public import YonderModel

/// A place in the list beside the map, or in the callout of the selected pin.
///
/// `PlacesModel` makes one for each place of the list and for the callout; a view shows it (`PlacesModelTests`).
public struct PlaceRow: Hashable, Sendable, Identifiable {
    /// The object.
    public let id: ObjectID

    /// The pin's id on the map.
    public let pin: String

    /// The name.
    public let name: String

    /// The address; empty if there is none.
    public let address: String

    /// Where it is.
    public let coordinate: Coordinate

    /// The button's text: *Open*, with the name for a voice in ``openSpoken``.
    public let open: String

    /// The button's text for a voice.
    public let openSpoken: String

    /// The same as the callout of a map view of `YonderMap`; its button opens the place.
    public var onMap: MapCallout {
        MapCallout(id: pin, title: name, lines: [address], button: open, spokenButton: openSpoken)
    }
}
