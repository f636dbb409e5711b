import YonderGeodesy
import YonderModel

// `SharingClient.sendHeartbeat` rounds every heartbeat with it, as `Position+Tenths.swift` does positions (`ShareCallTests`).
extension ShareHeartbeat {
    /// The heartbeat as it is sent: as exact as a position, without the digits that no receiver measures.
    var inTenths: ShareHeartbeat {
        let rounded = ShareHeartbeat(
            fix: fix?.inTenths,
            battery: battery.map { ($0 * 100).rounded() / 100 },
            isCharging: isCharging,
            isPaused: isPaused
        )
        return rounded ?? self
    }
}

extension ShareHeartbeat.Fix {
    fileprivate var inTenths: ShareHeartbeat.Fix {
        ShareHeartbeat.Fix(
            time: time,
            accuracy: accuracy?.inTenths,
            coordinate: coordinate.flatMap {
                Coordinate(latitude: sixDecimals($0.latitude), longitude: sixDecimals($0.longitude))
            }
        )
    }
}

private func sixDecimals(_ degrees: Double) -> Double {
    (degrees * 1e6).rounded() / 1e6
}
