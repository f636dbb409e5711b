import Foundation
import Synchronization

// A keychain in memory, of which only what Yonder asks for is there. The names and signatures are Apple's, but for the types of Core
// Foundation, which Linux doesn't have.

/// A string of Core Foundation.
public typealias CFString = String
/// A dictionary of Core Foundation.
public typealias CFDictionary = [String: Any]
/// Any value of Core Foundation.
public typealias CFTypeRef = Any
/// What a call answers.
public typealias OSStatus = Int32

/// The kind of item.
public let kSecClass = "class"
/// A secret of an app.
public let kSecClassGenericPassword = "genp"
/// What the item is for.
public let kSecAttrService = "svce"
/// Whose it is.
public let kSecAttrAccount = "acct"
/// The apps that share it.
public let kSecAttrAccessGroup = "agrp"
/// Whether other devices get it.
public let kSecAttrSynchronizable = "sync"
/// When it can be read.
public let kSecAttrAccessible = "pdmn"
/// From the first unlock on, on this device alone.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "cku"
/// Whether a Mac uses the phone's keychain.
public let kSecUseDataProtectionKeychain = "nleg"
/// Whether the data is wanted.
public let kSecReturnData = "r_Data"
/// How many items are wanted.
public let kSecMatchLimit = "m_Limit"
/// One item.
public let kSecMatchLimitOne = "m_LimitOne"
/// The data.
public let kSecValueData = "v_Data"

/// It was done.
public let errSecSuccess: OSStatus = 0
/// There is no such item.
public let errSecItemNotFound: OSStatus = -25_300
/// There is such an item already.
public let errSecDuplicateItem: OSStatus = -25_299
/// The phone is locked.
public let errSecInteractionNotAllowed: OSStatus = -25_308

/// The items, by what names them, each with its data and where it may be read.
private let items = Mutex<[String: (data: Data, accessible: String)]>([:])
private let isLocked = Mutex(false)

/// Has the phone restart: nothing is read or written before its first unlock.
public func restartPhone() {
    isLocked.withLock { $0 = true }
}

/// Unlocks the phone.
public func unlockPhone() {
    isLocked.withLock { $0 = false }
}

/// Where an item may be read, or `nil` if there is none.
public func accessibility(of service: String) -> String? {
    items.withLock { items in items.first { $0.key.contains(service) }?.value.accessible }
}

/// Reads an item.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
    -> OSStatus
{
    guard !isLocked.withLock(\.self) else { return errSecInteractionNotAllowed }
    guard let item = items.withLock({ $0[name(query)] }) else { return errSecItemNotFound }
    result?.pointee = item.data
    return errSecSuccess
}

/// Adds an item.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard !isLocked.withLock(\.self) else { return errSecInteractionNotAllowed }
    guard let data = attributes[kSecValueData] as? Data,
        let accessible = attributes[kSecAttrAccessible] as? String
    else { return -50 }
    return items.withLock { items in
        guard items[name(attributes)] == nil else { return errSecDuplicateItem }
        items[name(attributes)] = (data, accessible)
        return errSecSuccess
    }
}

/// Changes an item.
public func SecItemUpdate(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus {
    guard !isLocked.withLock(\.self) else { return errSecInteractionNotAllowed }
    guard let data = attributes[kSecValueData] as? Data,
        let accessible = attributes[kSecAttrAccessible] as? String
    else { return -50 }
    return items.withLock { items in
        guard items[name(query)] != nil else { return errSecItemNotFound }
        items[name(query)] = (data, accessible)
        return errSecSuccess
    }
}

/// Removes an item.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    guard !isLocked.withLock(\.self) else { return errSecInteractionNotAllowed }
    return items.withLock { $0.removeValue(forKey: name(query)) } == nil ? errSecItemNotFound : errSecSuccess
}

private func name(_ query: CFDictionary) -> String {
    [kSecClass, kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrSynchronizable]
        .map { query[$0].map { "\($0)" } ?? "-" }.joined(separator: "/")
}
