#if canImport(Security)
import Foundation
import Security
public import YonderModel

/// A session in the keychain: on this device alone, and readable in the background from the first unlock after a start on.
///
/// Before that unlock the session can't be read: that is `unavailable`, and not *signed out*.
///
/// An app on Apple's systems gives one to its `RESTClient`, whose `SessionKeeper` alone calls it; elsewhere it is a
/// `FileSessionStore`. Every status of the keychain but *not found* throws `unavailable`. The service's name, the
/// accessibility and the JSON of `Session` must stay, or people would be signed out by an update. `make test-apple` runs it
/// against a stand-in.
public struct KeychainSessionStore: SessionStore {
    private let service: String
    private let group: String?

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - service: Names the session among the app's; the same in each of its processes.
    ///   - group: The app group whose apps share the session, or `nil` for this app alone.
    public init(service: String = "yonder.session", group: String? = nil) {
        self.service = service
        self.group = group
    }

    /// The session, or `nil` if nobody is signed in.
    public func session() throws(SharingError) -> Session? {
        var query = query
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        try check(status, "read")
        guard let data = found as? Data else {
            throw SharingError(.unavailable, "The keychain's session isn't data.")
        }
        do {
            return try JSONDecoder().decode(Session.self, from: data)
        } catch {
            throw SharingError(.unavailable, "The keychain's session can't be read: \(error)")
        }
    }

    /// Keeps a session in place of the one before.
    public func keep(_ session: Session) throws(SharingError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(session)
        } catch {
            throw SharingError(.unavailable, "The session can't be written: \(error)")
        }
        let change: [CFString: Any] = [
            kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let status = SecItemUpdate(query as CFDictionary, change as CFDictionary)
        guard status == errSecItemNotFound else { return try check(status, "changed") }
        try check(SecItemAdd(query.merging(change) { $1 } as CFDictionary, nil), "added")
    }

    /// Removes the session.
    public func remove() throws(SharingError) {
        let status = SecItemDelete(query as CFDictionary)
        if status != errSecItemNotFound { try check(status, "removed") }
    }

    /// What names the item.
    private var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "session",
            kSecAttrSynchronizable: false, kSecUseDataProtectionKeychain: true,
        ]
        if let group { query[kSecAttrAccessGroup] = group }
        return query
    }

    private func check(_ status: OSStatus, _ done: String) throws(SharingError) {
        guard status != errSecSuccess else { return }
        throw SharingError(.unavailable, "The keychain's session can't be \(done) now: status \(status).")
    }
}
#endif
