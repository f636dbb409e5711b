import ArgumentParser
import Logging
import YonderClient
import YonderModel
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server, the caller's token, and the chat or the world.
///
/// `Share` and `Watch` include the options and make their client of them. A wrong option is a `ValidationError` before
/// anything runs; a server, token or file that is none is a ``CommandFailure``. A token never stands in a message, and
/// needn't stand on the command line. Names of options and variables are used by scripts (`Documentation/receivers.md`,
/// `test_command_line.py`).
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server, such as https://yonder.example.", valueName: "url"))
    var server: String

    @Option(
        help: ArgumentHelp(
            "A bearer token. Others on this machine can see it: rather use --token-file or YONDER_TOKEN."
        )
    )
    var token: String?

    @Option(help: ArgumentHelp("A file with the bearer token.", valueName: "file"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("The chat, by its id.", valueName: "id"), transform: Self.chat)
    var chat: ChatID?

    @Flag(help: "The world: all who are connected, without names.")
    var world = false

    @Option(help: ArgumentHelp("The certificate of the server's own authority, in PEM.", valueName: "file"))
    var certificateAuthority: String?

    func validate() throws {
        guard (chat != nil) != world else { throw ValidationError("Give --chat or --world.") }
        guard token == nil || tokenFile == nil else { throw ValidationError("Give --token or --token-file.") }
    }

    /// A client for it.
    ///
    /// - Throws: ``CommandFailure`` if the server, the token or a file is none.
    func client(outbox: any OutboxStore = MemoryOutboxStore()) throws -> SharingClient {
        let token = try givenToken()
        guard token != nil || world else {
            throw CommandFailure("A chat needs a token: --token-file, YONDER_TOKEN or --token.")
        }
        var settings = ClientSettings()
        settings.certificateAuthority = certificateAuthority
        settings.logger = Logger(label: "yonder", factory: StreamLogHandler.standardError(label:))
        do throws(SharingError) {
            return try SharingClient(server: server, token: token, outbox: outbox, settings: settings)
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private static func chat(_ argument: String) throws -> ChatID {
        guard let chat = ChatID(argument) else {
            throw ValidationError("--chat must be a chat's id, a number; it is \(argument).")
        }
        return chat
    }

    private func givenToken() throws -> String? {
        guard let tokenFile else { return token ?? ProcessInfo.processInfo.environment["YONDER_TOKEN"] }
        guard let text = try? String(contentsOfFile: tokenFile, encoding: .utf8) else {
            throw CommandFailure("\(tokenFile) can't be read.")
        }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// Runs a client beside `body` and ends with it; a refusal by the server ends both.
func connected<Value: Sendable>(
    _ client: SharingClient,
    _ body: @Sendable @escaping () async throws -> Value
) async throws {
    do {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            group.addTask { _ = try await body() }
            try await group.next()
            group.cancelAll()
        }
    } catch let error as SharingError {
        throw CommandFailure("\(error.code): \(error.message)")
    }
}
