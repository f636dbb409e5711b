public import YonderModel
import YonderWire

/// A change of the caller's contacts.
public enum ContactChange: Hashable, Sendable {
    /// A contact is new, or has another name, picture or hue.
    case changed(User)
    /// A user is no longer a contact.
    case removed(UserID)
}

/// The caller's contacts, kept current.
///
/// `SharingClient.contacts()` opens one; `LiveFeed` has it and applies frames. It can't fail: a removal of an unknown user
/// changes nothing. Readers keep the list of before until an answer is complete. The order by name must be the server's, or a
/// reconnect would change it (`ContactListTests`, the SDK's model).
struct ContactList: LiveList {
    let query = StreamQuery.contacts
    private(set) var isCurrent = false
    private(set) var snapshot: [User] = []
    private var isFresh = true

    mutating func reopen() {
        isCurrent = false
        isFresh = true
    }

    mutating func apply(_ frame: ServerFrame) -> LiveStep<ContactChange> {
        switch frame {
        case .contacts(_, _, let isCurrent, let contacts):
            if isFresh { snapshot = [] }
            isFresh = false
            for contact in contacts { take(contact) }
            self.isCurrent = isCurrent
            return isCurrent ? .list : .nothing
        case .contact(_, let contact):
            take(contact)
            return step(.changed(contact))
        case .contactGone(_, let user):
            snapshot.removeAll { $0.id == user }
            return step(.removed(user))
        default: return .nothing
        }
    }

    private func step(_ change: ContactChange) -> LiveStep<ContactChange> {
        isCurrent ? .changes([change]) : .nothing
    }

    private mutating func take(_ contact: User) {
        snapshot.removeAll { $0.id == contact.id }
        let place = snapshot.firstIndex { ($0.name, $0.id) > (contact.name, contact.id) }
        snapshot.insert(contact, at: place ?? snapshot.endIndex)
    }
}
