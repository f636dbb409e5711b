// Decides which call fails, by what the test has put into the shared file.

#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *call_names[CALLS] = {
    "open", "read", "write", "flush", "truncate", "allocate", "rename",
    "unlink", "mkdir", "link", "chmod", "close", "lock", "map",
};
static const char *role_names[ROLES] = {
    "database", "log", "index", "journal", "folder", "other", "elsewhere",
};

static struct control *control;
static int record = -1;

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("FAULT_CONTROL");
    if (!path) return;
    int descriptor = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    void *mapped = (void *)syscall(SYS_mmap, NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    syscall(SYS_close, descriptor);
    if (mapped == MAP_FAILED) return;
    if (((struct control *)mapped)->magic != CONTROL_MAGIC) return;
    if ((path = getenv("FAULT_LOG")))
        record = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    control = mapped;
}

static void note(enum call call, enum role role, uint64_t number, int error, const char *path) {
    if (record < 0) return;
    char line[PATH_LIMIT + 128];
    int count = snprintf(line, sizeof line, "%s %s %llu %s %s\n", call_names[call], role_names[role],
                         (unsigned long long)number, error ? strerrorname_np(error) : "short", path);
    syscall(SYS_write, record, line, (size_t)count);
}

struct verdict judge(enum call call, enum role role, const char *path) {
    struct verdict fine = {false, 0};
    if (!control) return fine;
    __atomic_add_fetch(&control->counts[call][role], 1, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&control->armed, __ATOMIC_ACQUIRE) || control->call != call) return fine;

    bool begun = control->everywhere && __atomic_load_n(&control->injected, __ATOMIC_RELAXED) > 0;
    if (control->role != role && !begun) return fine;
    uint64_t number = __atomic_add_fetch(&control->seen, 1, __ATOMIC_RELAXED);
    if (number < control->at) return fine;
    if (control->times != FOR_EVER && number - control->at >= control->times) return fine;
    struct verdict verdict = {true, (int)control->error};
    __atomic_add_fetch(&control->injected, 1, __ATOMIC_RELAXED);
    // Far fewer lines than retries of a program that is out of luck.
    if (number - control->at < 64) note(call, role, number, verdict.error, path);
    return verdict;
}
