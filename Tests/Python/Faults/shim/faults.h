// A preloaded library that makes a program's file calls fail, on command, below one or two folders.
//
//   FAULT_FOLDER   absolute path: calls on what lies below it are counted, and fail when armed
//   FAULT_OTHER    the same for a second folder, such as a backup's (role `elsewhere`)
//   FAULT_CONTROL  a file with `struct control`, mapped: the test arms and clears faults while the program runs
//   FAULT_LOG      a text file that gets one line for each fault that reached the program
//   FAULT_JOURNAL  a file that gets what was written and flushed (see journal.c); absent: nothing is recorded
//
// Tests/Python/Faults/faults.py is the other side of it.

#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

// What a program does to files. faults.py has the same order.
enum call {
    CALL_OPEN,
    CALL_READ,
    CALL_WRITE,
    CALL_FLUSH,
    CALL_TRUNCATE,
    CALL_ALLOCATE,
    CALL_RENAME,
    CALL_UNLINK,
    CALL_MKDIR,
    CALL_LINK,
    CALL_CHMOD,
    CALL_CLOSE,
    CALL_LOCK,
    CALL_MAP,
    CALLS
};

// Which file it does that to. faults.py has the same order.
enum role {
    ROLE_DATABASE,   // yonder.db
    ROLE_LOG,        // yonder.db-wal
    ROLE_INDEX,      // yonder.db-shm
    ROLE_JOURNAL,    // yonder.db-journal, while SQLite makes the database
    ROLE_FOLDER,     // the folder itself
    ROLE_OTHER,      // any other file in it
    ROLE_ELSEWHERE,  // whatever lies below FAULT_OTHER
    ROLES
};

#define CONTROL_MAGIC 0x594e4446u
#define FOR_EVER UINT64_MAX

// What the test and the program share. All numbers are of the machine's byte order.
struct control {
    uint32_t magic;
    uint32_t armed;     // 0: calls are only counted
    uint32_t call;      // which calls fail
    uint32_t role;      // of which file
    uint32_t error;     // errno; 0: half of the bytes are written, and the call for the rest fails with ENOSPC
    uint32_t everywhere;  // 1: once the first call has failed, calls fail for every role
    uint64_t at;        // the first call to fail, counted from 1 since it was armed
    uint64_t times;     // how many calls in a row fail, or FOR_EVER
    uint64_t seen;      // calls of this kind since it was armed
    uint64_t injected;  // calls that failed since it was armed
    uint64_t counts[CALLS][ROLES];  // all calls since the file was made
};

// What to do with a call.
struct verdict {
    bool fails;
    int error;  // as in `struct control`
};

// control.c
struct verdict judge(enum call call, enum role role, const char *path);

// files.c: what is open. A file's number stays the same until it is removed or renamed.
#define NO_FILE (-1)
bool resolve(int folder, const char *path, char *whole, enum role *role);
int file_of(int descriptor);
enum role role_of(int file);
const char *path_of(int file);
void opened(int descriptor, const char *path, enum role role);
void copied(int from, int to);
void forget(int descriptor);
void removed(const char *path);
void renamed(const char *from, const char *to);

// journal.c
#define PATH_LIMIT 1024
void journal_begin(void);
void journal_end(void);
void journal_name(int file, const char *path);
void journal_write(int file, uint64_t offset, const void *bytes, size_t count);
void journal_truncate(int file, uint64_t size);
void journal_remove(const char *path);
void journal_rename(const char *from, const char *to);
uint64_t journal_position(void);
void journal_flush(int file, uint64_t position, bool failed);
bool journal_is_open(void);

#endif
