import YonderGeodesy
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// `ReceiverLoop` stamps what arrives with it; it can't fail.
extension Timestamp {
    /// The present moment, by the system's clock.
    @Sendable static func timeOfDay() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
    }
}
