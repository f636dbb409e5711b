#if Postgres
import CLibPQ

/// Where the database is, and how to be let in: a `postgres://` URL, or the keywords of libpq.
///
/// The password is in no description and no error.
///
/// `StorePlace` and `yonder migrate` read `--store` into one, at the start, where an error ends the program; `Link`
/// connects with ``options(for:)``. That no password stands in a text and that a foreign host must be verified must stay
/// (`PostgreSQLConnectionTests`). What is accepted is promised in `Documentation/cluster.md`.
package struct PostgreSQLAddress: Sendable, CustomStringConvertible {
    /// The keywords of libpq and their values, without those that the link sets.
    private var options: [String: String]

    /// Reads a URL, as `postgres://ada:secret@one,two/yonder?sslrootcert=/etc/ca.pem`.
    ///
    /// Hosts other than this machine must be verified: `sslmode` is `verify-full` there, and no other is accepted.
    ///
    /// - Throws: ``PostgreSQLError`` with code `invalidAddress` or `insecure`.
    package init(_ url: String) throws(PostgreSQLError) {
        options = try Self.secured(Self.parsed(url))
    }

    private static func parsed(_ url: String) throws(PostgreSQLError) -> [String: String] {
        // libpq's own words would quote the URL, and with it the password.
        guard let list = PQconninfoParse(url, nil) else {
            throw PostgreSQLError(
                .invalidAddress,
                "The address of the database can't be read; write it as postgres://USER:PASSWORD@HOST/DATABASE."
            )
        }
        defer { PQconninfoFree(list) }
        var options: [String: String] = [:]
        var place = list
        while let keyword = place.pointee.keyword {
            if let value = place.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            place += 1
        }
        // By their name servers find each other's stuck connections, and yonder migrate finds servers.
        options["application_name"] = nil
        return options
    }

    private static func secured(_ options: [String: String]) throws(PostgreSQLError) -> [String: String] {
        // Without a host, libpq would take one from the environment.
        guard options["host"] != nil || options["hostaddr"] != nil, options["service"] == nil else {
            throw PostgreSQLError(
                .invalidAddress,
                "The address of the database must name a host; for a socket, write its folder as host=/FOLDER."
            )
        }
        var options = options
        guard !isOnThisMachine(options) else { return options }
        let mode = options["sslmode"] ?? "verify-full"
        guard mode == "verify-full" else {
            throw PostgreSQLError(
                .insecure,
                "sslmode must be verify-full for a database on another machine; it is \(mode)."
            )
        }
        options["sslmode"] = mode
        return options
    }

    /// Whether every host is this machine: a socket or a loopback address.
    private static func isOnThisMachine(_ options: [String: String]) -> Bool {
        let hosts = [options["host"], options["hostaddr"]].compactMap(\.self)
            .flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        return hosts.allSatisfy { host in
            host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
                || isLoopback(host)
        }
    }

    /// Whether it is an address in `127.0.0.0/8`, and not a name that begins like one.
    private static func isLoopback(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The keywords and values for a connection of this kind.
    package func options(for purpose: Link.Purpose) -> [(keyword: String, value: String)] {
        var all = options
        let own = [
            "application_name": "yonder", "client_encoding": "UTF8", "target_session_attrs": "read-write",
            "connect_timeout": "3", "tcp_user_timeout": "12000", "keepalives_idle": "5",
            "keepalives_interval": "2", "keepalives_count": "3", "gssencmode": "disable",
        ]
        for (keyword, value) in own where all[keyword] == nil { all[keyword] = value }
        all["options"] = [all["options"], purpose.settings].compactMap(\.self).joined(separator: " ")
        return all.map { ($0.key, $0.value) }
    }

    /// The same database, with another `application_name` in the server's list of connections.
    package func named(_ application: String) -> PostgreSQLAddress {
        var address = self
        address.options["application_name"] = application
        return address
    }

    /// The hosts and the database, for a log.
    package var description: String {
        "\(options["host"] ?? options["hostaddr"] ?? "this machine"), database \(options["dbname"] ?? "of the user")"
    }
}

extension PostgreSQLAddress: CustomReflectable {
    /// Keeps the password out of a dump.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
