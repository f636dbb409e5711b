import YonderGeocoding
import YonderModel
import YonderRules
import YonderPlacesFacade

/// The limits and checks that the servers of one database share.
///
/// `PostgreSQLStore+Server.swift` makes it of the store's functions; `ServerProcess` passes each to its user: sign-in
/// attempts, limits of people, nonces, the geocoder's turns. A data folder has none, and each counts in memory (decision
/// 35).
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
