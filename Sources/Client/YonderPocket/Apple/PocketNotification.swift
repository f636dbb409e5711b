#if canImport(UserNotifications) && (os(iOS) || os(Linux))
import Foundation
import UserNotifications

/// The notification of a share as UserNotifications has it: its names, its button, and its request.
///
/// ``ApplePocketSystem`` registers the category at each launch, adds the request and removes it by its name;
/// `PocketListener` compares the button's name. Nothing here fails. The words come from the app (``PocketNotice``). The look
/// may be changed here alone. The three names must stay: a notification that an earlier version of the app has shown carries
/// them, and its *Stop* must reach the next process.
enum PocketNotification {
    /// The name of the request: a later notification takes the place of an earlier one.
    static let id = "yonder.pocket"

    /// The name of the category, which has the button.
    static let category = "yonder.pocket.sharing"

    /// The name of the button.
    static let stop = "yonder.pocket.stop"

    /// The category with its button, which doesn't open the app.
    static func makeCategory(stop title: String) -> UNNotificationCategory {
        let button = UNNotificationAction(identifier: stop, title: title, options: [.destructive])
        return UNNotificationCategory(
            identifier: category,
            actions: [button],
            intentIdentifiers: [],
            options: []
        )
    }

    /// A notification without a sound, to be shown now.
    static func makeRequest(_ notice: PocketNotice) -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = notice.text
        content.categoryIdentifier = category
        return UNNotificationRequest(identifier: id, content: content, trigger: nil)
    }
}
#endif
