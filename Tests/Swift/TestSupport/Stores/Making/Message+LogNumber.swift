package import YonderModel

extension Message {
    /// The number of a message of a log; 0, which no log has, for a message that isn't kept.
    package var logNumber: Int64 { id.logNumber }
}

extension Message.ID {
    /// The number of a message of a log; 0, which no log has, for a message that isn't kept.
    package var logNumber: Int64 { number ?? 0 }
}
