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
            self = .refused(SharingError(.invalidCredentials, "The server doesn't know this token."))
        case .forbidden:
            self = .refused(SharingError(.notAllowed, "The server doesn't let this client in."))
        case .upgradeRequired:
            self = .refused(SharingError(.unsupportedVersion, "The server speaks another version."))
        default:
            let reason = "The server answered \(head.status.code)."
            self = wait.map { .later(.seconds(Int64($0)), reason) } ?? .lost(reason)
        }
    }
}
