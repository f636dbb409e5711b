import YonderSQLite
import YonderTables

extension SQLiteStore {
    /// The steps that make the server's database, from its first version on.
    ///
    /// The database records how many of them it has. Opening a store runs the others, in order and in one transaction
    /// (`SQLiteFile`, `Migration`); if one fails, or the database has more steps than this list, the store isn't opened and
    /// nothing was changed. `StoreBackup` refuses a copy with more steps in the same way.
    ///
    /// Steps are only appended: one that a release had is never changed, moved or removed, because databases exist that have
    /// it. A new step is one of both databases, in `NounLists.swift`, and needs a fixture in `OpeningTests`, which brings a
    /// database of each version to the newest.
    static let migrations =
        own + TableStatement.steps.map { Migration(sql: $0.compactMap(\.sqlite).joined(separator: ";\n")) }

    /// The steps of before there were steps of both databases: none is added.
    ///
    /// `isOptionalForReading` is for a step without which this program reads right, as an index: a database on a full disk is
    /// then opened without it. Text that may contain a zero byte, and keys, which are compared by bytes, are blobs. Times are
    /// milliseconds since 1970, coordinates of objects are numbers of `Coordinate.Rounded`.
    private static let own = [
        // Accounts, what signs them in, chats and their messages. `recent` has messages that were committed and aren't
        // sorted into `message` yet.
        Migration(
            sql: """
                CREATE TABLE account (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, avatar TEXT, login TEXT UNIQUE,
                    password TEXT, isOperator INTEGER NOT NULL, created INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX accountByAge ON account (created, id);

                CREATE TABLE contact (
                    user INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (user, other)
                ) WITHOUT ROWID, STRICT;

                CREATE TABLE invitation (
                    secret BLOB PRIMARY KEY, sender INTEGER NOT NULL, created INTEGER NOT NULL,
                    expires INTEGER NOT NULL
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX invitationBySender ON invitation (sender, expires);

                CREATE TABLE credential (
                    secret BLOB PRIMARY KEY, kind TEXT NOT NULL, user INTEGER NOT NULL, label TEXT NOT NULL,
                    created INTEGER NOT NULL, expires INTEGER
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX credentialByUser ON credential (user);

                CREATE TABLE chat (
                    id INTEGER PRIMARY KEY, isOneToOne INTEGER NOT NULL, subject TEXT NOT NULL,
                    first INTEGER NOT NULL, created INTEGER NOT NULL
                ) STRICT;

                CREATE TABLE pair (
                    one INTEGER NOT NULL, other INTEGER NOT NULL, chat INTEGER NOT NULL,
                    PRIMARY KEY (one, other)
                ) WITHOUT ROWID, STRICT;

                CREATE TABLE started (
                    creator INTEGER NOT NULL, key BLOB NOT NULL, chat INTEGER NOT NULL,
                    fingerprint INTEGER NOT NULL, PRIMARY KEY (creator, key)
                ) WITHOUT ROWID, STRICT;

                CREATE TABLE participant (
                    chat INTEGER NOT NULL, user INTEGER NOT NULL, place INTEGER NOT NULL, role TEXT NOT NULL,
                    color INTEGER NOT NULL, isPresent INTEGER NOT NULL, PRIMARY KEY (chat, user)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX participantByUser ON participant (user, chat) WHERE isPresent;

                CREATE TABLE span (
                    chat INTEGER NOT NULL, user INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER,
                    PRIMARY KEY (chat, user, first)
                ) WITHOUT ROWID, STRICT;

                CREATE TABLE message (
                    chat INTEGER NOT NULL, number INTEGER NOT NULL, sender INTEGER NOT NULL, tag TEXT NOT NULL,
                    content BLOB NOT NULL, data BLOB, time INTEGER NOT NULL, expires INTEGER,
                    isRecalled INTEGER NOT NULL DEFAULT 0, key BLOB, fingerprint INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (chat, number)
                ) WITHOUT ROWID, STRICT;
                CREATE UNIQUE INDEX messageByKey ON message (chat, sender, key);
                CREATE INDEX messageByTag ON message (chat, tag, number);
                CREATE INDEX messageBySender ON message (chat, sender, tag, number);
                CREATE INDEX messageToExpire ON message (expires, chat, number)
                    WHERE expires IS NOT NULL AND (content <> x'' OR data IS NOT NULL);

                CREATE TABLE recent (
                    id INTEGER PRIMARY KEY, chat INTEGER NOT NULL, number INTEGER NOT NULL, sender INTEGER NOT NULL,
                    tag TEXT NOT NULL, content BLOB NOT NULL, data BLOB, time INTEGER NOT NULL, expires INTEGER,
                    key BLOB NOT NULL, fingerprint INTEGER NOT NULL
                ) STRICT;
                """
        ),
        // Objects are stored in the order of their creation, which is also the order of pages. AUTOINCREMENT:
        // neither an entity's number nor an object's position is reused.
        Migration(
            sql: """
                CREATE TABLE entity (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, readers TEXT NOT NULL,
                    fields BLOB NOT NULL, count INTEGER NOT NULL, created INTEGER NOT NULL,
                    updated INTEGER NOT NULL
                ) STRICT;

                CREATE TABLE removedEntity (number INTEGER PRIMARY KEY) STRICT;

                CREATE TABLE object (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL UNIQUE,
                    entity INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
                    latitude INTEGER, longitude INTEGER, fields BLOB NOT NULL
                ) STRICT;
                CREATE INDEX objectByEntity ON object (entity);

                CREATE TABLE reference (
                    target INTEGER NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (target, source)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX referenceBySource ON reference (source);
                """
        ),
        // The keys of programs that use the older places API.
        Migration(
            sql: """
                CREATE TABLE signingKey (
                    id TEXT PRIMARY KEY, secret TEXT NOT NULL, name TEXT NOT NULL, rights TEXT NOT NULL,
                    created INTEGER NOT NULL
                ) WITHOUT ROWID, STRICT;
                """
        ),
        // Accounts managed by operators, and data about sign-ins.
        Migration(
            sql: """
                ALTER TABLE account ADD COLUMN isDisabled INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE account ADD COLUMN lastSeen INTEGER;
                ALTER TABLE credential ADD COLUMN network TEXT;
                ALTER TABLE credential ADD COLUMN lastSeen INTEGER;
                CREATE INDEX credentialByExpiry ON credential (expires) WHERE expires IS NOT NULL;

                CREATE TABLE knownNetwork (
                    user INTEGER NOT NULL, network TEXT NOT NULL, lastSeen INTEGER NOT NULL,
                    PRIMARY KEY (user, network)
                ) WITHOUT ROWID, STRICT;

                CREATE TABLE leaving (user INTEGER PRIMARY KEY) STRICT;
                """
        ),
        // `conflict` holds messages that an earlier version, after a full disk, had acknowledged with a
        // number already used. `upkeep` records one-time work: `cleaned` is set when no erased content is
        // left from earlier versions.
        Migration(
            sql: """
                CREATE TABLE conflict (
                    id INTEGER PRIMARY KEY, chat INTEGER NOT NULL, number INTEGER NOT NULL, sender INTEGER NOT NULL,
                    tag TEXT NOT NULL, content BLOB NOT NULL, data BLOB, time INTEGER NOT NULL, expires INTEGER,
                    key BLOB NOT NULL, fingerprint INTEGER NOT NULL
                ) STRICT;
                INSERT INTO conflict SELECT recent.* FROM recent JOIN message USING (chat, number)
                WHERE recent.key IS NOT message.key OR recent.sender <> message.sender
                    OR recent.fingerprint <> message.fingerprint;
                DELETE FROM recent WHERE id IN (SELECT id FROM conflict);

                CREATE TABLE upkeep (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID, STRICT;
                INSERT INTO upkeep SELECT 'cleaned', NOT EXISTS (SELECT 1 FROM account);
                """,
            isOptionalForReading: true
        ),
        // The messages in `recent` are moved first, so that one pass over an index counts all written
        // messages. Every participant has read everything: after an upgrade, no user finds years of unread
        // messages.
        Migration(
            sql: """
                INSERT INTO message (chat, number, sender, tag, content, data, time, expires, key, fingerprint)
                SELECT chat, number, sender, tag, content, data, time, expires, key, fingerprint FROM recent
                WHERE number >= (SELECT first FROM chat WHERE chat.id = recent.chat) AND NOT EXISTS (
                    SELECT 1 FROM message WHERE message.chat = recent.chat AND message.number = recent.number
                ) ORDER BY id;
                DELETE FROM recent;

                ALTER TABLE message ADD COLUMN written INTEGER;
                ALTER TABLE recent ADD COLUMN written INTEGER;
                UPDATE message SET written = counted.place FROM (
                    SELECT chat, number, row_number() OVER (PARTITION BY chat ORDER BY number) AS place
                    FROM message INDEXED BY messageByTag
                    WHERE chat >= 0 AND tag NOT IN (
                        'Location', 'Join', 'Leave', 'Subject', 'Recall', 'Share', 'Remove', 'Owner'
                    )
                ) AS counted WHERE message.chat = counted.chat AND message.number = counted.number;
                CREATE INDEX messageByWriting ON message (chat, number) WHERE written IS NOT NULL;

                ALTER TABLE chat ADD COLUMN written INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE chat ADD COLUMN active INTEGER NOT NULL DEFAULT 0;
                UPDATE chat SET active = created;

                CREATE TABLE reading (
                    chat INTEGER NOT NULL, user INTEGER NOT NULL, number INTEGER NOT NULL,
                    written INTEGER NOT NULL, PRIMARY KEY (chat, user)
                ) WITHOUT ROWID, STRICT;
                INSERT INTO reading SELECT chat, user,
                    ifnull((
                        SELECT number FROM message WHERE message.chat = participant.chat ORDER BY number DESC LIMIT 1
                    ), 0),
                    ifnull((
                        SELECT written FROM message WHERE message.chat = participant.chat AND written IS NOT NULL
                        ORDER BY number DESC LIMIT 1
                    ), 0)
                FROM participant WHERE isPresent;

                ALTER TABLE account ADD COLUMN showsReads INTEGER NOT NULL DEFAULT 1;
                """
        ),
        // Shares, and which of them a position belongs to.
        Migration(
            sql: """
                CREATE TABLE share (
                    id INTEGER PRIMARY KEY, chat INTEGER NOT NULL, user INTEGER NOT NULL, started INTEGER NOT NULL,
                    until INTEGER, latitude REAL, longitude REAL, radius REAL, keeping TEXT NOT NULL,
                    showsBattery INTEGER NOT NULL, source INTEGER, after INTEGER NOT NULL, ended INTEGER, ending TEXT,
                    isErased INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX shareByChat ON share (chat);
                CREATE INDEX shareToErase ON share (id)
                    WHERE ended IS NOT NULL AND keeping = 'expiring' AND NOT isErased;
                ALTER TABLE message ADD COLUMN share INTEGER;
                ALTER TABLE recent ADD COLUMN share INTEGER;
                """
        ),
        // `late` has the time of a late position, so that the newest of those that are left is found without their data.
        // What an earlier version stored counts as on time, in the order of its numbers.
        Migration(
            sql: """
                ALTER TABLE message ADD COLUMN late INTEGER;
                ALTER TABLE recent ADD COLUMN late INTEGER;
                CREATE INDEX messageByLateness ON message (chat, sender, late, number) WHERE late IS NOT NULL;
                """
        ),
        // Images, and the messages that name them. Triggers delete an image when the last message or profile that names it
        // is gone.
        Migration(
            sql: """
                CREATE TABLE image (
                    id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, created INTEGER NOT NULL, format TEXT NOT NULL,
                    width INTEGER NOT NULL, height INTEGER NOT NULL, bytes BLOB NOT NULL
                ) STRICT;
                CREATE INDEX imageByOwner ON image (owner);
                CREATE INDEX imageByAge ON image (created);

                CREATE TABLE imageUse (
                    image INTEGER NOT NULL, chat INTEGER NOT NULL, number INTEGER NOT NULL,
                    PRIMARY KEY (image, chat, number)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX imageUseByMessage ON imageUse (chat, number);

                CREATE TRIGGER imageOfEmptiedMessage AFTER UPDATE OF data ON message
                WHEN OLD.tag = 'Photo' AND NEW.data IS NULL BEGIN
                    DELETE FROM imageUse WHERE chat = OLD.chat AND number = OLD.number;
                END;
                CREATE TRIGGER imageOfRemovedMessage AFTER DELETE ON message WHEN OLD.tag = 'Photo' BEGIN
                    DELETE FROM imageUse WHERE chat = OLD.chat AND number = OLD.number;
                END;
                CREATE TRIGGER imageOfNoMessage AFTER DELETE ON imageUse
                WHEN NOT EXISTS (SELECT 1 FROM imageUse WHERE image = OLD.image) BEGIN
                    DELETE FROM image WHERE id = OLD.image AND NOT EXISTS (
                        SELECT 1 FROM account WHERE account.id = image.owner AND avatar = '/v1/images/' || image.id
                    );
                END;
                CREATE TRIGGER imageOfChangedProfile AFTER UPDATE OF avatar ON account
                WHEN OLD.avatar LIKE '/v1/images/%' AND OLD.avatar IS NOT NEW.avatar BEGIN
                    DELETE FROM image WHERE owner = OLD.id AND '/v1/images/' || image.id = OLD.avatar
                        AND NOT EXISTS (SELECT 1 FROM imageUse WHERE imageUse.image = image.id);
                END;
                CREATE TRIGGER imagesOfRemovedAccount AFTER DELETE ON account BEGIN
                    DELETE FROM image WHERE owner = OLD.id
                        AND NOT EXISTS (SELECT 1 FROM imageUse WHERE imageUse.image = image.id);
                END;
                """
        ),
        // The hues lie apart by the golden ratio, in the order in which the accounts were made.
        Migration(
            sql: """
                ALTER TABLE account ADD COLUMN hue INTEGER;
                UPDATE account SET hue = 26 + CAST(
                    334 * (0.55 + turned.turn * 0.6180339887498949
                        - CAST(0.55 + turned.turn * 0.6180339887498949 AS INTEGER)) AS INTEGER
                ) FROM (
                    SELECT id, row_number() OVER (ORDER BY created, id) - 1 AS turn FROM account
                ) AS turned WHERE turned.id = account.id;

                CREATE TABLE block (
                    user INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (user, other)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX blockByOther ON block (other);
                """
        ),
        // Whether only owners may change the subject.
        Migration(sql: "ALTER TABLE chat ADD COLUMN subjectLocked INTEGER NOT NULL DEFAULT 0"),
        // Chats of before keep all positions until their owner decides otherwise: nothing is erased unasked. `erased` is the
        // number up to which positions were erased.
        Migration(
            sql: """
                ALTER TABLE chat ADD COLUMN positions TEXT NOT NULL DEFAULT 'forever';
                ALTER TABLE chat ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
                """
        ),
        // A chat's version is raised by the writer, an account's by whatever changes what signs its user in or what they may do.
        Migration(
            sql: """
                ALTER TABLE chat ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE account ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
                CREATE TRIGGER versionOfAccount AFTER UPDATE OF isOperator, isDisabled, password ON account
                WHEN OLD.isOperator IS NOT NEW.isOperator OR OLD.isDisabled IS NOT NEW.isDisabled
                    OR OLD.password IS NOT NEW.password
                BEGIN
                    UPDATE account SET version = version + 1 WHERE id = NEW.id;
                END;
                CREATE TRIGGER versionOfEndedSignIn AFTER DELETE ON credential
                WHEN OLD.kind IN ('session', 'token')
                BEGIN
                    UPDATE account SET version = version + 1 WHERE id = OLD.user;
                END;
                """
        ),
        // Events of accounts, and tokens of the kind `accounts`.
        Migration(
            sql: """
                CREATE TABLE accountEvent (
                    user INTEGER NOT NULL, time INTEGER NOT NULL, change TEXT NOT NULL, actor TEXT NOT NULL,
                    network TEXT, PRIMARY KEY (user, time, change)
                ) WITHOUT ROWID, STRICT;
                DROP TRIGGER versionOfEndedSignIn;
                CREATE TRIGGER versionOfEndedSignIn AFTER DELETE ON credential
                WHEN OLD.kind IN ('session', 'token', 'accounts')
                BEGIN
                    UPDATE account SET version = version + 1 WHERE id = OLD.user;
                END;
                """
        ),
        // The names and hues of both at the block; of blocks of before, those of now.
        Migration(
            sql: """
                ALTER TABLE block ADD COLUMN ownName TEXT NOT NULL DEFAULT '';
                ALTER TABLE block ADD COLUMN ownHue INTEGER;
                ALTER TABLE block ADD COLUMN otherName TEXT NOT NULL DEFAULT '';
                ALTER TABLE block ADD COLUMN otherHue INTEGER;
                UPDATE block SET ownName = name, ownHue = hue FROM account WHERE account.id = block.user;
                UPDATE block SET otherName = name, otherHue = hue FROM account WHERE account.id = block.other;
                """
        ),
        // The positions that have their data, and of each sender those that came in order (`late` is NULL) before the late
        // ones. Emptied positions aren't in this index. A program that only reads works without it.
        Migration(
            sql: """
                CREATE INDEX messageByPosition ON message (chat, sender, late, number)
                    WHERE tag = 'Location' AND data IS NOT NULL;
                """,
            isOptionalForReading: true
        ),
        // When a participant left for good, and the subject then.
        Migration(
            sql: """
                ALTER TABLE participant ADD COLUMN staysOut INTEGER;
                ALTER TABLE participant ADD COLUMN leftSubject TEXT;
                CREATE INDEX participantByStay ON participant (user, staysOut, chat) WHERE staysOut NOT NULL;
                """
        ),
        // Earlier versions didn't erase positions that were sent before their share was started. So the erasing begins once
        // more for every share that is open, or that expired in the last day. All that look for positions go by
        // messageByPosition.
        Migration(
            sql: """
                UPDATE share SET after = 0, isErased = 0
                    WHERE ended IS NULL OR keeping = 'expiring' AND ended > (unixepoch() - 86400) * 1000;
                DROP INDEX messageByLateness;
                """
        ),
        // Messages are found by their times, which grow with their numbers from this version on. In older messages a later
        // number may have an earlier time: `chat.stepBack` has the largest such difference, in milliseconds, by which a
        // search widens its times. What waits in `recent` is moved first. SQLiteStore+MigrationTexts.swift has the texts.
        Migration(
            sql: settling + "ALTER TABLE chat ADD COLUMN stepBack INTEGER NOT NULL DEFAULT 0;" + steppingBack
        ),
        // Shares with an unknown keeping expire, too.
        Migration(
            sql: """
                DROP INDEX shareToErase;
                CREATE INDEX shareToErase ON share (id) WHERE ended IS NOT NULL AND keeping <> 'kept' AND NOT isErased;
                """,
            isOptionalForReading: true
        ),
        // Tables and columns take the names that PostgreSQL has for them.
        Migration(sql: renaming),
    ]
}
