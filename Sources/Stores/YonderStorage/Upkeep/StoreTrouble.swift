import YonderSQLite

/// Why a data folder's store can't be written, in words for anybody who asks `/ready`.
///
/// A text has no path and no name of the operator's.
enum StoreTrouble: Hashable {
    /// The disk has no room.
    case full
    /// The disk, or the service's view of it, can't be written.
    case readOnly
    /// The disk fails, with SQLite's extended code.
    case failing(Int32)
    /// The database can be written and not read.
    case unreadable
    /// It isn't known why.
    case unwritable

    /// What a failed write says of the disk.
    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self = .unwritable
            return
        }
        self =
            switch error.resultCode {
            case .full: .full
            case .readOnly: .readOnly
            default: .failing(error.extendedResultCode.rawValue)
            }
    }

    /// The sentence, without a full stop.
    var text: String {
        switch self {
        case .full: "The disk is full; the server goes on by itself once there is room"
        case .readOnly: "The disk can't be written: it is read-only"
        case .failing(let code): "The disk fails, with SQLite's code \(code)"
        case .unreadable: "The database can't be read"
        case .unwritable: "The database can't be written"
        }
    }
}
