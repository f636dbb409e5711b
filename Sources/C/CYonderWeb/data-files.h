// Written by Scripts/embed-web. Don't edit: run it again.

// basemap/liechtenstein.pmtiles b1b068611e9a58181dec5d5bb008286cd3406c996a9df69ab0b362152bb5bf3b
static const unsigned char bytes_0[] = {
#embed "../../../Web/basemap/liechtenstein.pmtiles"
};

// basemap/world.pmtiles df9fdf4c861beb9015734902fddef8b60638f529856b7814a585da7686791975
static const unsigned char bytes_1[] = {
#embed "../../../Web/basemap/world.pmtiles"
};

// demo/places.tsv 526037305c768605a2270fc0f04752c54c67540502b222ed643678aa995560e9
static const unsigned char bytes_2[] = {
#embed "../../../Data/demo/places.tsv"
};

// demo/walks.gpx cedd62b5d0923f939bb5d70e77e8c5919c491757a08ebb67e7ee72577b5451bb
static const unsigned char bytes_3[] = {
#embed "../../../Data/demo/walks.gpx"
};

// gazetteer/places.sqlite d3abddedfb29a35aef3128802baf82538a12a551ff83850015e7172cbc73da4c
static const unsigned char bytes_4[] = {
#embed "../../../Data/gazetteer/places.sqlite"
};

// region/liechtenstein.tsv 726dd5eb5c3917e9f8d85570a75e8cd63c24f24e39249bd2b0b275c1ae7554db
static const unsigned char bytes_5[] = {
#embed "../../../Data/region/liechtenstein.tsv"
};

static const yonder_web_file data_files[] = {
    {"basemap/liechtenstein.pmtiles", "application/vnd.pmtiles", "b1b068611e9a5818", YONDER_WEB_DATA,
     bytes_0, sizeof bytes_0, 0, 0},
    {"basemap/world.pmtiles", "application/vnd.pmtiles", "df9fdf4c861beb90", YONDER_WEB_DATA,
     bytes_1, sizeof bytes_1, 0, 0},
    {"demo/places.tsv", "text/tab-separated-values; charset=utf-8", "526037305c768605", YONDER_WEB_DATA,
     bytes_2, sizeof bytes_2, 0, 0},
    {"demo/walks.gpx", "application/gpx+xml", "cedd62b5d0923f93", YONDER_WEB_DATA,
     bytes_3, sizeof bytes_3, 0, 0},
    {"gazetteer/places.sqlite", "application/vnd.sqlite3", "d3abddedfb29a35a", YONDER_WEB_DATA,
     bytes_4, sizeof bytes_4, 0, 0},
    {"region/liechtenstein.tsv", "text/tab-separated-values; charset=utf-8", "726dd5eb5c3917e9", YONDER_WEB_DATA,
     bytes_5, sizeof bytes_5, 0, 0},
};
