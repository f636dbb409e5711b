// The steps of chats: tables, and the functions that servers call on the hot way. A step that a release had is never
// changed; a function that changes gets the next number, because servers of both versions run side by side (`SchemaSteps`,
// decision 30).
// `Schema` runs the steps that a database lacks, each once; a failure leaves the database as it was. `AppendBatch` and
// `ReadingTable` call the functions. Parameters and answers of a released function must stay. `AppendTests` and
// `StatementCostTests` hold what they do and what they cost.
extension SchemaSteps {
    /// Chats and their messages.
    ///
    /// Text that may contain a zero byte, and keys, which are compared by bytes, are `bytea`. Rows of `chat` leave half of
    /// their pages empty, so that a new `last` goes to the same page, and no index changes.
    ///
    /// `chat.version` is raised whenever anything but `last`, `written` and `active` changes of what a commit is decided
    /// by: participants, subject, shares, blocks, positions that were emptied.
    /// `location_last` has the number of each sender's last position that isn't late.
    static let chats = [
        """
        CREATE TABLE chat (
            id bigint PRIMARY KEY, one_to_one boolean NOT NULL, subject text NOT NULL,
            subject_locked boolean NOT NULL, positions text NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
            written bigint NOT NULL, active bigint NOT NULL, created bigint NOT NULL,
            erased bigint NOT NULL DEFAULT 0, version bigint NOT NULL DEFAULT 1
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE pair (
            one bigint NOT NULL, other bigint NOT NULL, chat bigint NOT NULL, PRIMARY KEY (one, other)
        )
        """,
        """
        CREATE TABLE started (
            creator bigint NOT NULL, key bytea NOT NULL, chat bigint NOT NULL, fingerprint bigint NOT NULL,
            PRIMARY KEY (creator, key)
        )
        """,
        """
        CREATE TABLE participant (
            chat bigint NOT NULL, person bigint NOT NULL, place bigint NOT NULL, role text NOT NULL,
            color bigint NOT NULL, is_present boolean NOT NULL, PRIMARY KEY (chat, person)
        )
        """,
        "CREATE INDEX participant_by_person ON participant (person, chat) WHERE is_present",
        """
        CREATE TABLE span (
            chat bigint NOT NULL, person bigint NOT NULL, first bigint NOT NULL, last bigint,
            PRIMARY KEY (chat, person, first)
        )
        """,
        """
        CREATE TABLE message (
            chat bigint NOT NULL, number bigint NOT NULL, sender bigint NOT NULL, tag text NOT NULL,
            content bytea NOT NULL, data bytea, time bigint NOT NULL, expires bigint,
            recalled boolean NOT NULL DEFAULT false, key bytea, fingerprint bigint NOT NULL, written bigint,
            share bigint, late bigint, PRIMARY KEY (chat, number)
        )
        """,
        "CREATE INDEX message_by_sender ON message (chat, sender, tag, number)",
        "CREATE UNIQUE INDEX message_by_key ON message (chat, sender, key) WHERE key IS NOT NULL",
        "CREATE INDEX message_by_writing ON message (chat, number) WHERE written IS NOT NULL",
        "CREATE INDEX message_of_server ON message (chat, number) WHERE written IS NULL AND tag <> 'Location'",
        """
        CREATE INDEX message_to_expire ON message (expires, chat, number)
        WHERE expires IS NOT NULL AND (content <> '' OR data IS NOT NULL)
        """,
        "CREATE INDEX message_by_lateness ON message (chat, sender, late, number) WHERE late IS NOT NULL",
        """
        CREATE TABLE location_last (
            chat bigint NOT NULL, sender bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (chat, sender)
        ) WITH (fillfactor = 70)
        """,
        """
        CREATE TABLE reading (
            chat bigint NOT NULL, person bigint NOT NULL, number bigint NOT NULL, written bigint NOT NULL,
            PRIMARY KEY (chat, person)
        ) WITH (fillfactor = 70)
        """,
        Self.appending,
        Self.marking,
    ]

    /// The index of positions that have their data, with which programs of version 1 can use the database, too.
    static let positions = [
        """
        CREATE INDEX message_by_position ON message (chat, sender, late, number) WHERE tag = 'Location' AND data IS NOT NULL
        """
    ]

    /// When a participant left for good, and the subject then; programs of version 1 can use the database, too.
    static let stays = [
        "ALTER TABLE participant ADD COLUMN stays_out bigint, ADD COLUMN left_subject text",
        "CREATE INDEX participant_by_stay ON participant (person, stays_out, chat) WHERE stays_out IS NOT NULL",
    ]

    /// Appends messages to chats: one call, one transaction, no lock that waits for a client.
    ///
    /// - `locks`: whether to lock the chats before keys are looked up.
    /// - Arrays with an element for each chat: `ids`; `versions`, those over which the caller has decided; `counts`, the
    ///   messages to append; `writings`, how many of these are written messages; `activities`, the time of the newest
    ///   activity, or null.
    /// - Arrays with an element for each message: `places`, the index of its chat in `ids`; `numbers`, its rank among the chat's
    ///   messages of this call, from 1; `ranks`, its rank among the written ones; the others are columns of `message`.
    /// - Arrays with an element for each user who sends positions to a chat: `movers`, the index of the chat in `ids`;
    ///   `persons`, the user; `seen`, the number of the user's last position in the caller's cache, 0 for none; `newest`,
    ///   the rank of the user's last position of this call that isn't late, 0 for none; `noted`, the time of the chat's newest
    ///   activity, or null. Such a chat has null in `activities`, because its row is restored if a user has a newer position.
    /// - Returns: `bases`, each chat's last number before the call, and `written`, its written messages before the call. A
    ///   negative base means that nothing of the chat was written: -1 if its version is another or a key exists, -2 if a
    ///   user has a newer position.
    ///
    /// The `UPDATE` of `chat` locks the chats in the order of their ids, so that two calls never wait in a circle. Keys are
    /// looked up before it. If another call commits one of the keys between the look-up and the lock, the `INSERT` fails as
    /// a duplicate, and nothing of the call is written. With `locks`, no `INSERT` fails.
    ///
    /// The function's settings fix its plans: PostgreSQL would otherwise keep plans that it made while `message` was empty,
    /// and scan the whole table. `OFFSET 0` prevents that PostgreSQL turns the look-up of a key into a join that begins with
    /// `message`. Subscripts cost less than `unnest` of a dozen arrays.
    private static let appending = """
        CREATE FUNCTION append_v1(
            locks boolean,
            ids bigint[], versions bigint[], counts bigint[], writings bigint[], activities bigint[],
            places int[], numbers int[], senders bigint[], tags text[], contents bytea[], datas bytea[],
            times bigint[], ends bigint[], keys bytea[], prints bigint[], ranks bigint[], shares bigint[], lates bigint[],
            movers int[], persons bigint[], seen bigint[], newest bigint[], noted bigint[],
            OUT bases bigint[], OUT written bigint[]
        ) LANGUAGE plpgsql
        SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
        AS $$
        DECLARE
            known int[];
            moved int[];
            counted bigint[];
            numbered bigint[];
        BEGIN
            IF locks THEN
                PERFORM id FROM chat WHERE id = ANY(ids) ORDER BY id FOR UPDATE;
            END IF;
            SELECT array_agg(places[i]) INTO known FROM generate_series(1, cardinality(places)) i
            WHERE EXISTS (
                SELECT FROM message m WHERE m.chat = ids[places[i]] AND m.sender = senders[i] AND m.key = keys[i] OFFSET 0
            );
            WITH changed AS (
                UPDATE chat c SET last = c.last + u.n, written = c.written + u.w, active = greatest(c.active, u.a)
                FROM (
                    SELECT * FROM unnest(ids, versions, counts, writings, activities) WITH ORDINALITY x(id, version, n, w, a, place)
                    ORDER BY id
                ) u
                WHERE c.id = u.id AND c.version = u.version AND (known IS NULL OR u.place <> ALL(known))
                RETURNING u.place, c.last - u.n AS base, c.written - u.w AS count
            )
            SELECT array_agg(place), array_agg(base), array_agg(count) INTO moved, numbered, counted
            FROM changed;
            bases := array_fill(-1::bigint, ARRAY[cardinality(ids)]);
            written := array_fill(0::bigint, ARRAY[cardinality(ids)]);
            FOR i IN 1 .. coalesce(cardinality(moved), 0) LOOP
                bases[moved[i]] := numbered[i];
                written[moved[i]] := counted[i];
            END LOOP;
            IF cardinality(movers) > 0 THEN
                SELECT array_agg(t.place) INTO known FROM unnest(movers, persons, seen) t(place, sender, number)
                LEFT JOIN location_last n ON n.chat = ids[t.place] AND n.sender = t.sender
                WHERE bases[t.place] >= 0 AND coalesce(n.number, 0) <> t.number;
                IF known IS NOT NULL THEN
                    UPDATE chat c SET last = c.last - counts[u.place], written = c.written - writings[u.place]
                    FROM unnest(known) u(place) WHERE c.id = ids[u.place];
                    FOR i IN 1 .. cardinality(known) LOOP
                        bases[known[i]] := -2;
                    END LOOP;
                END IF;
                UPDATE chat c SET active = greatest(c.active, u.a) FROM unnest(movers, noted) u(place, a)
                WHERE u.a IS NOT NULL AND bases[u.place] >= 0 AND c.id = ids[u.place];
            END IF;
            INSERT INTO message (
                chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
            )
            SELECT ids[places[i]], bases[places[i]] + numbers[i], senders[i], tags[i], contents[i], datas[i], times[i], ends[i],
                keys[i], prints[i], written[places[i]] + ranks[i], shares[i], lates[i]
            FROM generate_series(1, cardinality(places)) i WHERE bases[places[i]] >= 0;
            IF cardinality(movers) > 0 THEN
                INSERT INTO location_last AS l (chat, sender, number)
                SELECT ids[t.place], t.sender, bases[t.place] + t.n FROM unnest(movers, persons, newest) t(place, sender, n)
                WHERE bases[t.place] >= 0 AND t.n > 0
                ON CONFLICT (chat, sender) DO UPDATE SET number = excluded.number;
            END IF;
        END $$
        """

    /// Moves read positions forward, each at most to its chat's last number.
    ///
    /// Answers for each mark -1 if there is no such chat, -2 if the reader never was in it, -3 if they left it; else the
    /// position's number, how much of what is written that is, and whether it has moved.
    private static let marking = """
        CREATE FUNCTION mark_v1(
            chats bigint[], persons bigint[], marks bigint[],
            OUT numbers bigint[], OUT counts bigint[], OUT moves bigint[]
        ) LANGUAGE plpgsql
        SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
        AS $$
        DECLARE
            c chat%ROWTYPE;
            present boolean;
            old record;
            target bigint;
            count bigint;
        BEGIN
            PERFORM id FROM chat WHERE id = ANY(chats) ORDER BY id FOR NO KEY UPDATE;
            FOR i IN 1 .. coalesce(array_length(chats, 1), 0) LOOP
                numbers[i] := -1; counts[i] := 0; moves[i] := 0;
                SELECT * INTO c FROM chat WHERE id = chats[i];
                CONTINUE WHEN NOT FOUND;
                SELECT is_present INTO present FROM participant WHERE chat = chats[i] AND person = persons[i];
                IF NOT FOUND THEN numbers[i] := -2; CONTINUE; END IF;
                IF NOT present THEN numbers[i] := -3; CONTINUE; END IF;
                SELECT coalesce(max(r.number), 0) AS number, coalesce(max(r.written), 0) AS written INTO old
                FROM reading r WHERE r.chat = chats[i] AND r.person = persons[i];
                target := least(marks[i], c.last);
                IF target <= old.number THEN
                    numbers[i] := old.number; counts[i] := old.written; CONTINUE;
                END IF;
                SELECT m.written INTO count FROM message m
                WHERE m.chat = chats[i] AND m.written IS NOT NULL AND m.number <= target ORDER BY m.number DESC LIMIT 1;
                IF NOT FOUND THEN
                    SELECT m.written - 1 INTO count FROM message m
                    WHERE m.chat = chats[i] AND m.written IS NOT NULL ORDER BY m.number LIMIT 1;
                    IF NOT FOUND THEN count := c.written; END IF;
                END IF;
                INSERT INTO reading (chat, person, number, written) VALUES (chats[i], persons[i], target, count)
                ON CONFLICT (chat, person) DO UPDATE SET number = excluded.number, written = excluded.written;
                numbers[i] := target; counts[i] := count; moves[i] := 1;
            END LOOP;
        END $$
        """
}
