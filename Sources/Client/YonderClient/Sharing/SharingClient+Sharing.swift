import Logging
public import YonderGeodesy
import YonderModel

// The shell of `Sharing`: the commands' `yonder share` and apps call `share`, `LocationSharing` calls ``deliver(_:)``.
// Nothing throws: a position that the outbox can't take is logged and dropped, and the next one is tried again. That each
// chat gets a fix as a message of its own, in tenths, must stay (`SharingTests`, `PhoneCostTests`); the log's words may
// change.
extension SharingClient {
    /// Shares positions with some audiences until the sequence ends or the task is canceled.
    ///
    /// Use ``LocationSharing`` to begin and end sharing with each audience meanwhile.
    public func share<Positions: AsyncSequence>(
        _ positions: Positions,
        with audiences: Sharing.Audience...
    ) async where Positions.Element == Position, Positions.Failure == Never {
        await share(positions, with: audiences)
    }

    /// Shares positions with some audiences until the sequence ends or the task is canceled.
    public func share<Positions: AsyncSequence>(
        _ positions: Positions,
        with audiences: [Sharing.Audience]
    ) async where Positions.Element == Position, Positions.Failure == Never {
        var sharing = Sharing(with: audiences)
        for await position in positions { await deliver(sharing.take(position)) }
    }

    /// Sends each fix to its audience.
    func deliver(_ due: [Sharing.Delivery]) async {
        for delivery in due {
            switch delivery.audience {
            case .world: movePin(to: delivery.fix.coordinate)
            case .chat(let chat): await send(delivery.fix, to: chat)
            }
        }
    }

    private func send(_ fix: Position, to chat: ChatID) async {
        let draft = MessageDraft(tag: .location, data: MessageData(position: fix.inTenths))
        do throws(SharingError) {
            try await enqueue(draft, to: chat)
        } catch {
            logger.warning("A position was not sent.", metadata: ["code": "\(error.code)"])
        }
    }
}
