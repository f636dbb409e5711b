import YonderGeodesy
import YonderModel

// The bytes of a heartbeat of a share, for `BusFrame+Coding.swift`. What can't be throws ``BusFault``; the heartbeat is
// then lost, and the phone sends another. A changed form raises `BusFrame.version` (`BusFrameTests`).

extension BusWriter {
    mutating func heartbeat(_ heartbeat: ShareHeartbeat) {
        optional(heartbeat.fix) { writer, fix in
            writer.time(fix.time)
            writer.optional(fix.accuracy) { $0.real($1.meters) }
            writer.optional(fix.coordinate) { writer, coordinate in
                writer.real(coordinate.latitude)
                writer.real(coordinate.longitude)
            }
        }
        optional(heartbeat.battery) { $0.real($1) }
        optional(heartbeat.isCharging) { $0.flag($1) }
        flag(heartbeat.isPaused)
    }
}

extension BusReader {
    mutating func heartbeat() throws(BusFault) -> ShareHeartbeat {
        let fix = try optional { reader throws(BusFault) in
            ShareHeartbeat.Fix(
                time: try reader.time(),
                accuracy: try reader.optional { reader throws(BusFault) in try reader.distance() },
                coordinate: try reader.optional { reader throws(BusFault) in
                    try reader.checked(Coordinate(latitude: try reader.real(), longitude: try reader.real()))
                }
            )
        }
        return try checked(
            ShareHeartbeat(
                fix: fix,
                battery: try optional { reader throws(BusFault) in try reader.real() },
                isCharging: try optional { reader throws(BusFault) in try reader.flag() },
                isPaused: try flag()
            )
        )
    }
}
