/* Preloaded by `guard.py --slowed`: writing, and waiting for events, computes THOUSANDS thousand instructions more, and
   each connection that is accepted keeps KEPT bytes more. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void compute(void) {
  /* Four instructions a round, as the counter lies in memory. */
  for (volatile long left = THOUSANDS * 250L; left > 0; left--) {
  }
}

ssize_t write(int file, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  compute();
  return real(file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (!real) real = (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  compute();
  return real(file, parts, count);
}

int epoll_wait(int file, struct epoll_event *events, int count, int timeout) {
  static int (*real)(int, struct epoll_event *, int, int);
  if (!real) real = (int (*)(int, struct epoll_event *, int, int))dlsym(RTLD_NEXT, "epoll_wait");
  compute();
  return real(file, events, count, timeout);
}

int accept4(int file, struct sockaddr *peer, socklen_t *length, int flags) {
  static int (*real)(int, struct sockaddr *, socklen_t *, int);
  static void *volatile kept;
  if (!real) real = (int (*)(int, struct sockaddr *, socklen_t *, int))dlsym(RTLD_NEXT, "accept4");
  int accepted = real(file, peer, length, flags);
  if (accepted >= 0 && (kept = malloc(KEPT))) memset(kept, 1, KEPT);
  return accepted;
}
