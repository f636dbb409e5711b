// What was written and what was flushed, in order, in a file that outlives the program: from it Tests/Python/Faults/disk.py
// works out which bytes a disk would hold after a flush has failed.
//
// A record is a header of 40 bytes and `length` bytes. Nothing is recorded of SQLite's index, which is memory.

#define _GNU_SOURCE
#include "faults.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RECORD_MAGIC 0x594e444au

enum operation { NAME = 1, WRITE, TRUNCATE, FLUSHED, LOST, REMOVE, RENAME };

struct header {
    uint32_t magic;
    uint32_t operation;
    uint32_t file;
    uint32_t unused;
    uint64_t position;  // of this record; of a flush: it covers records before this position
    uint64_t offset;
    uint64_t length;
};

static int descriptor = -1;
static uint64_t end;
static pthread_mutex_t lock;

__attribute__((constructor)) static void start(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    const char *path = getenv("FAULT_JOURNAL");
    if (!path) return;
    descriptor = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor >= 0) end = syscall(SYS_lseek, descriptor, 0, SEEK_END);
}

bool journal_is_open(void) { return descriptor >= 0; }

// Between these two a call and its record are one: nobody else writes.
void journal_begin(void) {
    if (descriptor >= 0) pthread_mutex_lock(&lock);
}

void journal_end(void) {
    if (descriptor >= 0) pthread_mutex_unlock(&lock);
}

static void append(struct header header, const void *bytes) {
    if (descriptor < 0) return;
    pthread_mutex_lock(&lock);
    header.magic = RECORD_MAGIC;
    if (header.operation != FLUSHED && header.operation != LOST) header.position = end;
    struct iovec parts[2] = {{&header, sizeof header}, {(void *)bytes, bytes ? header.length : 0}};
    size_t wanted = parts[0].iov_len + parts[1].iov_len;
    // A journal with a hole would accuse the program of the harness's own trouble.
    if (syscall(SYS_writev, descriptor, parts, 2) != (ssize_t)wanted) abort();
    end += wanted;
    pthread_mutex_unlock(&lock);
}

void journal_name(int file, const char *path) {
    append((struct header){.operation = NAME, .file = file, .length = strlen(path)}, path);
}

void journal_write(int file, uint64_t offset, const void *bytes, size_t count) {
    if (role_of(file) == ROLE_INDEX) return;
    append((struct header){.operation = WRITE, .file = file, .offset = offset, .length = count}, bytes);
}

void journal_truncate(int file, uint64_t size) {
    if (role_of(file) == ROLE_INDEX) return;
    append((struct header){.operation = TRUNCATE, .file = file, .offset = size}, NULL);
}

void journal_remove(const char *path) {
    append((struct header){.operation = REMOVE, .length = strlen(path)}, path);
}

void journal_rename(const char *from, const char *to) {
    char both[2 * PATH_LIMIT];
    size_t first = strlen(from) + 1, second = strlen(to);
    memcpy(both, from, first);
    memcpy(both + first, to, second);
    append((struct header){.operation = RENAME, .length = first + second}, both);
}

uint64_t journal_position(void) {
    if (descriptor < 0) return 0;
    pthread_mutex_lock(&lock);
    uint64_t position = end;
    pthread_mutex_unlock(&lock);
    return position;
}

void journal_flush(int file, uint64_t position, bool failed) {
    if (role_of(file) == ROLE_INDEX) return;
    append((struct header){.operation = failed ? LOST : FLUSHED, .file = file, .position = position}, NULL);
}
