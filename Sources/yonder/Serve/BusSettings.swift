import ArgumentParser
import Logging
import YonderBus
import YonderNATS

/// The settings of a server's bus to the other servers over the same store.
///
/// `ServeSettings` loads them, which ends the start with a `ValidationError` if they don't fit together; `ServerProcess`
/// calls ``open(logger:)``, which reads the key and the certificates and doesn't connect yet. NATS servers that can't be
/// reached then don't keep the server from starting. The name of the cluster is a part of every subject on the bus: servers
/// with different names don't hear one another, so its default must stay.
///
/// Names and defaults are promised in `Documentation/configuration.md` and `cluster.md` (`test_command_line.py`).
struct BusSettings: Hashable {
    /// The addresses of NATS servers, with commas between them.
    let servers: String

    /// A file with the seed of an nkey, or `nil`.
    let key: String?

    /// A file with the certificates that are trusted, or `nil` for those of the system.
    let certificates: String?

    /// The name of the cluster: letters, digits, `-` and `_`.
    let cluster: String

    /// Reads the settings; `nil` for a server that has its store for itself.
    ///
    /// - Throws: `ValidationError`.
    static func load(_ options: BusOptions, _ reader: SettingsReader, place: StorePlace) throws
        -> BusSettings?
    {
        let servers = try options.bus ?? reader.string("bus")
        let cluster = try options.cluster ?? reader.string("cluster") ?? "yonder"
        let isPlain = cluster.utf8.allSatisfy { byte in
            Character(UnicodeScalar(byte)).isLetter && byte < 128 || (48...57).contains(byte) || byte == 45
                || byte == 95
        }
        guard isPlain, (1...32).contains(cluster.utf8.count) else {
            throw ValidationError("cluster must have 1 to 32 letters, digits, - or _; it is \(cluster).")
        }
        guard let servers else { return nil }
        guard place.folder == nil else {
            throw ValidationError("bus needs a store that servers share: use --store, not --data.")
        }
        return BusSettings(
            servers: servers,
            key: try options.busKey ?? reader.string("bus-key"),
            certificates: try options.busCertificates ?? reader.string("bus-certificates"),
            cluster: cluster
        )
    }
}

extension BusSettings {
    /// Makes the bus, which connects once it is started.
    ///
    /// - Throws: ``CommandFailure`` if an address, the key or the certificates can't be used.
    func open(logger: Logger) throws -> any Bus {
        do throws(NATSError) {
            guard var settings = NATSSettings(try NATSAddress.list(servers)) else {
                throw NATSError(.invalidAddress, "name a server, as in nats://127.0.0.1:4222")
            }
            if let key { settings.key = try NKey(file: key) }
            settings.certificateAuthority = certificates
            return try NATSBus(settings, cluster: cluster, logger: logger)
        } catch {
            throw CommandFailure("bus: \(error.message)")
        }
    }
}
