import YonderLocation
import YonderPocket

/// The phone's parts that the models of a person need.
struct PhoneParts {
    /// The phone's location.
    let location: any LocationService

    /// Keeps a share going while the app isn't in view, or `nil`.
    let pocket: PocketSharing?
}
