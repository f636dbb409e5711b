package import YonderGeodesy
import YonderModel
package import YonderRules

extension SessionStart {
    /// A start with secrets that differ from those of every other one.
    package static func random(
        at time: Timestamp,
        device: SecretHash? = nil,
        subnet: String = "net"
    ) -> SessionStart {
        SessionStart(
            session: .random(),
            device: device,
            newDevice: .random(),
            browser: "Firefox",
            network: "192.0.2.1",
            subnet: subnet,
            time: time,
            expires: time + .seconds(60),
            deviceExpires: time + .seconds(120)
        )
    }
}

extension SecretHash {
    /// A hash that no other call makes.
    package static func random() -> SecretHash {
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255) }
        return SecretHash(bytes) ?? random()
    }
}
