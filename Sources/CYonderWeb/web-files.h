// Written by Scripts/embed-web. Don't edit: run it again.

#define YONDER_WEB_TREE_HASH "557f46cab1d9"

// app/main.js 5d491e3709c4767981243c1265f2bc80faf81db3a4ff072ed5f4bad63dfcde5c
static const unsigned char bytes_0[] = {
#embed "../../Web/app/main.js"
};

// licenses/maplibre-gl.txt af5553bf668a2512375a63290818d3dc622e018b38cb9a6630ea49f0bd3ce0bb
static const unsigned char bytes_1[] = {
#embed "../../Web/licenses/maplibre-gl.txt"
};
static const unsigned char gzipped_1[] = {
#embed "../../Web/generated/gzip/licenses/maplibre-gl.txt.gz"
};

// map/style.js 404a99a531ac20d1be8ea530c43a8a4fd86f29e561fbf9703abf2b6a08f1e577
static const unsigned char bytes_2[] = {
#embed "../../Web/map/style.js"
};
static const unsigned char gzipped_2[] = {
#embed "../../Web/generated/gzip/map/style.js.gz"
};

// vendor/maplibre-gl.css ab1e70d59ec40465bae7e7030da2f3ccf28133fd502e62bd598eefbadfd7a732
#if __has_embed("../../Web/vendor/maplibre-gl.css") == __STDC_EMBED_FOUND__
#define HAS_3 1
static const unsigned char bytes_3[] = {
#embed "../../Web/vendor/maplibre-gl.css"
};
#if __has_embed("../../Web/vendor/maplibre-gl.css.gz") == __STDC_EMBED_FOUND__
#define HAS_GZIPPED_3 1
static const unsigned char gzipped_3[] = {
#embed "../../Web/vendor/maplibre-gl.css.gz"
};
#endif
#endif

// vendor/maplibre-gl.js 45a9b07a9189ce56054c620a947ccf41e291e58c95e9b61533b740aaa65ee5cb
#if __has_embed("../../Web/vendor/maplibre-gl.js") == __STDC_EMBED_FOUND__
#define HAS_4 1
static const unsigned char bytes_4[] = {
#embed "../../Web/vendor/maplibre-gl.js"
};
#if __has_embed("../../Web/vendor/maplibre-gl.js.gz") == __STDC_EMBED_FOUND__
#define HAS_GZIPPED_4 1
static const unsigned char gzipped_4[] = {
#embed "../../Web/vendor/maplibre-gl.js.gz"
};
#endif
#endif

// index.html a10de18abb28a8614ce095b3a71446123cb7230027904cb56e98dd5ff585cd0d
static const unsigned char bytes_5[] = {
#embed "../../Web/generated/index.html"
};
static const unsigned char gzipped_5[] = {
#embed "../../Web/generated/gzip/index.html.gz"
};

static const yonder_web_file web_files[] = {
    {"app/main.js", "text/javascript; charset=utf-8", "5d491e3709c47679", YONDER_WEB_ASSET,
     bytes_0, sizeof bytes_0, 0, 0},
    {"licenses/maplibre-gl.txt", "text/plain; charset=utf-8", "af5553bf668a2512", YONDER_WEB_ASSET,
     bytes_1, sizeof bytes_1, gzipped_1, sizeof gzipped_1},
    {"map/style.js", "text/javascript; charset=utf-8", "404a99a531ac20d1", YONDER_WEB_ASSET,
     bytes_2, sizeof bytes_2, gzipped_2, sizeof gzipped_2},
#if defined(HAS_GZIPPED_3)
    {"vendor/maplibre-gl.css", "text/css; charset=utf-8", "ab1e70d59ec40465", YONDER_WEB_ASSET,
     bytes_3, sizeof bytes_3, gzipped_3, sizeof gzipped_3},
#elif defined(HAS_3)
    {"vendor/maplibre-gl.css", "text/css; charset=utf-8", "ab1e70d59ec40465", YONDER_WEB_ASSET,
     bytes_3, sizeof bytes_3, 0, 0},
#endif
#if defined(HAS_GZIPPED_4)
    {"vendor/maplibre-gl.js", "text/javascript; charset=utf-8", "45a9b07a9189ce56", YONDER_WEB_ASSET,
     bytes_4, sizeof bytes_4, gzipped_4, sizeof gzipped_4},
#elif defined(HAS_4)
    {"vendor/maplibre-gl.js", "text/javascript; charset=utf-8", "45a9b07a9189ce56", YONDER_WEB_ASSET,
     bytes_4, sizeof bytes_4, 0, 0},
#endif
    {"index.html", "text/html; charset=utf-8", "a10de18abb28a861", YONDER_WEB_ENTRY,
     bytes_5, sizeof bytes_5, gzipped_5, sizeof gzipped_5},
};
