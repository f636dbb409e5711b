// The step that orders messages by time, with the second form of the function that appends them. `AppendBatch` calls
// `append_v2`; `append_v1` must stay as long as a server of an earlier version may run. A step that a release had is
// never changed: another form is another function in another step (decisions 30 and 40, `AppendTests`).

extension SchemaSteps {
    /// Messages are found by their times, which grow with their numbers; programs of version 1 can use the database, too.
    ///
    /// For the messages of before, each chat has by how much a time lies at most below an earlier one. `message_by_tag`
    /// has all that aren't positions, in place of `message_of_server`; nothing goes by `message_by_lateness` any more.
    static let ordering = [
        "ALTER TABLE chat ADD COLUMN step_back bigint NOT NULL DEFAULT 0",
        """
        UPDATE chat SET step_back = found.step FROM (
            SELECT chat, max(back) AS step FROM (
                SELECT chat, max(time) OVER (PARTITION BY chat ORDER BY number ROWS UNBOUNDED PRECEDING) - time AS back
                FROM message
            ) AS steps GROUP BY chat
        ) AS found WHERE chat.id = found.chat AND found.step > 0
        """,
        "CREATE INDEX message_by_tag ON message (chat, tag, number) WHERE tag <> 'Location'",
        "DROP INDEX message_of_server",
        "DROP INDEX message_by_lateness",
        Self.appendingInOrder,
    ]

    /// As `append_v1`, which programs of earlier versions call; no message gets a time below that of its chat's newest.
    ///
    /// It returns the times of the chats' newest messages before the call, too, 0 for a chat without any: `floors`. They
    /// are read when the chats are locked.
    private static let appendingInOrder = """
        CREATE FUNCTION append_v2(
            locks boolean,
            ids bigint[], versions bigint[], counts bigint[], writings bigint[], activities bigint[],
            places int[], numbers int[], senders bigint[], tags text[], contents bytea[], datas bytea[],
            times bigint[], ends bigint[], keys bytea[], prints bigint[], ranks bigint[], shares bigint[], lates bigint[],
            movers int[], persons bigint[], seen bigint[], newest bigint[], noted bigint[],
            OUT bases bigint[], OUT written bigint[], OUT floors bigint[]
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
            floors := array_fill(0::bigint, ARRAY[cardinality(ids)]);
            FOR i IN 1 .. coalesce(cardinality(moved), 0) LOOP
                bases[moved[i]] := numbered[i];
                written[moved[i]] := counted[i];
                floors[moved[i]] := coalesce((
                    SELECT m.time FROM message m WHERE m.chat = ids[moved[i]] ORDER BY m.number DESC LIMIT 1
                ), 0);
                IF floors[moved[i]] > activities[moved[i]] THEN
                    UPDATE chat c SET active = greatest(c.active, floors[moved[i]]) WHERE c.id = ids[moved[i]];
                END IF;
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
                UPDATE chat c SET active = greatest(c.active, u.a, floors[u.place]) FROM unnest(movers, noted) u(place, a)
                WHERE u.a IS NOT NULL AND bases[u.place] >= 0 AND c.id = ids[u.place];
            END IF;
            INSERT INTO message (
                chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
            )
            SELECT ids[places[i]], bases[places[i]] + numbers[i], senders[i], tags[i], contents[i], datas[i],
                greatest(times[i], floors[places[i]]), ends[i],
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
}
