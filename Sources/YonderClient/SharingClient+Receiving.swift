import Logging
import YonderGeodesy
import YonderModel
import YonderWire

extension SharingClient {
    /// Handles a frame other than the greeting.
    func receive(_ frame: ServerFrame) {
        switch frame {
        case .messages(let page): answer(page.id, page.topic, frame)
        case .chats(let id, let topic, _, _): answer(id, topic, frame)
        case .contacts(let id, let topic, _, _): answer(id, topic, frame)
        case .presence(let id, let topic, _, _): answer(id, topic, frame)
        case .world(let id, let topic, _, _, _): answer(id, topic, frame)
        case .shares(_, let id, let topic, _, _): answer(id, topic, frame)
        case .message(let topic, _), .chat(let topic, _), .activity(let topic, _), .chatLeft(let topic, _),
            .contact(let topic, _), .contactGone(let topic, _), .online(let topic, _, _), .pin(let topic, _),
            .gone(let topic, _), .sharesChanged(_, let topic, _):
            change(topic, frame)
        case .region(let region):
            if let id = region.answer?.id {
                answer(id, region.topic, frame)
            } else {
                change(region.topic, frame)
            }
        case .ended(let id, _, let error): close(id, error)
        case .sent(let key, let chat, let number, let time):
            let reply = Reply.sent(number: number, time: time.milliseconds)
            answered(OutgoingKey(key: key, chat: chat), .success(reply))
        case .started(let key, let existed, let chat):
            answered(OutgoingKey(key: key, chat: nil), .success(.started(chat, existed: existed)))
        case .shared(let key, let share, _, _):
            answered(OutgoingKey(key: key, chat: share.share.chat), .success(.shared(share)))
        case .stopped(let key, let shares):
            answered(OutgoingKey(key: key, chat: nil), .success(.stopped(shares)))
        case .error(let refusal): take(refusal)
        case .asked(let chat, let asker): asked.yield(Question(chat: chat, asker: asker))
        case .hello, .unsubscribed, .pong: break
        }
    }

    private func answer(_ id: Int64, _ topic: Int64, _ frame: ServerFrame) {
        guard let subscription = subscriptions[id] else { return }
        topics[topic] = id
        subscription.apply(frame)
        if let next = subscription.nextFrame(of: id) { write(next) }
    }

    private func change(_ topic: Int64, _ frame: ServerFrame) {
        if let id = topics[topic] { subscriptions[id]?.apply(frame) }
    }

    private func take(_ refusal: FrameRefusal) {
        if let key = refusal.key {
            return refused(OutgoingKey(key: key, chat: refusal.chat), refusal.error)
        }
        guard let id = refusal.id, subscriptions[id] != nil else {
            let error = refusal.error
            return logger.info(
                "Refused.",
                metadata: ["code": "\(error.code)", "message": "\(error.message)"]
            )
        }
        if let wait = refusal.error.retryDelay {
            chores?.yield(.resubscribe(id, after: wait))
        } else {
            close(id, refusal.error)
        }
    }

    private func answered(_ id: OutgoingKey, _ result: Result<Reply, SharingError>) {
        if passing.remove(id) == nil {
            let (item, frames) = outgoing.answered(id)
            for frame in frames { write(frame) }
            if item?.isKept == true { chores?.yield(.forget(id)) }
            wakeIdlers()
        }
        resume(id, result)
    }

    private func refused(_ id: OutgoingKey, _ error: SharingError) {
        guard passing.remove(id) == nil else { return resume(id, .failure(error)) }
        let (refusal, frames) = outgoing.refused(id, error)
        for frame in frames { write(frame) }
        switch refusal {
        case .unknown: break
        case .later(let pause, let wait): chores?.yield(.resumeSending(pause, after: wait))
        case .failed(let item):
            if item.isKept { chores?.yield(.forget(id)) }
            if waiters[id] == nil, let chat = id.chat {
                logger.warning("A message was refused.", metadata: ["code": "\(error.code)"])
                refused.yield(Refused(chat: chat, key: id.key, error: error))
            }
            resume(id, .failure(error))
            wakeIdlers()
        }
    }

    private func wakeIdlers() {
        guard outgoing.count == 0 else { return }
        endIdling()
    }

    /// Resumes the callers who wait until every request is answered.
    func endIdling() {
        let idlers = idlers
        self.idlers = []
        for idler in idlers { idler.resume() }
    }

    /// Resumes the callers who wait for the answer to a request.
    func resume(_ id: OutgoingKey, _ result: Result<Reply, SharingError>) {
        for waiter in waiters.removeValue(forKey: id) ?? [] { waiter.resume(returning: result) }
    }
}
