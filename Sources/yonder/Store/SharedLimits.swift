import YonderGeocoding
import YonderModel
import YonderRules
import YonderPlacesFacade

/// The limits and checks that the servers of one database share.
struct SharedLimits: Sendable {
    /// Asks the database for its time.
    let time: @Sendable () async throws(SharingError) -> ClockSample

    /// Attempts to sign in.
    let attempts: any AttemptLedger

    /// Nonces of signed requests.
    let nonces: NonceRecord

    /// Turns of a geocoder.
    let turns: GeocoderTurn

    /// Returns the credentials among some that are good, each with its account's version.
    let versions: @Sendable ([SecretHash]) async throws(SharingError) -> [SecretHash: Int64]
}
