// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Synchronization

/// What stands for the session that keeps an app in use in the background, and for the indicator that shows it.
public final class CLBackgroundActivitySession: Sendable {
    private let isValid = Mutex(true)

    public init() {
        count.withLock { $0 += 1 }
    }

    public func invalidate() {
        let wasValid = isValid.withLock { isValid in
            defer { isValid = false }
            return isValid
        }
        if wasValid { count.withLock { $0 -= 1 } }
    }

    deinit {
        invalidate()
    }

    /// How many sessions a test's process has that are valid.
    public static var validCount: Int { count.withLock(\.self) }
}

private let count = Mutex(0)
