// Texts of migrations that are long, or that tests run by themselves.
// `SQLiteStore+Migrations.swift` runs them as steps, each once in the life of a database. A text that a release had is
// never changed. `HistoryByTimeTests` and `OpeningTests` run them on databases of earlier versions.
extension SQLiteStore {
    /// Gives tables and columns the names that PostgreSQL has, so that a noun's statements are written once.
    static let renaming = """
        ALTER TABLE account RENAME COLUMN isOperator TO is_operator;
        ALTER TABLE account RENAME COLUMN isDisabled TO is_disabled;
        ALTER TABLE account RENAME COLUMN lastSeen TO last_seen;
        ALTER TABLE account RENAME COLUMN showsReads TO shows_reads;
        ALTER TABLE contact RENAME COLUMN user TO person;
        ALTER TABLE block RENAME COLUMN user TO person;
        ALTER TABLE block RENAME COLUMN ownName TO own_name;
        ALTER TABLE block RENAME COLUMN ownHue TO own_hue;
        ALTER TABLE block RENAME COLUMN otherName TO other_name;
        ALTER TABLE block RENAME COLUMN otherHue TO other_hue;
        ALTER TABLE credential RENAME COLUMN user TO person;
        ALTER TABLE credential RENAME COLUMN lastSeen TO last_seen;
        ALTER TABLE knownNetwork RENAME COLUMN user TO person;
        ALTER TABLE knownNetwork RENAME COLUMN lastSeen TO last_seen;
        ALTER TABLE accountEvent RENAME COLUMN user TO person;
        ALTER TABLE leaving RENAME COLUMN user TO person;
        ALTER TABLE share RENAME COLUMN user TO person;
        ALTER TABLE share RENAME COLUMN showsBattery TO shows_battery;
        ALTER TABLE share RENAME COLUMN isErased TO is_erased;
        ALTER TABLE participant RENAME COLUMN user TO person;
        ALTER TABLE participant RENAME COLUMN isPresent TO is_present;
        ALTER TABLE participant RENAME COLUMN staysOut TO stays_out;
        ALTER TABLE participant RENAME COLUMN leftSubject TO left_subject;
        ALTER TABLE span RENAME COLUMN user TO person;
        ALTER TABLE reading RENAME COLUMN user TO person;
        ALTER TABLE chat RENAME COLUMN isOneToOne TO one_to_one;
        ALTER TABLE chat RENAME COLUMN subjectLocked TO subject_locked;
        ALTER TABLE chat RENAME COLUMN stepBack TO step_back;
        ALTER TABLE message RENAME COLUMN isRecalled TO recalled;
        ALTER TABLE knownNetwork RENAME TO known_network;
        ALTER TABLE accountEvent RENAME TO account_event;
        ALTER TABLE signingKey RENAME TO signing_key;
        ALTER TABLE imageUse RENAME TO image_use;
        ALTER TABLE removedEntity RENAME TO removed_entity;
        CREATE INDEX accountByOffice ON account (id) WHERE is_operator AND NOT is_disabled;
        """

    /// Moves what waits in `recent` to `message`.
    static let settling = """
        INSERT INTO message (
            chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
        )
        SELECT chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late FROM recent
        WHERE number >= (SELECT first FROM chat WHERE chat.id = recent.chat) AND NOT EXISTS (
            SELECT 1 FROM message WHERE message.chat = recent.chat AND message.number = recent.number
        );
        """

    /// Notes each chat's largest step back in time, in one pass over all messages in the order of the table.
    static let steppingBack = """
        UPDATE chat SET stepBack = found.step FROM (
            SELECT chat, max(back) AS step FROM (
                SELECT chat, max(time) OVER (PARTITION BY chat ORDER BY number ROWS UNBOUNDED PRECEDING) - time AS back
                FROM message
            ) GROUP BY chat
        ) AS found WHERE chat.id = found.chat AND found.step > 0;
        """
}
