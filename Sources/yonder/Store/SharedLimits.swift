import YonderCluster
import YonderGeocoding
import YonderModel
import YonderPlacesFacade

/// What the servers of one database count and check together.
struct SharedLimits: Sendable {
    /// Asks the database for its time.
    let time: @Sendable () async throws(SharingError) -> ClockSample

    /// Attempts to sign in.
    let attempts: any AttemptLedger

    /// Nonces of signed requests.
    let nonces: NonceRecord

    /// Turns of a geocoder.
    let turns: GeocoderTurn

    /// Returns those of some credentials that sign nobody in any longer.
    let gone: @Sendable ([SecretHash]) async throws(SharingError) -> [SecretHash]
}
