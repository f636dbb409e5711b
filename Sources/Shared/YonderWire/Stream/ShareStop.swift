package import YonderGeodesy
import YonderJSON
package import YonderModel

/// Which of their running shares a person ends.
///
/// The client's `Stops` sends one (`ClientFrame+Shares.swift`), REST's *stop sharing* makes one, and `Exchange+Shares.swift`
/// ends the shares for which ``ends(_:)`` is true. A stop that ends none is no failure. That a share begun after ``before``
/// goes on must stay, as a stop may arrive hours after the tap (`StopCallTests`, `Documentation/sharing.md`).
package struct ShareStop: Hashable, Sendable {
    /// The chat, or `nil` for every one.
    package var chat: ChatID?

    /// The share, or `nil` for every one.
    package var share: ShareID?

    /// When the person asked for it, or `nil` for the present: what began later goes on.
    package var before: Timestamp?

    /// Creates a stop of every share.
    package init(chat: ChatID? = nil, share: ShareID? = nil, before: Timestamp? = nil) {
        self.chat = chat
        self.share = share
        self.before = before
    }

    /// Whether it ends a running share.
    package func ends(_ running: Share) -> Bool {
        (chat ?? running.chat) == running.chat && (share ?? running.id) == running.id
            && running.started <= before ?? running.started
    }
}

extension JSONWriter {
    /// Appends the members that narrow a stop.
    mutating func members(of stop: ShareStop) {
        if let chat = stop.chat {
            raw(",\"chat\":")
            identifier(chat)
        }
        if let share = stop.share {
            raw(",\"share\":")
            identifier(share)
        }
        if let before = stop.before {
            raw(",\"before\":")
            integer(before.milliseconds)
        }
    }
}
