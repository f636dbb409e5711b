// The web page, the base map and the recorded tracks, compiled into the program.
//
// Scripts/embed-web writes the tables; its head says what is an entry, an asset and data.

#ifndef C_YONDER_WEB_H
#define C_YONDER_WEB_H

#include <stddef.h>

typedef enum yonder_web_kind {
    /// Served as `/PATH`, revalidated by its ETag.
    YONDER_WEB_ENTRY,
    /// Served as `/assets/HASH/PATH`, where it never changes.
    YONDER_WEB_ASSET,
    /// For the server itself: never served as it is.
    YONDER_WEB_DATA,
} yonder_web_kind;

/// One file. Everything it points to lives as long as the program.
typedef struct yonder_web_file {
    /// The path, without a leading slash.
    const char *path;
    /// The value for `Content-Type`.
    const char *content_type;
    /// Sixteen hexadecimal digits that change with the content.
    const char *hash;
    yonder_web_kind kind;
    const unsigned char *bytes;
    size_t length;
    /// The same content gzipped, or `NULL`.
    const unsigned char *gzipped;
    size_t gzipped_length;
} yonder_web_file;

/// How many entries and assets there are; without the fetched map library, fewer.
size_t yonder_web_file_count(void);

/// An entry or asset by its index, or `NULL` past the end.
const yonder_web_file *yonder_web_file_at(size_t index);

/// The HASH in the assets' path: twelve hexadecimal digits, one hash over all assets.
const char *yonder_web_tree_hash(void);

/// How many data files there are.
size_t yonder_data_file_count(void);

/// A data file by its index (`tracks/NAME.gpx`, `basemap/world.pmtiles`), or `NULL` past the end.
const yonder_web_file *yonder_data_file_at(size_t index);

#endif
