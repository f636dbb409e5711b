extension SchemaSteps {
    /// The index of positions that have their data: emptied ones aren't in it.
    ///
    /// Programs of version 1 can use the database with it.
    static let positions = [
        """
        CREATE INDEX message_by_position ON message (chat, sender, late, number)
        WHERE tag = 'Location' AND data IS NOT NULL
        """
    ]
}
