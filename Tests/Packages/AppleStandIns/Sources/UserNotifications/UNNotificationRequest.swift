// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

open class UNNotificationContent: NSObject {
    fileprivate var fields = Fields()

    fileprivate override init() {}

    open var title: String { fields.title }
    open var categoryIdentifier: String { fields.categoryIdentifier }
}

open class UNMutableNotificationContent: UNNotificationContent {
    public override init() {}

    open override var title: String {
        get { fields.title }
        set { fields.title = newValue }
    }

    open override var categoryIdentifier: String {
        get { fields.categoryIdentifier }
        set { fields.categoryIdentifier = newValue }
    }
}

private struct Fields {
    var title = ""
    var categoryIdentifier = ""
}

open class UNNotificationTrigger: NSObject {}

// Safe because nothing of it changes.
open class UNNotificationRequest: NSObject, @unchecked Sendable {
    public let identifier: String
    public let content: UNNotificationContent
    public let trigger: UNNotificationTrigger?

    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}
