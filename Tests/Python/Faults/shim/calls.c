// The functions of the C library that this library stands before.

#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The function that would be called if this library weren't there.
#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// Fails a call on a path, of a function that answers -1.
#define JUDGE_PATH(kind, folder, path) \
    char whole[PATH_LIMIT]; \
    enum role role; \
    bool ours = resolve(folder, path, whole, &role); \
    if (ours) { \
        struct verdict verdict = judge(kind, role, whole); \
        if (verdict.fails) { \
            errno = verdict.error ? verdict.error : ENOSPC; \
            return -1; \
        } \
    }

// Fails a call on a descriptor, of a function that answers -1.
#define JUDGE_DESCRIPTOR(kind, descriptor) \
    int file = file_of(descriptor); \
    if (file != NO_FILE) { \
        struct verdict verdict = judge(kind, role_of(file), path_of(file)); \
        if (verdict.fails) { \
            errno = verdict.error ? verdict.error : ENOSPC; \
            return -1; \
        } \
    }

// Opening.

static bool has_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    JUDGE_PATH(CALL_OPEN, folder, path)
    int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (descriptor < 0) return descriptor;
    forget(descriptor);
    if (!ours) return descriptor;
    opened(descriptor, whole, role);
    if (flags & O_TRUNC) journal_truncate(file_of(descriptor), 0);
    return descriptor;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = has_mode(flags) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return open_at(AT_FDCWD, path, flags, mode); \
    }
#define OPEN_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = has_mode(flags) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return open_at(folder, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

int close(int descriptor) {
    int file = file_of(descriptor);
    if (file == NO_FILE) return (int)syscall(SYS_close, descriptor);
    struct verdict verdict = judge(CALL_CLOSE, role_of(file), path_of(file));
    forget(descriptor);
    // The descriptor is gone even where Linux answers with an error.
    int status = (int)syscall(SYS_close, descriptor);
    if (!verdict.fails) return status;
    errno = verdict.error ? verdict.error : EIO;
    return -1;
}

// Reading.

#define READ(name, signature, arguments) \
    ssize_t name signature { \
        REAL(name); \
        JUDGE_DESCRIPTOR(CALL_READ, descriptor) \
        return real arguments; \
    }
READ(read, (int descriptor, void *bytes, size_t count), (descriptor, bytes, count))
READ(pread, (int descriptor, void *bytes, size_t count, off_t offset), (descriptor, bytes, count, offset))
READ(pread64, (int descriptor, void *bytes, size_t count, off64_t offset), (descriptor, bytes, count, offset))

// Writing.

// Where a short write of this thread ended: the call that goes on there fails, as on a disk that has just become full.
static __thread int short_file = NO_FILE;
static __thread uint64_t short_end;

// Whether a write goes on where a short one ended.
static bool continues(int file, uint64_t offset) {
    bool it_does = short_file == file && short_end == offset;
    short_file = NO_FILE;
    return it_does;
}

static ssize_t write_parts(int descriptor, const struct iovec *parts, int count, off64_t offset) {
    return syscall(SYS_pwritev, descriptor, parts, (long)count, (long)offset, 0L);
}

// Cuts a list of parts to `wanted` bytes.
static int cut(const struct iovec *parts, int count, size_t wanted, struct iovec *into) {
    int used = 0;
    for (; used < count && wanted > 0; used++) {
        into[used] = parts[used];
        if (into[used].iov_len > wanted) into[used].iov_len = wanted;
        wanted -= into[used].iov_len;
    }
    return used;
}

// All that writes comes here. `offset` is where, `moves` whether the descriptor's own place moves along.
static ssize_t write_at(int descriptor, const struct iovec *parts, int count, off64_t offset, bool moves) {
    int file = file_of(descriptor);
    size_t total = 0;
    for (int part = 0; part < count; part++) total += parts[part].iov_len;
    struct iovec some[count ? count : 1];

    if (continues(file, (uint64_t)offset)) {
        errno = ENOSPC;
        return -1;
    }
    struct verdict verdict = judge(CALL_WRITE, role_of(file), path_of(file));
    if (verdict.fails && (verdict.error || total < 2)) {
        errno = verdict.error ? verdict.error : ENOSPC;
        return -1;
    }
    if (verdict.fails) {
        count = cut(parts, count, total / 2, some);
        parts = some;
    }

    journal_begin();
    ssize_t written = write_parts(descriptor, parts, count, offset);
    if (written > 0 && journal_is_open()) {
        uint64_t place = (uint64_t)offset;
        size_t left = (size_t)written;
        for (int part = 0; part < count && left > 0; part++) {
            size_t length = parts[part].iov_len < left ? parts[part].iov_len : left;
            journal_write(file, place, parts[part].iov_base, length);
            place += length;
            left -= length;
        }
    }
    if (written > 0 && moves) syscall(SYS_lseek, descriptor, offset + written, SEEK_SET);
    journal_end();
    if (verdict.fails && written >= 0) {
        short_file = file;
        short_end = (uint64_t)offset + (uint64_t)written;
    }
    return written;
}

// Where `write` would write.
static off64_t place_of(int descriptor) {
    bool appends = syscall(SYS_fcntl, descriptor, F_GETFL) & O_APPEND;
    return syscall(SYS_lseek, descriptor, 0, appends ? SEEK_END : SEEK_CUR);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (file_of(descriptor) == NO_FILE) return syscall(SYS_write, descriptor, bytes, count);
    struct iovec part = {(void *)bytes, count};
    return write_at(descriptor, &part, 1, place_of(descriptor), true);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    if (file_of(descriptor) == NO_FILE) return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    struct iovec part = {(void *)bytes, count};
    return write_at(descriptor, &part, 1, offset, false);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (file_of(descriptor) == NO_FILE) return syscall(SYS_writev, descriptor, parts, (long)count);
    return write_at(descriptor, parts, count, place_of(descriptor), true);
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
    if (file_of(descriptor) == NO_FILE) return write_parts(descriptor, parts, count, offset);
    return write_at(descriptor, parts, count, offset, false);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    return pwritev64(descriptor, parts, count, offset);
}

// Copies made by the kernel become reads and writes, which the journal sees.
ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t count, unsigned flags) {
    if (file_of(to) == NO_FILE) return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, count, flags);
    errno = EXDEV;
    return -1;
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t count) {
    if (file_of(to) == NO_FILE) return syscall(SYS_sendfile, to, from, offset, count);
    char bytes[65536];
    size_t wanted = count < sizeof bytes ? count : sizeof bytes;
    ssize_t got = offset ? pread64(from, bytes, wanted, *offset) : read(from, bytes, wanted);
    if (got <= 0) return got;
    ssize_t written = write(to, bytes, (size_t)got);
    if (offset && written > 0) *offset += written;
    return written;
}

ssize_t sendfile(int to, int from, off_t *offset, size_t count) { return sendfile64(to, from, offset, count); }

// Flushing.

static int flush(int descriptor, long call) {
    int file = file_of(descriptor);
    if (file == NO_FILE) return (int)syscall(call, descriptor);
    struct verdict verdict = judge(CALL_FLUSH, role_of(file), path_of(file));
    uint64_t position = journal_position();
    int status = verdict.fails ? -1 : (int)syscall(call, descriptor);
    int error = verdict.fails ? (verdict.error ? verdict.error : EIO) : errno;
    journal_flush(file, position, status != 0);
    errno = error;
    return status;
}

int fsync(int descriptor) { return flush(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return flush(descriptor, SYS_fdatasync); }

int sync_file_range(int descriptor, off64_t offset, off64_t count, unsigned flags) {
    JUDGE_DESCRIPTOR(CALL_FLUSH, descriptor)
    return (int)syscall(SYS_sync_file_range, descriptor, offset, count, flags);
}

// Sizes.

int ftruncate64(int descriptor, off64_t size) {
    JUDGE_DESCRIPTOR(CALL_TRUNCATE, descriptor)
    if (file == NO_FILE) return (int)syscall(SYS_ftruncate, descriptor, size);
    journal_begin();
    int status = (int)syscall(SYS_ftruncate, descriptor, size);
    if (status == 0) journal_truncate(file, (uint64_t)size);
    journal_end();
    return status;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

// A file that grows holds zeros on the disk, too, once it is flushed.
static int allocate(int descriptor, int mode, off64_t offset, off64_t count) {
    JUDGE_DESCRIPTOR(CALL_ALLOCATE, descriptor)
    struct stat before;
    if (file != NO_FILE) fstat(descriptor, &before);
    journal_begin();
    int status = (int)syscall(SYS_fallocate, descriptor, mode, offset, count);
    bool grows = status == 0 && file != NO_FILE && !(mode & FALLOC_FL_KEEP_SIZE) && offset + count > before.st_size;
    if (grows) journal_truncate(file, (uint64_t)(offset + count));
    journal_end();
    return status;
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t count) { return allocate(descriptor, mode, offset, count); }
int fallocate(int descriptor, int mode, off_t offset, off_t count) { return allocate(descriptor, mode, offset, count); }
// These answer the error itself.
int posix_fallocate64(int descriptor, off64_t offset, off64_t count) {
    return allocate(descriptor, 0, offset, count) == 0 ? 0 : errno;
}
int posix_fallocate(int descriptor, off_t offset, off_t count) { return posix_fallocate64(descriptor, offset, count); }

// Names.

static int rename_at(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    char old[PATH_LIMIT];
    enum role old_role;
    bool known = resolve(from_folder, from, old, &old_role);
    JUDGE_PATH(CALL_RENAME, to_folder, to)
    int status = (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
    if (status == 0 && known && ours) renamed(old, whole);
    return status;
}

int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return rename_at(from_folder, from, to_folder, to, 0);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return rename_at(from_folder, from, to_folder, to, flags);
}

static int unlink_at(int folder, const char *path, int flags) {
    JUDGE_PATH(CALL_UNLINK, folder, path)
    int status = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (status == 0 && ours) removed(whole);
    return status;
}

int unlink(const char *path) { return unlink_at(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return unlink_at(folder, path, flags); }
int rmdir(const char *path) { return unlink_at(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
    struct stat found;
    if (lstat(path, &found) != 0) return -1;
    return S_ISDIR(found.st_mode) ? rmdir(path) : unlink(path);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    JUDGE_PATH(CALL_MKDIR, folder, path)
    return (int)syscall(SYS_mkdirat, folder, path, mode);
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    JUDGE_PATH(CALL_LINK, to_folder, to)
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int chmod(const char *path, mode_t mode) {
    JUDGE_PATH(CALL_CHMOD, AT_FDCWD, path)
    return (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

int fchmod(int descriptor, mode_t mode) {
    JUDGE_DESCRIPTOR(CALL_CHMOD, descriptor)
    return (int)syscall(SYS_fchmod, descriptor, mode);
}

// Locks and copies of descriptors.

static int control_descriptor(int descriptor, int command, void *argument) {
    bool locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    if (locks && ((struct flock *)argument)->l_type != F_UNLCK) {
        JUDGE_DESCRIPTOR(CALL_LOCK, descriptor)
    }
    int status = (int)syscall(SYS_fcntl, descriptor, command, argument);
    if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && status >= 0) copied(descriptor, status);
    return status;
}

#define CONTROL(name) \
    int name(int descriptor, int command, ...) { \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        return control_descriptor(descriptor, command, argument); \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

int flock(int descriptor, int operation) {
    JUDGE_DESCRIPTOR(CALL_LOCK, descriptor)
    return (int)syscall(SYS_flock, descriptor, operation);
}

int dup(int descriptor) {
    int copy = (int)syscall(SYS_dup, descriptor);
    if (copy >= 0) copied(descriptor, copy);
    return copy;
}

int dup3(int descriptor, int wanted, int flags) {
    int copy = (int)syscall(SYS_dup3, descriptor, wanted, flags);
    if (copy >= 0) copied(descriptor, copy);
    return copy;
}

int dup2(int descriptor, int wanted) {
    if (descriptor == wanted) return (int)syscall(SYS_fcntl, descriptor, F_GETFD) < 0 ? -1 : wanted;
    return dup3(descriptor, wanted, 0);
}

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
    int file = flags & MAP_ANONYMOUS ? NO_FILE : file_of(descriptor);
    if (file != NO_FILE) {
        struct verdict verdict = judge(CALL_MAP, role_of(file), path_of(file));
        if (verdict.fails) {
            errno = verdict.error ? verdict.error : ENOMEM;
            return MAP_FAILED;
        }
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    return mmap64(address, length, protection, flags, descriptor, offset);
}
