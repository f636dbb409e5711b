// The steps of images: tables, and triggers that delete an image with the last message or profile that names it.
// `Schema` runs those that a database lacks, each once. A step that a release had is never changed.
// `SQLiteStore+Migrations.swift` has the same triggers: both must decide alike, which `ImageRule` in
// `TestSupport/Stores` holds for both stores.

extension SchemaSteps {
    /// Images, and the messages that name them.
    ///
    /// What named an image last takes it along. A trigger that may remove an image locks its row first and looks again: of
    /// two transactions that remove the last two names at once, the second sees what the first did.
    static let images = [
        """
        CREATE TABLE image (
            id bigint PRIMARY KEY, owner bigint NOT NULL, created bigint NOT NULL, format text COLLATE "C" NOT NULL,
            width bigint NOT NULL, height bigint NOT NULL, bytes bytea NOT NULL
        )
        """,
        // A JPEG can't be compressed further.
        "ALTER TABLE image ALTER COLUMN bytes SET STORAGE EXTERNAL",
        "CREATE INDEX image_by_owner ON image (owner)",
        "CREATE INDEX image_by_age ON image (created)",
        """
        CREATE TABLE image_use (
            image bigint NOT NULL, chat bigint NOT NULL, number bigint NOT NULL, PRIMARY KEY (image, chat, number)
        )
        """,
        "CREATE INDEX image_use_by_message ON image_use (chat, number)",
        """
        CREATE FUNCTION remove_unnamed_images(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM id FROM image WHERE id = ANY(ids) ORDER BY id FOR UPDATE;
          DELETE FROM image WHERE id = ANY(ids)
            AND NOT EXISTS (SELECT 1 FROM image_use WHERE image_use.image = image.id)
            AND NOT EXISTS (
              SELECT 1 FROM account WHERE account.id = image.owner AND avatar = '/v1/images/' || image.id
            );
        END $$
        """,
        """
        CREATE FUNCTION image_of_message() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          DELETE FROM image_use WHERE chat = OLD.chat AND number = OLD.number;
          RETURN NULL;
        END $$
        """,
        """
        CREATE FUNCTION image_of_use() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM remove_unnamed_images(ARRAY[OLD.image]);
          RETURN NULL;
        END $$
        """,
        """
        CREATE FUNCTION images_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM remove_unnamed_images(ARRAY(
            SELECT id FROM image WHERE owner = OLD.id AND (TG_OP = 'DELETE' OR OLD.avatar = '/v1/images/' || id)
          ));
          RETURN NULL;
        END $$
        """,
        """
        CREATE TRIGGER image_of_emptied_message AFTER UPDATE OF data ON message FOR EACH ROW
        WHEN (OLD.tag = 'Photo' AND NEW.data IS NULL) EXECUTE FUNCTION image_of_message()
        """,
        """
        CREATE TRIGGER image_of_removed_message AFTER DELETE ON message FOR EACH ROW
        WHEN (OLD.tag = 'Photo') EXECUTE FUNCTION image_of_message()
        """,
        """
        CREATE TRIGGER image_of_removed_use AFTER DELETE ON image_use FOR EACH ROW EXECUTE FUNCTION image_of_use()
        """,
        """
        CREATE TRIGGER image_of_changed_profile AFTER UPDATE OF avatar ON account FOR EACH ROW
        WHEN (OLD.avatar LIKE '/v1/images/%' AND OLD.avatar IS DISTINCT FROM NEW.avatar)
        EXECUTE FUNCTION images_of_account()
        """,
        """
        CREATE TRIGGER images_of_removed_account AFTER DELETE ON account FOR EACH ROW
        EXECUTE FUNCTION images_of_account()
        """,
    ]
}
