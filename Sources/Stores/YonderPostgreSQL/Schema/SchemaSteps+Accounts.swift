// The steps of accounts: tables and triggers. `Schema` runs those that a database lacks, in their order, each once. A
// step that a release had is never changed; a new one is appended to the list in `SchemaSteps` and has a counterpart in
// `SQLiteStore+Migrations.swift`. Servers of the version before run beside it, so a step may only add (decision 30).

extension SchemaSteps {
    /// Accounts, with what belongs to them, signing keys, and the marks of calls that are done.
    ///
    /// Names and secrets are compared byte by byte, in whatever locale the database is.
    static let accounts = [
        """
        CREATE TABLE account (
            id bigint PRIMARY KEY, name text NOT NULL, email text, avatar text, login text COLLATE "C" UNIQUE,
            password text, is_operator boolean NOT NULL, is_disabled boolean NOT NULL, created bigint NOT NULL,
            last_seen bigint, shows_reads boolean NOT NULL, hue bigint
        )
        """,
        "CREATE INDEX account_by_age ON account (created, id)",
        "CREATE INDEX account_by_office ON account (id) WHERE is_operator AND NOT is_disabled",
        "CREATE TABLE contact (person bigint NOT NULL, other bigint NOT NULL, PRIMARY KEY (person, other))",
        "CREATE INDEX contact_by_other ON contact (other)",
        "CREATE TABLE block (person bigint NOT NULL, other bigint NOT NULL, PRIMARY KEY (person, other))",
        "CREATE INDEX block_by_other ON block (other)",
        """
        CREATE TABLE invitation (
            secret bytea PRIMARY KEY, sender bigint NOT NULL, created bigint NOT NULL, expires bigint NOT NULL
        )
        """,
        "CREATE INDEX invitation_by_sender ON invitation (sender, expires)",
        "CREATE INDEX invitation_by_expiry ON invitation (expires)",
        """
        CREATE TABLE credential (
            secret bytea PRIMARY KEY, kind text COLLATE "C" NOT NULL, person bigint NOT NULL, label text NOT NULL,
            network text, created bigint NOT NULL, expires bigint, last_seen bigint
        )
        """,
        "CREATE INDEX credential_by_person ON credential (person)",
        "CREATE INDEX credential_by_expiry ON credential (expires) WHERE expires IS NOT NULL",
        """
        CREATE TABLE known_network (
            person bigint NOT NULL, network text COLLATE "C" NOT NULL, last_seen bigint NOT NULL,
            PRIMARY KEY (person, network)
        )
        """,
        "CREATE TABLE leaving (person bigint PRIMARY KEY)",
        """
        CREATE TABLE signing_key (
            id text COLLATE "C" PRIMARY KEY, secret text NOT NULL, name text NOT NULL, rights text COLLATE "C" NOT NULL,
            created bigint NOT NULL
        )
        """,
        "CREATE TABLE done_call (token bigint PRIMARY KEY, time timestamptz NOT NULL DEFAULT now())",
        "CREATE INDEX done_call_by_time ON done_call (time)",
    ]

    /// An account's version, raised by each change of a sign-in or of a right of its user.
    ///
    /// Removing a credential that has expired by the database's time raises no version: the credential wasn't good
    /// before either.
    static let versions = [
        "ALTER TABLE account ADD COLUMN version bigint NOT NULL DEFAULT 0",
        """
        CREATE FUNCTION raise_account_version() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            NEW.version := OLD.version + 1;
            RETURN NEW;
        END $$
        """,
        """
        CREATE TRIGGER version_of_account BEFORE UPDATE OF is_operator, is_disabled, password ON account
        FOR EACH ROW WHEN (
            OLD.is_operator IS DISTINCT FROM NEW.is_operator OR OLD.is_disabled IS DISTINCT FROM NEW.is_disabled
            OR OLD.password IS DISTINCT FROM NEW.password
        ) EXECUTE FUNCTION raise_account_version()
        """,
        """
        CREATE FUNCTION raise_version_of_ended_sign_in() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF OLD.expires IS NULL OR OLD.expires > extract(epoch FROM now()) * 1000 THEN
                UPDATE account SET version = version + 1 WHERE id = OLD.person;
            END IF;
            RETURN NULL;
        END $$
        """,
        """
        CREATE TRIGGER version_of_ended_sign_in AFTER DELETE ON credential
        FOR EACH ROW WHEN (OLD.kind IN ('session', 'token')) EXECUTE FUNCTION raise_version_of_ended_sign_in()
        """,
    ]

    /// The names and hues of both at a block; of blocks of before, those of now.
    static let blockedNames = [
        """
        ALTER TABLE block ADD COLUMN own_name text NOT NULL DEFAULT '', ADD COLUMN own_hue bigint,
            ADD COLUMN other_name text NOT NULL DEFAULT '', ADD COLUMN other_hue bigint
        """,
        "UPDATE block SET own_name = name, own_hue = hue FROM account WHERE account.id = block.person",
        "UPDATE block SET other_name = name, other_hue = hue FROM account WHERE account.id = block.other",
    ]

    /// Events of accounts, and tokens of the kind `accounts`.
    static let events = [
        """
        CREATE TABLE account_event (
            person bigint NOT NULL, time bigint NOT NULL, change text COLLATE "C" NOT NULL, actor text COLLATE "C" NOT NULL,
            network text, PRIMARY KEY (person, time, change)
        )
        """,
        "DROP TRIGGER version_of_ended_sign_in ON credential",
        """
        CREATE TRIGGER version_of_ended_sign_in AFTER DELETE ON credential
        FOR EACH ROW WHEN (OLD.kind IN ('session', 'token', 'accounts')) EXECUTE FUNCTION raise_version_of_ended_sign_in()
        """,
    ]
}
