public import Foundation
public import Observation
import YonderGeodesy
public import YonderModel

/// What the person chooses before they share in a chat: for how long, and whether the positions stay.
///
/// `PersonModels` makes one for a chat's screen; the form's view sets the choices and calls the buttons, on the main actor.
/// Nothing throws: a time that is past counts as a minute from now, and the share itself is `SharingModel`'s. The first
/// choice and the minute may change; lengths are in `ShareLength`, words in `Word` (`SharingModelTests`, the example's
/// screens).
@MainActor @Observable
public final class ShareFormModel {
    /// A length to choose.
    public enum Choice: Hashable, Sendable {
        /// A length, or *until I stop*.
        case length(ShareLength)
        /// Until the time of ``ShareFormModel/time``.
        case time
    }

    /// A length as the screen lists it.
    public struct Row: Hashable, Sendable, Identifiable {
        /// The length.
        public let id: Choice

        /// The length in words.
        public let name: String
    }

    /// Whether the form is on the screen.
    public var isShown = false

    /// The chosen length.
    public var choice = Choice.length(.hour)

    /// The end of a share until a time.
    public var time: Date

    /// Whether the positions are erased when the share ends.
    public var isErased = false

    private let chat: ChatID
    private let sharing: SharingModel
    private var context: AppContext { sharing.context }

    /// Creates the form of a chat.
    public init(in chat: ChatID, _ sharing: SharingModel) {
        (self.chat, self.sharing) = (chat, sharing)
        time = sharing.context.date(after: .seconds(3_600))
    }

    /// The lengths to choose from.
    public var rows: [Row] {
        ShareLength.choices.map { Row(id: .length($0), name: context.name(of: $0)) }
            + [Row(id: .time, name: context.say(.sharingUntilTime))]
    }

    /// Whether the field for a time is shown.
    public var offersTime: Bool { choice == .time }

    /// The earliest time that can be chosen.
    public var earliest: Date { context.date(after: .seconds(60)) }

    /// What the device asks or refuses before a share; empty for nothing.
    public var hint: String { sharing.permissionText }

    /// The button's text: *Share · 1 hour*.
    public var button: String { context.say(.sharingShareForButton, ["time": context.name(of: length)]) }

    private var length: ShareLength {
        switch choice {
        case .length(let length): length
        case .time: .until(Timestamp(milliseconds: Int64(max(time, earliest).timeIntervalSince1970 * 1_000)))
        }
    }

    /// Shows the form.
    public func show() {
        isShown = true
    }

    /// Takes the form off the screen.
    public func cancel() {
        isShown = false
    }

    /// Shares as chosen, and takes the form off the screen.
    public func share() {
        isShown = false
        sharing.share(in: chat, for: length, keeping: isErased ? .expiring : .kept)
    }
}

extension AppContext {
    fileprivate func date(after duration: Duration) -> Date {
        Date(timeIntervalSince1970: Double((now() + duration).milliseconds) / 1_000)
    }
}
