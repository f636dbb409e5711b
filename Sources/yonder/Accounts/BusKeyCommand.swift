import ArgumentParser
import YonderNATS

/// Makes the key with which the nodes of a cluster sign in to NATS: `yonder bus-key`.
struct BusKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bus-key",
        abstract: "Makes a key for --bus-key and prints it.",
        discussion: """
            The first line has the public half, for the configuration of the NATS servers.

            Example:
              (umask 077 && yonder bus-key > node.nk)
            """
    )

    func run() {
        let key = NKey()
        print("# \(key.publicKey)\n\(key.seed)")
    }
}
