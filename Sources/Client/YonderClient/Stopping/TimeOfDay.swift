import YonderGeodesy
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The date and time by the device's clock, which may be set back.
///
/// `SharingClient` and `ChatPositions` read it; tests pass a clock of their own.
enum TimeOfDay {
    static func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }
}
