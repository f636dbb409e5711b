// Which descriptors belong to which files below the folders.

#define _GNU_SOURCE
#include "faults.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DESCRIPTORS 65536
#define FILES 4096

struct file {
    char path[PATH_LIMIT];  // empty: it was removed
    enum role role;
};

static struct file files[FILES];
static int file_count;
static int by_descriptor[DESCRIPTORS];  // a file's number and 1
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_below(const char *path, const char *folder) {
    if (!folder) return false;
    size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 && (path[length] == 0 || path[length] == '/');
}

static bool ends_in(const char *path, const char *end) {
    size_t length = strlen(path), wanted = strlen(end);
    return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

static enum role role_below(const char *path, const char *folder) {
    if (path[strlen(folder)] == 0) return ROLE_FOLDER;
    if (ends_in(path, "/yonder.db")) return ROLE_DATABASE;
    if (ends_in(path, "/yonder.db-wal")) return ROLE_LOG;
    if (ends_in(path, "/yonder.db-shm")) return ROLE_INDEX;
    if (ends_in(path, "/yonder.db-journal")) return ROLE_JOURNAL;
    return ROLE_OTHER;
}

// Whether `path`, as seen from the open folder `folder`, lies below one of ours.
bool resolve(int folder, const char *path, char *whole, enum role *role) {
    if (!path) return false;
    char base[PATH_LIMIT] = "";
    if (path[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return false;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t length = readlink(link, base, sizeof base - 1);
            if (length < 0) return false;
            base[length] = 0;
        }
    }
    int length = snprintf(whole, PATH_LIMIT, "%s%s%s", base, base[0] ? "/" : "", path);
    if (length < 0 || length >= PATH_LIMIT) return false;
    while (length > 1 && whole[length - 1] == '/') whole[--length] = 0;
    const char *ours = getenv("FAULT_FOLDER"), *other = getenv("FAULT_OTHER");
    if (is_below(whole, other)) {
        *role = ROLE_ELSEWHERE;
        return true;
    }
    if (!is_below(whole, ours)) return false;
    *role = role_below(whole, ours);
    return true;
}

int file_of(int descriptor) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS) return NO_FILE;
    return __atomic_load_n(&by_descriptor[descriptor], __ATOMIC_ACQUIRE) - 1;
}

enum role role_of(int file) { return files[file].role; }

const char *path_of(int file) { return files[file].path; }

static int find(const char *path) {
    for (int file = 0; file < file_count; file++)
        if (strcmp(files[file].path, path) == 0) return file;
    return NO_FILE;
}

void opened(int descriptor, const char *path, enum role role) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS) return;
    pthread_mutex_lock(&lock);
    int file = find(path);
    if (file == NO_FILE && file_count < FILES) {
        file = file_count++;
        strcpy(files[file].path, path);
        files[file].role = role;
        journal_name(file, path);
    }
    __atomic_store_n(&by_descriptor[descriptor], file + 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

void copied(int from, int to) {
    if (to < 0 || to >= DESCRIPTORS) return;
    __atomic_store_n(&by_descriptor[to], file_of(from) + 1, __ATOMIC_RELEASE);
}

void forget(int descriptor) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS) return;
    __atomic_store_n(&by_descriptor[descriptor], 0, __ATOMIC_RELEASE);
}

// A new file of this path gets a number of its own.
void removed(const char *path) {
    pthread_mutex_lock(&lock);
    int file = find(path);
    if (file != NO_FILE) files[file].path[0] = 0;
    journal_remove(path);
    pthread_mutex_unlock(&lock);
}

void renamed(const char *from, const char *to) {
    pthread_mutex_lock(&lock);
    int file = find(to);
    if (file != NO_FILE) files[file].path[0] = 0;
    file = find(from);
    if (file != NO_FILE) strcpy(files[file].path, to);
    journal_rename(from, to);
    pthread_mutex_unlock(&lock);
}
