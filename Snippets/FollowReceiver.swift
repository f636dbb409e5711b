// Follows a receiver by its address, as `yonder share --from` does.

import YonderGeodesy
import YonderLocation
import YonderReceivers

// snippet.follow
/// Prints each position of a receiver, such as `gpsd`, `nmea:/dev/ttyUSB0` or `nmea:udp://0.0.0.0:10110`.
func follow(_ address: String) async throws {
    let service = LocationProvider(source: try ReceiverAddress(address).makeSource())
    for await event in service.monitor(MonitoringConfiguration()) {
        guard case .position(let position) = event else { continue }
        print(position.coordinate)
    }
}
// snippet.end
