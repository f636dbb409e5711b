// fanload - single-threaded epoll load generator for publish/subscribe fan-out servers.
//
// Opens N subscriber connections, lets P of them publish timestamped messages at a fixed
// total rate, and measures every delivery on every other connection.  Speaks plain WebSocket
// text frames, Socket.IO v4 over WebSocket, MQTT 3.1.1 QoS 0, NATS and RESP (Redis) pub/sub.
// No dependency beyond libc.  Run with --help for the flags; JSON goes to stdout.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
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

enum { M_WS, M_SIO, M_MQTT, M_NATS, M_RESP };
static const char *mode_names[] = {"ws", "sio", "mqtt", "nats", "resp"};

enum { ST_NEW, ST_TCP, ST_HTTP, ST_SIO_OPEN, ST_PROTO, ST_PROTO2, ST_WAIT, ST_READY, ST_CLOSED };

// ---------------------------------------------------------------- options
static struct {
  int mode;
  const char *label, *host, *path, *pub_path, *marker, *ready, *topic, *sio_auth;
  const char *hello[16], *header[16];
  int nhello, nheader;
  const char *publish;
  int port, conns, pubs, rooms, payload, concurrency, window, stalled, spread, flood;
  double rate, deliveries, duration, warmup, drain, settle, settle_max, idle;
  double search_start, search_max, p99_limit_ms, search_step, search_tol;
  bool search, echo, sep_pubs, spin, verbose, intended, lossy;
  int server_pid, server_cpu, own_cpu;
} o = {.mode = M_WS, .label = "", .host = "127.0.0.1", .path = "/", .marker = "ts=",
       .port = 3000, .conns = 100, .pubs = 0, .rooms = 1, .spread = 1, .payload = 150, .concurrency = 128,
       .rate = 0, .deliveries = 0, .duration = 5, .warmup = 1, .drain = 5, .settle = 0.5,
       .settle_max = 60, .idle = 0, .search_start = 20000, .search_max = 2e7, .p99_limit_ms = 250,
       .search_step = 1.6, .search_tol = 0.05, .server_pid = 0, .server_cpu = -1, .own_cpu = -1};

// ---------------------------------------------------------------- templates
enum { SEG_LIT, SEG_I, SEG_ROOM, SEG_LAT, SEG_LON, SEG_TS, SEG_PAD, SEG_SEQ, SEG_SPREAD, SEG_I5 };
typedef struct { int kind; const char *s; size_t n; } seg;
typedef struct { seg seg[64]; int n; } tmpl;

static void die(const char *fmt, ...) {
  va_list ap; va_start(ap, fmt);
  fprintf(stderr, "fanload: "); vfprintf(stderr, fmt, ap); fprintf(stderr, "\n");
  va_end(ap); exit(2);
}

static void tmpl_parse(tmpl *t, const char *s) {
  static const struct { const char *name; int kind; } names[] = {
    {"{i}", SEG_I}, {"{room}", SEG_ROOM}, {"{lat}", SEG_LAT}, {"{lon}", SEG_LON},
    {"{ts}", SEG_TS}, {"{pad}", SEG_PAD}, {"{seq}", SEG_SEQ}, {"{spread}", SEG_SPREAD}, {"{i5}", SEG_I5}};
  t->n = 0;
  const char *lit = s;
  while (*s) {
    int hit = -1;
    if (*s == '{')
      for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strncmp(s, names[k].name, strlen(names[k].name))) { hit = (int)k; break; }
    if (hit < 0) { s++; continue; }
    if (t->n > 60) die("template too long");
    if (s > lit) t->seg[t->n++] = (seg){SEG_LIT, lit, (size_t)(s - lit)};
    t->seg[t->n++] = (seg){names[hit].kind, NULL, 0};
    s += strlen(names[hit].name);
    lit = s;
  }
  if (s > lit) t->seg[t->n++] = (seg){SEG_LIT, lit, (size_t)(s - lit)};
}

static inline char *put_u64(char *p, uint64_t v) {
  char tmp[24]; int n = 0;
  do { tmp[n++] = (char)('0' + v % 10); v /= 10; } while (v);
  while (n) *p++ = tmp[--n];
  return p;
}
static inline char *put_micro(char *p, int64_t v) { // micro-degrees as d.dddddd
  if (v < 0) { *p++ = '-'; v = -v; }
  p = put_u64(p, (uint64_t)(v / 1000000)); *p++ = '.';
  int64_t f = v % 1000000;
  for (int64_t d = 100000; d; d /= 10) *p++ = (char)('0' + (f / d) % 10);
  return p;
}

static uint64_t rng_state = 0x9E3779B97F4A7C15ull;
static inline uint64_t rng(void) {
  rng_state ^= rng_state << 13; rng_state ^= rng_state >> 7; rng_state ^= rng_state << 17;
  return rng_state;
}

typedef struct { int i, room; int64_t lat, lon; uint64_t ts, seq; } tvars;

static size_t tmpl_expand(const tmpl *t, char *out, size_t cap, const tvars *v, int total) {
  char *p = out, *padat = NULL;
  for (int k = 0; k < t->n; k++) {
    const seg *s = &t->seg[k];
    if ((size_t)(p - out) + s->n + 64 > cap) die("expanded template too long");
    switch (s->kind) {
      case SEG_LIT: memcpy(p, s->s, s->n); p += s->n; break;
      case SEG_I: p = put_u64(p, (uint64_t)v->i); break;
      case SEG_I5: for (int64_t d = 10000; d; d /= 10) *p++ = (char)('0' + v->i / d % 10); break;
      case SEG_ROOM: p = put_u64(p, (uint64_t)v->room); break;
      case SEG_LAT: p = put_micro(p, v->lat); break;
      case SEG_LON: p = put_micro(p, v->lon); break;
      case SEG_TS: p = put_u64(p, v->ts); break;
      case SEG_SEQ: p = put_u64(p, v->seq); break;
      case SEG_SPREAD: p = put_u64(p, ((uint64_t)v->i + v->seq * (uint64_t)o.conns) % (uint64_t)o.spread); break;
      case SEG_PAD: padat = p; break;
    }
  }
  size_t n = (size_t)(p - out);
  if (padat && total > (int)n) {
    size_t pad = (size_t)total - n;
    if ((size_t)total > cap) die("--payload-bytes too large");
    memmove(padat + pad, padat, (size_t)(p - padat));
    memset(padat, 'x', pad);
    n += pad;
  }
  return n;
}

// ---------------------------------------------------------------- connections
typedef struct {
  int fd, idx, room;
  uint8_t state;
  bool pub_only, wr_armed;
  int16_t hello_done;
  bool stalled;                               // once ready it never reads again
  uint8_t *part; uint32_t part_n, part_cap;   // undecoded input
  uint8_t *out; uint32_t out_n, out_cap;      // unsent output
  int64_t lat, lon;
  uint64_t seq;
} conn;

static conn *cs;
static int ntotal;                 // subscribers + separate publishers
static int ep = -1;
static int n_ready, n_closed_unexpected, n_conn_err, n_pending, next_open;
static bool connecting_phase;
static struct sockaddr_in addr;
static tmpl t_path, t_pub_path, t_publish, t_topic, t_hello[16], t_header[16];

static inline int64_t now_ns(void) {
  struct timespec ts; clock_gettime(CLOCK_MONOTONIC, &ts);
  return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

// ---------------------------------------------------------------- measurement
#define HB 8192                    // log-linear histogram, 128 steps per power of two
typedef struct { uint32_t b[HB]; uint64_t n, max; } hist;
static hist H;
static inline int hidx(uint64_t v) {
  if (v < 128) return (int)v;
  int e = 63 - __builtin_clzll(v);
  int i = ((e - 6) << 7) | (int)((v >> (e - 7)) & 127);
  return i < HB ? i : HB - 1;
}
static double hval(int i) {
  if (i < 128) return i;
  int e = (i >> 7) + 6;
  double lo = ldexp(128 + (i & 127), e - 7);
  return lo + ldexp(0.5, e - 7);
}
static double hpct(const hist *h, double q) {
  if (!h->n) return 0;
  uint64_t want = (uint64_t)ceil(q * (double)h->n), acc = 0;
  if (want < 1) want = 1;
  for (int i = 0; i < HB; i++) { acc += h->b[i]; if (acc >= want) return hval(i); }
  return (double)h->max;
}

static int64_t win0 = INT64_MAX, win1 = INT64_MAX;   // publish-time window that is measured
static uint64_t d_total, d_window, frames_total, frames_arr, d_arr, e_total, e_window, p_window, bytes_rx;
static bool arr_open;                                // arrivals are counted for CPU per delivery
static int64_t last_rx;
static size_t marker_n;

static inline int scan(const uint8_t *p, size_t n, int64_t now) {
  int hits = 0;
  const uint8_t *end = p + n;
  frames_total++;
  if (arr_open) frames_arr++;
  while ((p = memmem(p, (size_t)(end - p), o.marker, marker_n))) {
    p += marker_n;
    uint64_t v = 0; int k = 0;
    while (p < end && *p >= '0' && *p <= '9') { v = v * 10 + (uint64_t)(*p++ - '0'); k++; }
    if (!k) continue;
    hits++;
    d_total++;
    if (arr_open) d_arr++;
    int64_t ts = (int64_t)v;
    if (ts >= win0 && ts < win1) {
      d_window++;
      uint64_t us10 = now > ts ? (uint64_t)(now - ts) / 100 : 0;   // 0.1 us units
      H.b[hidx(us10)]++; H.n++;
      if (us10 > H.max) H.max = us10;
    }
  }
  return hits;
}

// ---------------------------------------------------------------- output
static void conn_close(conn *c, bool unexpected) {
  if (c->fd < 0) return;
  struct linger lg = {1, 0};                          // RST: leaves no TIME_WAIT behind
  setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &lg, sizeof lg);
  close(c->fd);
  c->fd = -1;
  if (c->state == ST_READY) n_ready--;
  else if (c->state != ST_NEW && c->state != ST_CLOSED) n_pending--;
  if (unexpected) { if (c->state == ST_READY) n_closed_unexpected++; else n_conn_err++; }
  c->state = ST_CLOSED;
  c->part_n = c->out_n = 0;
}

static void arm(conn *c, bool wr) {
  struct epoll_event ev = {.events = EPOLLIN | EPOLLRDHUP | (uint32_t)EPOLLET | (wr ? (uint32_t)EPOLLOUT : 0u), .data.u32 = (uint32_t)c->idx};
  epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &ev);
  c->wr_armed = wr;
}

static void conn_send(conn *c, const void *buf, size_t n) {
  if (c->fd < 0) return;
  size_t off = 0;
  if (!c->out_n) {
    ssize_t w = send(c->fd, buf, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (w < 0) { if (errno != EAGAIN && errno != EINTR) { conn_close(c, true); return; } w = 0; }
    off = (size_t)w;
    if (off == n) return;
  }
  size_t need = c->out_n + n - off;
  if (need > c->out_cap) { c->out_cap = (uint32_t)(need * 2); c->out = realloc(c->out, c->out_cap); if (!c->out) die("oom"); }
  memcpy(c->out + c->out_n, (const uint8_t *)buf + off, n - off);
  c->out_n = (uint32_t)need;
  if (!c->wr_armed) arm(c, true);
}

static void conn_flush(conn *c) {
  if (c->out_n) {
    ssize_t w = send(c->fd, c->out, c->out_n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (w < 0) { if (errno != EAGAIN && errno != EINTR) conn_close(c, true); return; }
    c->out_n -= (uint32_t)w;
    if (c->out_n) { memmove(c->out, c->out + w, c->out_n); return; }
  }
  arm(c, false);
}

static uint8_t fb[70000];
static void ws_send(conn *c, int op, const void *data, size_t n) {
  uint8_t *p = fb;
  if (n > 65000) die("frame too long");
  *p++ = (uint8_t)(0x80 | op);
  if (n < 126) *p++ = (uint8_t)(0x80 | n);
  else { *p++ = 0x80 | 126; *p++ = (uint8_t)(n >> 8); *p++ = (uint8_t)n; }
  uint32_t m = (uint32_t)rng();
  uint8_t mk[4]; memcpy(mk, &m, 4); memcpy(p, mk, 4); p += 4;
  const uint8_t *s = data;
  for (size_t i = 0; i < n; i++) p[i] = s[i] ^ mk[i & 3];
  conn_send(c, fb, (size_t)(p - fb) + n);
}

static size_t expand_for(conn *c, const tmpl *t, char *buf, size_t cap) {
  tvars v = {.i = c->idx, .room = c->room, .lat = c->lat, .lon = c->lon, .ts = (uint64_t)now_ns(), .seq = c->seq};
  return tmpl_expand(t, buf, cap, &v, 0);
}

static void mqtt_packet(conn *c, int hdr, const uint8_t *body, size_t n) {
  uint8_t *p = fb; *p++ = (uint8_t)hdr;
  size_t r = n;
  do { uint8_t b = r & 127; r >>= 7; *p++ = (uint8_t)(b | (r ? 128 : 0)); } while (r);
  memcpy(p, body, n);
  conn_send(c, fb, (size_t)(p - fb) + n);
}

// ---------------------------------------------------------------- handshake steps
static void conn_ready(conn *c) {
  if (c->state == ST_READY) return;
  c->state = ST_READY; n_ready++; n_pending--;
  if (!c->stalled) return;
  int small = 4096;                                   // so that the server's side fills soon
  setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  epoll_ctl(ep, EPOLL_CTL_DEL, c->fd, NULL);
}
static void send_hello(conn *c) {
  char buf[8192];
  if (!c->pub_only)
    for (int k = 0; k < o.nhello; k++) {
      size_t n = expand_for(c, &t_hello[k], buf, sizeof buf);
      if (o.mode == M_WS || o.mode == M_SIO) ws_send(c, 1, buf, n); else conn_send(c, buf, n);
    }
  if (o.ready && !c->pub_only) c->state = ST_WAIT; else conn_ready(c);
}

static void start_proto(conn *c) {   // TCP is up
  char buf[16384], tb[4096];
  switch (o.mode) {
    case M_WS: case M_SIO: {
      size_t pn = expand_for(c, c->pub_only && o.pub_path ? &t_pub_path : &t_path, tb, sizeof tb);
      int n = snprintf(buf, sizeof buf,
        "GET %.*s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
        (int)pn, tb, o.host, o.port);
      for (int k = 0; k < o.nheader; k++) {
        size_t hn = expand_for(c, &t_header[k], tb, sizeof tb);
        n += snprintf(buf + n, sizeof buf - (size_t)n, "%.*s\r\n", (int)hn, tb);
      }
      n += snprintf(buf + n, sizeof buf - (size_t)n, "\r\n");
      c->state = ST_HTTP;
      conn_send(c, buf, (size_t)n);
      break;
    }
    case M_MQTT: {
      uint8_t b[64]; int n = 0;
      memcpy(b, "\0\4MQTT\4\2\0\0", 10); n = 10;          // clean session, keepalive off
      char id[24]; int idn = snprintf(id, sizeof id, "fanload%d", c->idx);
      b[n++] = 0; b[n++] = (uint8_t)idn; memcpy(b + n, id, (size_t)idn); n += idn;
      c->state = ST_PROTO;
      mqtt_packet(c, 0x10, b, (size_t)n);
      break;
    }
    case M_NATS: c->state = ST_PROTO; break;              // wait for INFO
    case M_RESP:
      if (c->pub_only) { send_hello(c); break; }
      size_t tn = expand_for(c, &t_topic, tb, sizeof tb);
      int n = snprintf(buf, sizeof buf, "*2\r\n$9\r\nSUBSCRIBE\r\n$%zu\r\n%.*s\r\n", tn, (int)tn, tb);
      c->state = ST_PROTO;
      conn_send(c, buf, (size_t)n);
      break;
  }
}

static int64_t window_end;           // until when an answer makes the next message leave (--window)
static void publish_from(conn *c, int64_t ts);

// A received application text (WebSocket message or broker payload).
static void on_text(conn *c, const uint8_t *p, size_t n, int64_t now) {
  if (o.mode == M_SIO) {
    if (n == 1 && p[0] == '2') { ws_send(c, 1, "3", 1); return; }
    if (c->state == ST_SIO_OPEN && n && p[0] == '0') {
      char b[1024]; int k = snprintf(b, sizeof b, "40%s", o.sio_auth ? o.sio_auth : "");
      ws_send(c, 1, b, (size_t)k);
      c->state = ST_PROTO;
      return;
    }
    if (c->state == ST_PROTO && n >= 2 && p[0] == '4' && p[1] == '0') { send_hello(c); return; }
    if (n >= 2 && p[0] == '4' && p[1] == '4') { conn_close(c, true); return; }
  }
  if (c->state == ST_WAIT && memmem(p, n, o.ready, strlen(o.ready))) conn_ready(c);
  for (int hits = scan(p, n, now); hits > 0 && o.window && now < window_end; hits--) publish_from(c, now_ns());
}

// ---------------------------------------------------------------- decoders: return bytes used
static size_t dec_ws(conn *c, uint8_t *b, size_t n, int64_t now) {
  size_t off = 0;
  while (n - off >= 2 && c->fd >= 0) {
    uint8_t *p = b + off;
    size_t hl = 2; uint64_t len = p[1] & 127;
    if (len == 126) { if (n - off < 4) break; len = (uint64_t)p[2] << 8 | p[3]; hl = 4; }
    else if (len == 127) {
      if (n - off < 10) break;
      len = 0; for (int k = 2; k < 10; k++) len = len << 8 | p[k];
      hl = 10;
    }
    if (p[1] & 128) { conn_close(c, true); break; }       // a server must not mask
    if (n - off < hl + len) break;
    int op = p[0] & 15;
    if (op <= 2) on_text(c, p + hl, (size_t)len, now);
    else if (op == 9) ws_send(c, 10, p + hl, (size_t)len);
    else if (op == 8) {
      if (o.verbose) fprintf(stderr, "close frame on %d: %.*s\n", c->idx, (int)(len > 2 ? len - 2 : 0), p + hl + 2);
      conn_close(c, true); break;
    }
    off += hl + (size_t)len;
  }
  return off;
}

static size_t dec_http(conn *c, uint8_t *b, size_t n) {
  uint8_t *e = memmem(b, n, "\r\n\r\n", 4);
  if (!e) return 0;
  if (n < 12 || memcmp(b + 8, " 101", 4)) {
    if (o.verbose) fprintf(stderr, "handshake refused on %d: %.*s\n", c->idx, (int)(n > 400 ? 400 : n), b);
    conn_close(c, true);
    return n;
  }
  if (o.mode == M_SIO) c->state = ST_SIO_OPEN; else send_hello(c);
  return (size_t)(e + 4 - b);
}

static size_t dec_mqtt(conn *c, uint8_t *b, size_t n, int64_t now) {
  size_t off = 0;
  while (n - off >= 2 && c->fd >= 0) {
    uint8_t *p = b + off;
    size_t len = 0, hl = 1; int sh = 0;
    for (;;) {
      if (off + hl >= n) return off;
      uint8_t x = p[hl++]; len |= (size_t)(x & 127) << sh; sh += 7;
      if (!(x & 128)) break;
      if (hl > 4) { conn_close(c, true); return n; }
    }
    if (n - off < hl + len) break;
    uint8_t *q = p + hl;
    switch (p[0] >> 4) {
      case 2: // CONNACK
        if (len < 2 || q[1]) { conn_close(c, true); return n; }
        if (c->pub_only) send_hello(c);
        else {
          uint8_t sb[512]; char tb[400];
          size_t tn = expand_for(c, &t_topic, tb, sizeof tb);
          sb[0] = 0; sb[1] = 1; sb[2] = (uint8_t)(tn >> 8); sb[3] = (uint8_t)tn;
          memcpy(sb + 4, tb, tn); sb[4 + tn] = 0;
          c->state = ST_PROTO2;
          mqtt_packet(c, 0x82, sb, 5 + tn);
        }
        break;
      case 9: send_hello(c); break; // SUBACK
      case 3: {
        size_t tl = (size_t)q[0] << 8 | q[1], skip = 2 + tl + ((p[0] & 6) ? 2 : 0);
        if (skip <= len) on_text(c, q + skip, len - skip, now);
        break;
      }
    }
    off += hl + len;
  }
  return off;
}

static size_t dec_nats(conn *c, uint8_t *b, size_t n, int64_t now) {
  size_t off = 0;
  while (off < n && c->fd >= 0) {
    uint8_t *p = b + off, *e = memchr(p, '\n', n - off);
    if (!e) break;
    size_t line = (size_t)(e + 1 - p);
    if (!memcmp(p, "MSG ", line >= 4 ? 4 : line)) {
      uint8_t *q = e - 1; while (q > p && q[-1] != ' ') q--;       // last field: payload size
      size_t len = strtoul((char *)q, NULL, 10);
      if (n - off < line + len + 2) break;
      on_text(c, e + 1, len, now);
      off += line + len + 2;
      continue;
    }
    if (!memcmp(p, "INFO", line >= 4 ? 4 : line) && c->state == ST_PROTO) {
      char s[1024], tb[400]; int k;
      k = snprintf(s, sizeof s, "CONNECT {\"verbose\":false,\"pedantic\":false,\"lang\":\"c\",\"version\":\"0\",\"protocol\":1,\"echo\":%s}\r\n", o.echo ? "true" : "false");
      if (!c->pub_only) {
        size_t tn = expand_for(c, &t_topic, tb, sizeof tb);
        k += snprintf(s + k, sizeof s - (size_t)k, "SUB %.*s 1\r\n", (int)tn, tb);
      }
      k += snprintf(s + k, sizeof s - (size_t)k, "PING\r\n");
      conn_send(c, s, (size_t)k);
    } else if (!memcmp(p, "PONG", line >= 4 ? 4 : line)) { if (c->state == ST_PROTO) send_hello(c); }
    else if (!memcmp(p, "PING", line >= 4 ? 4 : line)) conn_send(c, "PONG\r\n", 6);
    else if (*p == '-') { if (o.verbose) fprintf(stderr, "%.*s", (int)line, p); conn_close(c, true); break; }
    off += line;
  }
  return off;
}

// RESP2: simple line, bulk string, or flat array of bulk strings and integers.
static size_t dec_resp(conn *c, uint8_t *b, size_t n, int64_t now) {
  size_t off = 0;
  while (off < n && c->fd >= 0) {
    uint8_t *p = b + off, *end = b + n, *e = memchr(p, '\n', n - off);
    if (!e) break;
    if (*p != '*') {
      if (*p == '-' && o.verbose) fprintf(stderr, "%.*s", (int)(e - p + 1), p);
      off += (size_t)(e + 1 - p);
      continue;
    }
    long cnt = strtol((char *)p + 1, NULL, 10);
    uint8_t *q = e + 1, *item[4] = {0}; size_t il[4] = {0};
    bool whole = true;
    for (long k = 0; k < cnt; k++) {
      e = q < end ? memchr(q, '\n', (size_t)(end - q)) : NULL;
      if (!e) { whole = false; break; }
      if (*q == '$') {
        size_t len = strtoul((char *)q + 1, NULL, 10);
        if ((size_t)(end - (e + 1)) < len + 2) { whole = false; break; }
        if (k < 4) { item[k] = e + 1; il[k] = len; }
        q = e + 1 + len + 2;
      } else q = e + 1;
    }
    if (!whole) break;
    if (cnt == 3 && il[0] == 7 && !memcmp(item[0], "message", 7)) on_text(c, item[2], il[2], now);
    else if (cnt == 3 && il[0] == 9 && c->state == ST_PROTO) send_hello(c);
    off = (size_t)(q - b);
  }
  return off;
}

// ---------------------------------------------------------------- event loop
#define RB (1 << 20)
static uint8_t rb[RB];

static void on_readable(conn *c) {
  for (;;) {
    size_t have = c->part_n;
    if (have) memcpy(rb, c->part, have);
    if (have >= RB) { conn_close(c, true); return; }
    ssize_t r = recv(c->fd, rb + have, RB - have, MSG_DONTWAIT);
    if (r < 0) { if (errno == EAGAIN || errno == EINTR) return; conn_close(c, true); return; }
    if (r == 0) { conn_close(c, true); return; }
    int64_t now = now_ns();
    last_rx = now;
    bytes_rx += (uint64_t)r;
    size_t n = have + (size_t)r, off = 0, used;
    do {
      used = 0;
      if (c->fd < 0) return;
      if (c->state == ST_HTTP) used = dec_http(c, rb + off, n - off);
      else switch (o.mode) {
        case M_WS: case M_SIO: used = dec_ws(c, rb + off, n - off, now); break;
        case M_MQTT: used = dec_mqtt(c, rb + off, n - off, now); break;
        case M_NATS: used = dec_nats(c, rb + off, n - off, now); break;
        case M_RESP: used = dec_resp(c, rb + off, n - off, now); break;
      }
      off += used;
    } while (used && off < n);
    if (c->fd < 0) return;
    size_t left = n - off;
    if (left) {
      if (left > c->part_cap) { c->part_cap = (uint32_t)(left + 512); c->part = realloc(c->part, c->part_cap); if (!c->part) die("oom"); }
      memcpy(c->part, rb + off, left);
    }
    c->part_n = (uint32_t)left;
    if (n < RB) return;
  }
}

static void conn_open(conn *c) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket: %s (raise ulimit -n)", strerror(errno));
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  c->fd = fd; c->wr_armed = true; c->part_n = c->out_n = 0; c->hello_done = 0;
  c->state = ST_TCP; n_pending++;
  struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT, .data.u32 = (uint32_t)c->idx};
  epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev);
  if (connect(fd, (struct sockaddr *)&addr, sizeof addr) && errno != EINPROGRESS) conn_close(c, true);
}

static struct epoll_event evs[8192];
static int64_t next_pub, pub_stop; static double pub_interval;
static void publish_due(int64_t now);

static void pump(int64_t deadline) {
  int64_t now = now_ns(), wait = deadline - now;
  if (next_pub < pub_stop && next_pub - now < wait) wait = next_pub - now;
  if (wait < 0 || o.spin) wait = 0;
  struct timespec ts = {wait / 1000000000, wait % 1000000000};
  int n = epoll_pwait2(ep, evs, (int)(sizeof evs / sizeof *evs), &ts, NULL);
  for (int k = 0; k < n; k++) {
    if ((k & 31) == 0) { now = now_ns(); if (next_pub <= now && next_pub < pub_stop) publish_due(now); }
    conn *c = &cs[evs[k].data.u32];
    if (c->fd < 0) continue;
    if (c->state == ST_TCP && (evs[k].events & (EPOLLOUT | EPOLLERR | EPOLLHUP))) {
      int err = 0; socklen_t el = sizeof err;
      getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &err, &el);
      if (err) { if (o.verbose) fprintf(stderr, "connect: %s\n", strerror(err)); conn_close(c, true); continue; }
      arm(c, false);
      start_proto(c);
      if (c->fd < 0) continue;
    } else if (evs[k].events & EPOLLOUT) { conn_flush(c); if (c->fd < 0) continue; }
    if (evs[k].events & (EPOLLIN | EPOLLERR | EPOLLHUP | EPOLLRDHUP)) on_readable(c);
  }
  if (connecting_phase)
    while (n_pending < o.concurrency && next_open < ntotal) {
      if (cs[next_open].fd < 0) conn_open(&cs[next_open]);
      next_open++;
    }
  now = now_ns();
  if (next_pub <= now && next_pub < pub_stop) publish_due(now);
}

// ---------------------------------------------------------------- publishing
static int *pub_list; static int npubs, pub_next;
static int *room_size;
static uint64_t p_total, p_skipped;

static void publish_one(int64_t ts) {
  conn *c = NULL;
  for (int tries = 0; tries < npubs; tries++) {
    c = &cs[pub_list[pub_next]];
    if (++pub_next == npubs) pub_next = 0;
    if (c->state == ST_READY) break;
    c = NULL;
  }
  if (c) publish_from(c, ts);
}

static void publish_from(conn *c, int64_t ts) {
  if (c->state != ST_READY) return;
  c->lat += (int64_t)(rng() % 201) - 100; c->lon += (int64_t)(rng() % 201) - 100;
  tvars v = {.i = c->idx, .room = c->room, .lat = c->lat, .lon = c->lon, .ts = (uint64_t)ts, .seq = ++c->seq};
  char buf[16384], tb[400];
  size_t n = tmpl_expand(&t_publish, buf, sizeof buf, &v, o.payload);
  int fan = room_size[c->room] - ((o.echo || c->pub_only) ? 0 : 1);
  p_total++; e_total += (uint64_t)fan;
  if (ts >= win0 && ts < win1) { p_window++; e_window += (uint64_t)fan; }
  switch (o.mode) {
    case M_WS: case M_SIO: ws_send(c, 1, buf, n); return;
    default: break;
  }
  size_t tn = tmpl_expand(&t_topic, tb, sizeof tb, &v, 0);
  uint8_t pk[17000]; size_t k = 0;
  if (o.mode == M_MQTT) {
    pk[k++] = (uint8_t)(tn >> 8); pk[k++] = (uint8_t)tn;
    memcpy(pk + k, tb, tn); k += tn; memcpy(pk + k, buf, n); k += n;
    mqtt_packet(c, 0x30, pk, k);
  } else {
    if (o.mode == M_NATS) k = (size_t)snprintf((char *)pk, sizeof pk, "PUB %.*s %zu\r\n", (int)tn, tb, n);
    else k = (size_t)snprintf((char *)pk, sizeof pk, "*3\r\n$7\r\nPUBLISH\r\n$%zu\r\n%.*s\r\n$%zu\r\n", tn, (int)tn, tb, n);
    memcpy(pk + k, buf, n); k += n;
    memcpy(pk + k, "\r\n", 2); k += 2;
    conn_send(c, pk, k);
  }
}

static double pub_t0; static uint64_t pub_k;
static void publish_due(int64_t now) {
  for (int guard = 0; guard < 64 && next_pub <= now && next_pub < pub_stop; guard++) {
    publish_one(o.intended ? next_pub : now_ns());
    pub_k++;
    next_pub = (int64_t)(pub_t0 + (double)pub_k * pub_interval);
    if (now - next_pub > 200000000) {                     // generator is far behind: do not burst
      uint64_t nk = (uint64_t)(((double)now - pub_t0) / pub_interval);
      p_skipped += nk - pub_k; pub_k = nk;
      next_pub = (int64_t)(pub_t0 + (double)pub_k * pub_interval);
    }
  }
}

// ---------------------------------------------------------------- CPU and memory readings
typedef struct { double srv, own, core_busy, core_steal, own_steal; long rss_kb; } usage;
static void read_core(int cpu, double *busy, double *steal) {
  *busy = *steal = 0;
  FILE *f = fopen("/proc/stat", "r"); if (!f) return;
  char line[512], tag[16]; int tn = snprintf(tag, sizeof tag, "cpu%d ", cpu);
  while (fgets(line, sizeof line, f))
    if (!strncmp(line, tag, (size_t)tn)) {
      unsigned long long u, ni, s, id, io, ir, so, st = 0;
      sscanf(line + tn, "%llu %llu %llu %llu %llu %llu %llu %llu", &u, &ni, &s, &id, &io, &ir, &so, &st);
      double hz = (double)sysconf(_SC_CLK_TCK);
      *busy = (double)(u + ni + s + ir + so) / hz; *steal = (double)st / hz;
    }
  fclose(f);
}
static usage read_usage(void) {
  usage u = {0};
  struct rusage r; getrusage(RUSAGE_SELF, &r);
  u.own = (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6 + (double)r.ru_stime.tv_sec + (double)r.ru_stime.tv_usec / 1e6;
  if (o.server_pid) {
    char p[64], line[2048]; snprintf(p, sizeof p, "/proc/%d/stat", o.server_pid);
    FILE *f = fopen(p, "r");
    if (f) {
      if (fgets(line, sizeof line, f)) {
        char *q = strrchr(line, ')'); unsigned long long ut = 0, st = 0;
        if (q) sscanf(q + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &ut, &st);
        u.srv = (double)(ut + st) / (double)sysconf(_SC_CLK_TCK);
      }
      fclose(f);
    }
    snprintf(p, sizeof p, "/proc/%d/status", o.server_pid);
    if ((f = fopen(p, "r"))) {
      while (fgets(line, sizeof line, f)) if (!strncmp(line, "VmRSS:", 6)) u.rss_kb = atol(line + 6);
      fclose(f);
    }
  }
  if (o.server_cpu >= 0) read_core(o.server_cpu, &u.core_busy, &u.core_steal);
  double dummy;
  if (o.own_cpu >= 0) read_core(o.own_cpu, &dummy, &u.own_steal);
  return u;
}

// Speed of this core right now: CPU time of one 150-byte send + recv over a loopback TCP pair.
// On a shared machine it drifts, and everything measured drifts with it.
static double calibrate(void) {
  static int a = -1, b = -1;
  if (a < 0) {
    int l = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    struct sockaddr_in la = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof la;
    if (bind(l, (struct sockaddr *)&la, n) || listen(l, 1) || getsockname(l, (struct sockaddr *)&la, &n)) die("calibration socket");
    a = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(a, (struct sockaddr *)&la, sizeof la)) die("calibration connect");
    b = accept4(l, NULL, NULL, SOCK_CLOEXEC);
    setsockopt(a, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    close(l);
  }
  char buf[256] = {0};
  struct timespec t0, t1;
  int k = 0;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t0);
  for (; k < 8000; k++)
    if (send(a, buf, 150, 0) != 150 || recv(b, buf, sizeof buf, 0) != 150) die("calibration");
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t1);
  return ((double)(t1.tv_sec - t0.tv_sec) * 1e9 + (double)(t1.tv_nsec - t0.tv_nsec)) / k / 1000;
}

// ---------------------------------------------------------------- phases
typedef struct {
  double cal, rate, target, arr_rate, frames_rate, p50, p90, p99, p999, max, srv_cpu, own_cpu, core_busy, steal, per_m, wall;
  uint64_t published, expected, delivered; int64_t lost; int dropped_conns; uint64_t skipped;
  bool ok; char why[96];
} phase;

static double avg_fan(void) {
  double s = 0;
  for (int k = 0; k < npubs; k++) { conn *c = &cs[pub_list[k]]; s += room_size[c->room] - ((o.echo || c->pub_only) ? 0 : 1); }
  return s / npubs;
}

static void quiesce(double quiet_s, double max_s) {
  int64_t t0 = now_ns(); last_rx = t0;
  while (now_ns() - last_rx < (int64_t)(quiet_s * 1e9) && now_ns() - t0 < (int64_t)(max_s * 1e9))
    pump(now_ns() + 20000000);
}

static void flood(void) {
  for (int k = 0; k < o.flood; k++) {
    while (d_total + 4 * (uint64_t)o.conns < e_total) pump(now_ns() + 1000000);   // four on their way to everyone
    publish_one(now_ns());
    pump(now_ns());
  }
  int64_t dl = now_ns() + (int64_t)(o.drain * 1e9);
  while (d_total < e_total && now_ns() < dl) pump(now_ns() + 5000000);
}

static phase run_phase(double rate) {
  phase ph = {0};
  memset(&H, 0, sizeof H);
  d_window = e_window = p_window = d_arr = frames_arr = 0;
  int closed0 = n_closed_unexpected; uint64_t skip0 = p_skipped;
  e_total = d_total;   // what came before, such as a subscription's first answer, is none of this phase's
  ph.cal = calibrate();
  int64_t t0 = now_ns() + 1000000;
  win0 = t0 + (int64_t)(o.warmup * 1e9); win1 = win0 + (int64_t)(o.duration * 1e9);
  pub_t0 = (double)t0; pub_k = 0; pub_interval = 1e9 / rate;
  next_pub = t0; pub_stop = win1;
  if (o.window) {                                       // closed loop: an answer makes the next message leave
    next_pub = pub_stop = 0; window_end = win1;
    for (int n = 0; n < o.window; n++) for (int k = 0; k < npubs; k++) publish_from(&cs[pub_list[k]], now_ns());
  }
  while (now_ns() < win0) pump(win0);
  usage a = read_usage(); int64_t ta = now_ns(); arr_open = true;
  while (now_ns() < win1) pump(win1);
  arr_open = false; usage b = read_usage(); int64_t tb = now_ns();
  next_pub = pub_stop = 0;
  int64_t dl = now_ns() + (int64_t)(o.drain * 1e9);
  if (o.lossy) quiesce(0.3, o.drain);
  else while (d_total < e_total && now_ns() < dl) pump(now_ns() + 5000000 < dl ? now_ns() + 5000000 : dl);
  ph.cal = (ph.cal + calibrate()) / 2;
  ph.wall = (double)(tb - ta) / 1e9;
  ph.rate = rate; ph.target = rate * avg_fan();
  ph.published = p_window; ph.expected = e_window; ph.delivered = d_window; ph.lost = (int64_t)e_window - (int64_t)d_window;
  ph.arr_rate = (double)d_arr / ph.wall; ph.frames_rate = (double)frames_arr / ph.wall;
  ph.p50 = hpct(&H, .50) / 10; ph.p90 = hpct(&H, .90) / 10; ph.p99 = hpct(&H, .99) / 10; ph.p999 = hpct(&H, .999) / 10; ph.max = (double)H.max / 10;
  ph.srv_cpu = b.srv - a.srv; ph.own_cpu = b.own - a.own; ph.core_busy = b.core_busy - a.core_busy;
  ph.steal = (b.core_steal - a.core_steal) + (b.own_steal - a.own_steal);
  ph.per_m = d_arr ? ph.srv_cpu / ((double)d_arr / 1e6) : 0;
  ph.dropped_conns = n_closed_unexpected - closed0; ph.skipped = p_skipped - skip0;
  ph.ok = true;
  if (ph.dropped_conns) { ph.ok = false; snprintf(ph.why, sizeof ph.why, "%d connections dropped", ph.dropped_conns); }
  else if (ph.lost && !o.lossy) { ph.ok = false; snprintf(ph.why, sizeof ph.why, "lost %" PRId64, ph.lost); }
  else if (ph.p99 > o.p99_limit_ms * 1000) { ph.ok = false; snprintf(ph.why, sizeof ph.why, "p99 %.0f ms", ph.p99 / 1000); }
  else if (ph.arr_rate < 0.97 * ph.target && !o.lossy && !o.window) { ph.ok = false; snprintf(ph.why, sizeof ph.why, "rate %.0f%% of target", 100 * ph.arr_rate / ph.target); }
  // leave no backlog for the next phase
  if (d_total < e_total) { if (!o.lossy) quiesce(0.5, 20); e_total = d_total; }
  win0 = win1 = INT64_MAX;
  if (o.verbose)
    fprintf(stderr, "rate %.0f msg/s target %.0f/s got %.0f/s p50 %.0fus p99 %.0fus lost %" PRId64 " srv %.2fs gen %.2fs of %.2fs cpu/M %.3f cal %.2f %s %s\n",
            rate, ph.target, ph.arr_rate, ph.p50, ph.p99, ph.lost, ph.srv_cpu, ph.own_cpu, ph.wall, ph.per_m, ph.cal, ph.ok ? "ok" : "FAIL", ph.why);
  return ph;
}

static bool disturbed(const phase *p) {
  return o.server_pid && o.server_cpu >= 0 && p->srv_cpu < 0.8 * p->wall && p->own_cpu < 0.8 * p->wall &&
         p->core_busy > p->srv_cpu + 0.15 * p->wall;
}

static void print_phase(FILE *f, const phase *p, const char *ind) {
  fprintf(f, "%s\"rate\":%.1f,\"target_deliveries_per_s\":%.0f,\"deliveries_per_s\":%.0f,\"frames_per_s\":%.0f,\"published\":%" PRIu64
    ",\"expected\":%" PRIu64 ",\"delivered\":%" PRIu64 ",\"lost\":%" PRId64 ",\"p50_us\":%.1f,\"p90_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f"
    ",\"server_cpu_s\":%.3f,\"server_cpu_s_per_million\":%.3f,\"generator_cpu_s\":%.3f,\"wall_s\":%.3f,\"server_core_busy_s\":%.2f,\"steal_s\":%.2f,\"calibration_us\":%.3f"
    ",\"dropped_connections\":%d,\"skipped_publishes\":%" PRIu64 ",\"ok\":%s,\"why\":\"%s\"",
    ind, p->rate, p->target, p->arr_rate, p->frames_rate, p->published, p->expected, p->delivered, p->lost, p->p50, p->p90, p->p99, p->p999, p->max,
    p->srv_cpu, p->per_m, p->own_cpu, p->wall, p->core_busy, p->steal, p->cal, p->dropped_conns, p->skipped, p->ok ? "true" : "false", p->why);
}

// ---------------------------------------------------------------- main
static void open_all(double limit_s) {
  n_conn_err = 0; next_open = 0; connecting_phase = true;
  int64_t dl = now_ns() + (int64_t)(limit_s * 1e9);
  while (n_ready < ntotal && now_ns() < dl) {
    pump(now_ns() + 1000000);
    if (next_open >= ntotal && !n_pending) break;
  }
  connecting_phase = false;
}

static const char *usage_text =
"fanload: fan-out load generator. JSON on stdout.\n"
"  --mode ws|sio|mqtt|nats|resp   protocol                         [ws]\n"
"  --host H --port N              server (numeric IPv4)            [127.0.0.1 3000]\n"
"  --path T                       WebSocket path template          [/]\n"
"  --pub-path T                   path of the separate publishers\n"
"  --header 'Name: value'         extra handshake header template (repeatable)\n"
"  --hello T                      text sent once open (repeatable); {i} {i5} {room} expand,\n"
"                                 {i5} being {i} in five digits\n"
"  --ready S                      connection is ready once a text containing S arrives\n"
"  --sio-auth JSON                body of the Socket.IO connect packet\n"
"  --topic T                      topic/subject/channel template   [room.{room}]\n"
"  --publish T                    message template: {i} {room} {lat} {lon} {ts} {seq} {pad}\n"
"  --payload-bytes N              {pad} grows the message to N bytes [150]\n"
"  --marker S                     text in front of the time stamp  [ts=]\n"
"  --connections N --rooms K      connection i joins room i mod K  [100 1]\n"
"  --publishers P                 how many of them publish, spread evenly [all]\n"
"  --separate-publishers          publishers are P extra, unsubscribed connections\n"
"  --echo                         the server also delivers to the publisher itself\n"
"  --rate R | --deliveries D      messages published/s, or deliveries/s\n"
"  --duration S --warmup S --drain S                              [5 1 5]\n"
"  --settle S --settle-max S      quiet time before load           [0.5 60]\n"
"  --intended                     stamp with the scheduled, not the actual, send time\n"
"  --window N                     closed loop: each publisher keeps N messages unanswered; for\n"
"                                 servers that answer each message once, with --echo and a room each\n"
"  --spread K                     {spread} is a number below K that goes round with {seq}  [1]\n"
"  --stalled N                    N of the connections stop reading once ready\n"
"  --flood N                      sends N messages before it measures, as fast as the readers take them;\n"
"                                 fills what lies between the server and those who are stalled\n"
"  --spin                         never block in epoll\n"
"  --lossy                        the server may leave out replaced positions: losses are\n"
"                                 counted but fail nothing\n"
"  --search                       find the highest sustained load; with\n"
"    --search-start D --search-max D --search-step F --search-tol F --p99-limit-ms MS\n"
"  --idle S                       no load: connect, hold S seconds, report memory\n"
"  --concurrency N                handshakes in flight             [128]\n"
"  --server-pid PID --server-cpu K --own-cpu K   CPU, steal and RSS readings\n"
"  --label S --verbose\n";



int main(int argc, char **argv) {
  if (argc < 2) { fputs(usage_text, stderr); return 2; }
  const char *topic_default = "room.{room}";
  for (int a = 1; a < argc; a++) {
    const char *k = argv[a];
#define FLAG(name) (!strcmp(k, "--" name))
#define VAL (a + 1 < argc ? argv[++a] : (die("%s needs a value", k), ""))
    if (FLAG("help")) { fputs(usage_text, stdout); return 0; }
    else if (FLAG("mode")) { const char *v = VAL; o.mode = -1; for (int m = 0; m < 5; m++) if (!strcmp(v, mode_names[m])) o.mode = m; if (o.mode < 0) die("unknown mode %s", v); }
    else if (FLAG("label")) o.label = VAL;
    else if (FLAG("host")) o.host = VAL;
    else if (FLAG("port")) o.port = atoi(VAL);
    else if (FLAG("path")) o.path = VAL;
    else if (FLAG("pub-path")) o.pub_path = VAL;
    else if (FLAG("header")) { if (o.nheader == 16) die("too many --header"); o.header[o.nheader++] = VAL; }
    else if (FLAG("hello")) { if (o.nhello == 16) die("too many --hello"); o.hello[o.nhello++] = VAL; }
    else if (FLAG("ready")) o.ready = VAL;
    else if (FLAG("sio-auth")) o.sio_auth = VAL;
    else if (FLAG("topic")) o.topic = VAL;
    else if (FLAG("publish")) o.publish = VAL;
    else if (FLAG("payload-bytes")) o.payload = atoi(VAL);
    else if (FLAG("marker")) o.marker = VAL;
    else if (FLAG("connections")) o.conns = atoi(VAL);
    else if (FLAG("rooms")) o.rooms = atoi(VAL);
    else if (FLAG("publishers")) o.pubs = atoi(VAL);
    else if (FLAG("separate-publishers")) o.sep_pubs = true;
    else if (FLAG("echo")) o.echo = true;
    else if (FLAG("rate")) o.rate = atof(VAL);
    else if (FLAG("deliveries")) o.deliveries = atof(VAL);
    else if (FLAG("duration")) o.duration = atof(VAL);
    else if (FLAG("warmup")) o.warmup = atof(VAL);
    else if (FLAG("drain")) o.drain = atof(VAL);
    else if (FLAG("settle")) o.settle = atof(VAL);
    else if (FLAG("settle-max")) o.settle_max = atof(VAL);
    else if (FLAG("intended")) o.intended = true;
    else if (FLAG("spin")) o.spin = true;
    else if (FLAG("lossy")) o.lossy = true;
    else if (FLAG("search")) o.search = true;
    else if (FLAG("search-start")) o.search_start = atof(VAL);
    else if (FLAG("search-max")) o.search_max = atof(VAL);
    else if (FLAG("search-step")) o.search_step = atof(VAL);
    else if (FLAG("search-tol")) o.search_tol = atof(VAL);
    else if (FLAG("p99-limit-ms")) o.p99_limit_ms = atof(VAL);
    else if (FLAG("idle")) o.idle = atof(VAL);
    else if (FLAG("window")) o.window = atoi(VAL);
    else if (FLAG("flood")) o.flood = atoi(VAL);
    else if (FLAG("spread")) o.spread = atoi(VAL);
    else if (FLAG("stalled")) o.stalled = atoi(VAL);
    else if (FLAG("concurrency")) o.concurrency = atoi(VAL);
    else if (FLAG("server-pid")) o.server_pid = atoi(VAL);
    else if (FLAG("server-cpu")) o.server_cpu = atoi(VAL);
    else if (FLAG("own-cpu")) o.own_cpu = atoi(VAL);
    else if (FLAG("verbose")) o.verbose = true;
    else die("unknown flag %s (--help lists them)", k);
  }
  if (o.conns < 1 || o.rooms < 1 || o.spread < 1) die("--connections, --rooms and --spread must be positive");
  if (!o.publish)
    o.publish = o.mode == M_SIO ? "42[\"location\",\"{lat},{lon},ts={ts},{pad}\"]"
                                : "{\"type\":\"location\",\"user\":\"u{i}\",\"lat\":{lat},\"lon\":{lon},\"meta\":\"ts={ts},{pad}\"}";
  if (o.mode == M_SIO && !strcmp(o.path, "/")) o.path = "/socket.io/?EIO=4&transport=websocket";
  if (!o.topic) o.topic = topic_default;
  if (o.mode == M_RESP) o.sep_pubs = true;
  if (!o.pubs) o.pubs = o.sep_pubs ? 10 : o.conns;
  if (o.stalled >= o.conns) die("--stalled must leave a reader");
  if (!o.sep_pubs && o.pubs > o.conns - o.stalled) o.pubs = o.conns - o.stalled;
  if (o.window && (o.search || o.idle > 0)) die("--window takes neither --search nor --idle");
  marker_n = strlen(o.marker);
  tmpl_parse(&t_path, o.path); if (o.pub_path) tmpl_parse(&t_pub_path, o.pub_path);
  tmpl_parse(&t_publish, o.publish); tmpl_parse(&t_topic, o.topic);
  for (int k = 0; k < o.nhello; k++) tmpl_parse(&t_hello[k], o.hello[k]);
  for (int k = 0; k < o.nheader; k++) tmpl_parse(&t_header[k], o.header[k]);

  signal(SIGPIPE, SIG_IGN);
  struct rlimit rl; getrlimit(RLIMIT_NOFILE, &rl); rl.rlim_cur = rl.rlim_max; setrlimit(RLIMIT_NOFILE, &rl);
  addr.sin_family = AF_INET; addr.sin_port = htons((uint16_t)o.port);
  if (inet_pton(AF_INET, o.host, &addr.sin_addr) != 1) die("--host wants a numeric IPv4 address");
  if ((ntohl(addr.sin_addr.s_addr) >> 24) != 127) die("load is sent to loopback only");
  ep = epoll_create1(EPOLL_CLOEXEC);

  ntotal = o.conns + (o.sep_pubs ? o.pubs : 0);
  cs = calloc((size_t)ntotal, sizeof *cs);
  room_size = calloc((size_t)o.rooms, sizeof *room_size);
  npubs = o.pubs; pub_list = calloc((size_t)npubs + 1, sizeof *pub_list);
  for (int i = 0; i < ntotal; i++) {
    conn *c = &cs[i];
    c->fd = -1; c->idx = i;
    c->pub_only = i >= o.conns;
    c->room = (c->pub_only ? i - o.conns : i) % o.rooms;
    c->stalled = !c->pub_only && i >= o.conns - o.stalled;
    if (!c->pub_only && !c->stalled) room_size[c->room]++;
    c->lat = (int64_t)(rng() % 1000000) + 52000000; c->lon = (int64_t)(rng() % 1000000) + 13000000;
  }
  for (int k = 0; k < npubs; k++)
    pub_list[k] = o.sep_pubs ? o.conns + k : (int)((int64_t)k * (o.conns - o.stalled) / npubs);

  double cal0 = calibrate();
  usage u0 = read_usage(); int64_t t0 = now_ns();
  open_all(120);
  int64_t t1 = now_ns(); usage u1 = read_usage();
  double cs_s = (double)(t1 - t0) / 1e9;
  int opened = n_ready, conn_errs = n_conn_err;
  if (opened < ntotal) fprintf(stderr, "fanload: only %d of %d connections became ready (%d errors)\n", opened, ntotal, conn_errs);
  int64_t tq = now_ns();
  quiesce(o.settle, o.settle_max);
  e_total = d_total;
  flood();
  double settle_s = (double)(now_ns() - tq) / 1e9 - o.settle;
  uint64_t settle_frames = frames_total;
  usage u1b = read_usage();

  printf("{\"label\":\"%s\",\"mode\":\"%s\",\"connections\":%d,\"rooms\":%d,\"publishers\":%d,\"payload_bytes\":%d,\n", o.label, mode_names[o.mode], o.conns, o.rooms, npubs, o.payload);
  printf(" \"connect\":{\"opened\":%d,\"errors\":%d,\"seconds\":%.3f,\"per_s\":%.0f,\"server_cpu_s\":%.3f,\"generator_cpu_s\":%.3f,\"settle_s\":%.2f,\"settle_frames\":%" PRIu64 ",\"settle_cpu_s\":%.2f,\"steal_s\":%.2f,\"calibration_us\":%.3f},\n",
         opened, conn_errs, cs_s, opened / cs_s, u1.srv - u0.srv, u1.own - u0.own, settle_s, settle_frames, u1b.srv - u1.srv, u1.core_steal - u0.core_steal + u1.own_steal - u0.own_steal, cal0);

  if (o.idle > 0) {
    int64_t dl = now_ns() + (int64_t)(o.idle * 1e9);
    while (now_ns() < dl) pump(dl);
    usage u2 = read_usage();
    printf(" \"rss_before_kb\":%ld,\"rss_after_kb\":%ld,\"rss_per_connection_bytes\":%.0f,\"still_open\":%d,\"idle_server_cpu_s\":%.2f}\n",
           u0.rss_kb, u2.rss_kb, opened ? (double)(u2.rss_kb - u0.rss_kb) * 1024 / opened : 0, n_ready, u2.srv - u1b.srv);
  } else if (!o.search) {
    double rate = o.rate > 0 ? o.rate : (o.deliveries > 0 ? o.deliveries : 50000) / avg_fan();
    phase p = run_phase(rate);
    usage u2 = read_usage();
    print_phase(stdout, &p, " ");
    printf(",\n \"rss_before_kb\":%ld,\"rss_after_kb\":%ld}\n", u0.rss_kb, u2.rss_kb);
  } else {
    double d = o.search_start, good = 0, bad = 0; phase best = {0}; int phases = 0;
    printf(" \"phases\":[\n");
    while (phases < 40) {
      phase p = run_phase(d / avg_fan());
      if (n_ready < ntotal) { open_all(60); quiesce(o.settle, o.settle_max); e_total = d_total; }
      // Confirm a failure once: the machine is noisy.  Where neither side had the CPU it wanted
      // (other work ran on the core), try up to four times.
      for (int again = 0; !p.ok && again < (disturbed(&p) ? 4 : 1); again++) {
        printf("%s  {", phases++ ? ",\n" : ""); print_phase(stdout, &p, ""); printf("}");
        p = run_phase(d / avg_fan());
        if (n_ready < ntotal) { open_all(60); quiesce(o.settle, o.settle_max); e_total = d_total; }
      }
      printf("%s  {", phases++ ? ",\n" : ""); print_phase(stdout, &p, ""); printf("}");
      if (p.ok) { good = d; best = p; } else bad = d;
      if (bad == 0) { if (d >= o.search_max) break; d *= o.search_step; if (d > o.search_max) d = o.search_max; }
      else if (good == 0) { d /= 2; if (d < 100) break; }
      else { if (bad / good < 1 + o.search_tol) break; d = sqrt(good * bad); }
    }
    printf("],\n \"max_sustained_deliveries_per_s\":%.0f,\n \"best\":{", good ? best.arr_rate : 0);
    print_phase(stdout, &best, ""); printf("}}\n");
  }
  for (int i = 0; i < ntotal; i++) conn_close(&cs[i], false);
  return 0;
}
