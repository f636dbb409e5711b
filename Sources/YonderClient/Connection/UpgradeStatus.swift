import NIOCore
import NIOHTTP1
import YonderModel

/// Observes the status of the server's response to the upgrade, and passes every part on.
///
/// Belongs to its channel's event loop.
final class UpgradeStatus: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private let onRefusal: (LinkClosure) -> Void
    private var isDone = false

    init(onRefusal: @escaping (LinkClosure) -> Void) {
        self.onRefusal = onRefusal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isDone {
            isDone = true
            if case .head(let head) = unwrapInboundIn(data), head.status != .switchingProtocols {
                onRefusal(LinkClosure(head))
                context.close(promise: nil)
            }
        }
        context.fireChannelRead(data)
    }
}

extension LinkClosure {
    /// The closure that a response other than an upgrade stands for.
    init(_ head: HTTPResponseHead) {
        let wait = head.headers.first(name: "retry-after").flatMap { UInt32($0) }
        switch head.status {
        case .unauthorized:
            self = .refused(
                SharingError(.invalidCredentials, "The server doesn't know this token.")
            )
        case .forbidden:
            self = .refused(
                SharingError(
                    .notAllowed,
                    "The server refused the connection with status 403; its operator can say why."
                )
            )
        case .upgradeRequired:
            self = .refused(
                SharingError(
                    .unsupportedVersion,
                    "The server doesn't support the protocol yonder.v1: update the client or the server."
                )
            )
        default:
            let reason =
                "The server answered the connection request with status \(head.status.code) instead of 101."
            self = wait.map { .later(.seconds(Int64($0)), reason) } ?? .lost(reason)
        }
    }
}
