import ArgumentParser
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks the server with these settings whether it takes requests: `yonder ready`.
///
/// Health checks of containers run it (`Packaging/compose.yaml`): it ends after two seconds at most, with status 0 only if
/// the server answers 200. Any other answer, and none, is a ``CommandFailure``, and status 1. It reads no setting but the
/// address, the port and whether there is a certificate; their names and defaults are those of `ServeSettings`, and change
/// with them.
///
/// Status and command are promised in `Documentation/operations.md` (`test_image.py`); the two seconds may be changed.
struct ReadyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ready",
        abstract:
            "Asks this machine's server whether it is ready; status 0 if it is, after at most 2 seconds.",
        discussion: """
            Requests /ready at the server's own address, which a flag, the environment or the settings file gives, as for \
            yonder serve; without these it reads the settings of the service that is installed. For health checks: status 1 and the answer, if the server isn't ready or doesn't answer.
            """
    )

    @Option(help: "The port that the server listens at. (default: 8080)")
    var port: Int?

    @Option(help: "The address that the server listens at. (default: 127.0.0.1)")
    var address: String?

    @Option(help: ArgumentHelp("The server's file with settings.", valueName: "file"))
    var config: String?

    /// How long the answer may take.
    private static let patience = TimeAmount.seconds(2)

    func run() async throws {
        let url = try url(environment: ProcessInfo.processInfo.environment)
        let answer: HTTPClient.Response
        do {
            answer = try await ask(url)
        } catch {
            throw CommandFailure("\(url) doesn't answer: \(error)")
        }
        let text = answer.body.map { String(buffer: $0) } ?? ""
        guard answer.status == .ok else { throw CommandFailure("\(url) isn't ready: \(text)") }
        print(text)
    }

    private func ask(_ url: String) async throws -> HTTPClient.Response {
        // The certificate is for the public name, and this is the server's own machine.
        var security = TLSConfiguration.makeClientConfiguration()
        security.certificateVerification = .none
        var settings = HTTPClient.Configuration(tlsConfiguration: security)
        settings.timeout = HTTPClient.Configuration.Timeout(connect: Self.patience)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        let answer: Result<HTTPClient.Response, any Error>
        do {
            answer = .success(try await client.get(url: url, deadline: .now() + Self.patience).get())
        } catch {
            answer = .failure(error)
        }
        try await client.shutdown()
        return try answer.get()
    }

    /// The settings of the server that is asked; those of the installed service where nobody names a port or a file.
    private func settings(_ environment: [String: String]) throws -> SettingsReader {
        let outer = SettingsReader(environment: environment)
        let texts = try [config, outer.string("config"), outer.string("port")]
        let isNamed = port != nil || texts.contains { $0 != nil }
        guard !isNamed, let file = InstalledService(environment: environment).settings else {
            return try SettingsReader.load(config, environment: environment)
        }
        do {
            return try SettingsReader.load(file, environment: environment)
        } catch {
            throw CommandFailure(
                "\(error) The settings have the port: use sudo, or give it, as in --port 8080."
            )
        }
    }

    /// Where the server with these settings answers on its own machine.
    private func url(environment: [String: String]) throws -> String {
        let reader = try settings(environment)
        let scheme = try reader.string("tls-certificate") == nil ? "http" : "https"
        let port = try reader.integer("port", port, 1...65_535) ?? 8_080
        let address = try address ?? reader.string("address") ?? "127.0.0.1"
        let host =
            switch address {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            default: address.contains(":") ? "[\(address)]" : address
            }
        return "\(scheme)://\(host):\(port)/ready"
    }
}
