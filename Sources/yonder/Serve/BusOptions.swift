import ArgumentParser

/// The flags by which a server joins others over the same store.
///
/// A part of `ServeOptions`; `BusSettings` and `ServeSettings` check the values. What isn't given is `nil`, and is looked up
/// in the environment and the file. A flag that a release had must stay.
///
/// Names and meanings are promised in `Documentation/configuration.md` and `cluster.md` (`test_command_line.py`).
struct BusOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A PostgreSQL database instead of a data folder, as postgres://USER@HOST/DATABASE. With a password in it use \
            YONDER_STORE, as others on this machine can read a command's flags.
            """,
            valueName: "url"
        )
    )
    var store: String?

    @Option(
        help: ArgumentHelp(
            """
            NATS servers through which all servers over the same --store hear one another, as \
            nats://HOST:4222,nats://HOST:4222 or tls://HOST:4222.
            """,
            valueName: "urls"
        )
    )
    var bus: String?

    @Option(
        help: ArgumentHelp(
            "A file with the seed of an nkey, by which NATS lets the server in.",
            valueName: "file"
        )
    )
    var busKey: String?

    @Option(
        help: ArgumentHelp(
            "A file with the certificates of those who may sign for NATS servers, in PEM form.",
            valueName: "file"
        )
    )
    var busCertificates: String?

    @Option(
        help: ArgumentHelp(
            """
            How many seconds a stop takes at least. For a third of them /ready answers 503, so that a load balancer sends no \
            further requests; in the rest connections are closed one after the other. (default: 15 with --bus, else 0)
            """,
            valueName: "seconds"
        )
    )
    var drain: Int?

    @Option(help: "The name that all servers of one cluster share on the bus. (default: yonder)")
    var cluster: String?
}
