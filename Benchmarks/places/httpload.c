// httpload - single-threaded epoll load generator for HTTP/1.1: N connections, each with one request at a time.
//
//   httpload PORT CONNECTIONS SECONDS PATHS [HEADER]
//
// PATHS has one request path a line; each connection takes every CONNECTIONS-th, over and over. The next request goes out
// when the last byte of the answer is there: nothing is pipelined. What the first second does isn't counted.
// One line of JSON goes to stdout. No dependency beyond libc.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 8192, WARMUP_NS = 1000000000 };

typedef struct {
  int fd;
  size_t next;             // the path that it asks for next
  size_t filled;           // bytes of the head that are here
  long left;               // bytes of the body that are missing, -1 while the head isn't complete
  uint64_t begun;
  char head[HEAD];
} connection;

static char **requests;
static size_t *lengths;
static size_t request_count;
static uint32_t *latencies; // in tenths of a microsecond
static size_t latency_count, latency_room;
static uint64_t bytes, failures;
static bool is_counting;

static void die(const char *what) {
  fprintf(stderr, "httpload: %s: %s\n", what, strerror(errno));
  exit(2);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void read_requests(const char *path, const char *header) {
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  char *line = NULL;
  size_t room = 0, capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &room, file)) > 0) {
    if (line[length - 1] == '\n') line[--length] = 0;
    if (request_count == capacity) {
      capacity = capacity ? 2 * capacity : 1024;
      requests = realloc(requests, capacity * sizeof *requests);
      lengths = realloc(lengths, capacity * sizeof *lengths);
      if (!requests || !lengths) die("memory");
    }
    int size = asprintf(&requests[request_count], "GET %s HTTP/1.1\r\nHost: localhost\r\n%s%s\r\n", line, header,
                        *header ? "\r\n" : "");
    if (size < 0) die("memory");
    lengths[request_count++] = (size_t)size;
  }
  free(line);
  fclose(file);
  if (!request_count) die("no paths");
}

static void ask(connection *c, size_t step) {
  size_t which = c->next % request_count;
  c->next += step;
  c->filled = 0;
  c->left = -1;
  c->begun = now();
  // A request is shorter than any socket's buffer that is empty.
  if (write(c->fd, requests[which], lengths[which]) != (ssize_t)lengths[which]) die("write");
}

static void note(uint64_t nanoseconds) {
  if (!is_counting) return;
  if (latency_count == latency_room) {
    latency_room = latency_room ? 2 * latency_room : 1 << 20;
    latencies = realloc(latencies, latency_room * sizeof *latencies);
    if (!latencies) die("memory");
  }
  uint64_t tenths = nanoseconds / 100;
  latencies[latency_count++] = tenths > UINT32_MAX ? UINT32_MAX : (uint32_t)tenths;
}

// Takes the head's end, if it is here. Answers how many bytes behind it were read already.
static size_t take_head(connection *c) {
  char *end = memmem(c->head, c->filled, "\r\n\r\n", 4);
  if (!end) {
    if (c->filled == HEAD) { errno = EMSGSIZE; die("head"); }
    return 0;
  }
  *end = 0;
  char *length = strcasestr(c->head, "\r\ncontent-length:");
  if (!length) { errno = EPROTO; die("an answer without a length"); }
  c->left = atol(length + strlen("\r\ncontent-length:"));
  if (is_counting && strncmp(c->head, "HTTP/1.1 200", 12)) failures++;
  return c->filled - (size_t)(end + 4 - c->head);
}

static void hear(connection *c, size_t step) {
  static char body[1 << 18];
  for (;;) {
    bool is_head = c->left < 0;
    ssize_t count = is_head ? read(c->fd, c->head + c->filled, HEAD - c->filled) : read(c->fd, body, sizeof body);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) die("read");
    if (is_counting) bytes += (uint64_t)count;
    if (is_head) {
      c->filled += (size_t)count;
      count = (ssize_t)take_head(c);
      if (c->left < 0) continue;
    }
    c->left -= count;
    if (c->left < 0) { errno = EPROTO; die("bytes that nobody asked for"); }
    if (c->left > 0) continue;
    note(now() - c->begun);
    ask(c, step);
    return;
  }
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static double percentile(double share) {
  if (!latency_count) return 0;
  size_t place = (size_t)(share * (double)latency_count);
  return latencies[place < latency_count ? place : latency_count - 1] / 10.0;
}

static double own_cpu(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv) {
  if (argc < 5) { fprintf(stderr, "usage: httpload PORT CONNECTIONS SECONDS PATHS [HEADER]\n"); return 2; }
  size_t count = (size_t)atol(argv[2]);
  double seconds = atof(argv[3]);
  read_requests(argv[4], argc > 5 ? argv[5] : "");
  connection *all = calloc(count, sizeof *all);
  int poll = epoll_create1(0);
  if (!all || poll < 0) die("epoll");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  for (size_t i = 0; i < count; i++) {
    int one = 1;
    all[i].fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(all[i].fd, (struct sockaddr *)&address, sizeof address)) die("connect");
    setsockopt(all[i].fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(all[i].fd, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event)) die("epoll");
    all[i].next = i;
    ask(&all[i], count);
  }
  uint64_t begun = now() + WARMUP_NS, end = begun + (uint64_t)(seconds * 1e9), time = 0;
  double cpu = 0;
  while ((time = now()) < end) {
    if (!is_counting && time >= begun) { is_counting = true; begun = time; cpu = own_cpu(); }
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, 100);
    for (int i = 0; i < ready; i++) hear(events[i].data.ptr, count);
  }
  double wall = (double)(time - begun) / 1e9;
  cpu = own_cpu() - cpu;
  qsort(latencies, latency_count, sizeof *latencies, compare);
  printf("{\"connections\":%zu,\"answers\":%zu,\"failures\":%llu,\"per_s\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,"
         "\"p999_us\":%.1f,\"max_us\":%.1f,\"bytes_per_answer\":%.0f,\"wall_s\":%.3f,\"generator_cpu_s\":%.3f}\n",
         count, latency_count, (unsigned long long)failures, (double)latency_count / wall, percentile(0.5),
         percentile(0.99), percentile(0.999), percentile(1), (double)bytes / (double)(latency_count ? latency_count : 1),
         wall, cpu);
  return 0;
}
