import Logging
public import YonderGeodesy
import YonderModel

extension SharingClient {
    /// Shares positions in some places until the sequence ends or the task is canceled.
    ///
    /// Use ``LocationSharing`` to begin and end sharing in each place meanwhile.
    public func share<Positions: AsyncSequence>(
        _ positions: Positions,
        in places: Sharing.Place...
    ) async where Positions.Element == Position, Positions.Failure == Never {
        await share(positions, in: places)
    }

    /// Shares positions in some places until there are no more, or the task is canceled.
    public func share<Positions: AsyncSequence>(
        _ positions: Positions,
        in places: [Sharing.Place]
    ) async where Positions.Element == Position, Positions.Failure == Never {
        var sharing = Sharing(in: places)
        for await position in positions { await deliver(sharing.take(position)) }
    }

    /// Sends each fix to its place.
    func deliver(_ due: [Sharing.Delivery]) async {
        for delivery in due {
            switch delivery.place {
            case .world: movePin(to: delivery.fix.coordinate)
            case .chat(let chat): await send(delivery.fix, to: chat)
            }
        }
    }

    private func send(_ fix: Position, to chat: ChatID) async {
        let draft = MessageDraft(tag: .location, data: MessageData(position: fix))
        do throws(SharingError) {
            try await enqueue(draft, to: chat)
        } catch {
            logger.warning("A position was not sent.", metadata: ["code": "\(error.code)"])
        }
    }
}
