import ArgumentParser
import Foundation
import NIOCore
import NIOPosix
import YonderNATS

/// `protocol-peer nats`: what another client of NATS is tried against.
struct NATSEcho: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nats",
        abstract: "Publishes every message of to.swift.> as from.swift, until its input ends."
    )

    @Option(help: "The address of the NATS server.")
    var server: String

    @Option(help: "A file with the certificates that may sign the server's.")
    var certificates: String?

    @Option(help: "A file with the seed of an nkey.")
    var key: String?

    func run() async throws {
        guard var settings = NATSSettings(try NATSAddress.list(server), name: "protocol-peer"),
            let to = NATSSubject("to.swift.>"), let from = NATSSubject("from.swift")
        else { throw ExitCode.validationFailure }
        settings.certificateAuthority = certificates
        settings.key = try key.map { path throws(NATSError) in try NKey(file: path) }
        let client = try NATSClient(settings, on: MultiThreadedEventLoopGroup.singleton.next()) { _ in }
        client.start()
        _ = try await client.subscribe(to) { client.publish(from, $0.payload) }
        print("subscribed")
        fflush(nil)
        while readLine() != nil {}
        await client.close()
    }
}
