// Written by Scripts/embed-web. Don't edit: run it again.

// basemap/world.pmtiles df9fdf4c861beb9015734902fddef8b60638f529856b7814a585da7686791975
static const unsigned char bytes_0[] = {
#embed "../../Web/basemap/world.pmtiles"
};

// gazetteer/places.sqlite aa2dd2f12c8bf871cdcb25c674bb7ab02868c6875acd41137e38ebf7a6125d96
static const unsigned char bytes_1[] = {
#embed "../../Data/gazetteer/places.sqlite"
};

// tracks/Mojstrovka.gpx ed9fe789e69b47349fda26001a68f5eddec878cd0d48b3c241811c2bfa2c7f7d
static const unsigned char bytes_2[] = {
#embed "../../Data/tracks/Mojstrovka.gpx"
};

// tracks/cerknicko-jezero.gpx 8bad699d4c32633dd65d98c0c8ae6372da5ed01c24f7e3afd9f6b642a9976671
static const unsigned char bytes_3[] = {
#embed "../../Data/tracks/cerknicko-jezero.gpx"
};

// tracks/korita-zbevnica.gpx 14125bf02a5144dd65c2f7c230fdcd92ed8418242376a4284697f5d1965cb84d
static const unsigned char bytes_4[] = {
#embed "../../Data/tracks/korita-zbevnica.gpx"
};

static const yonder_web_file data_files[] = {
    {"basemap/world.pmtiles", "application/vnd.pmtiles", "df9fdf4c861beb90", YONDER_WEB_DATA,
     bytes_0, sizeof bytes_0, 0, 0},
    {"gazetteer/places.sqlite", "application/vnd.sqlite3", "aa2dd2f12c8bf871", YONDER_WEB_DATA,
     bytes_1, sizeof bytes_1, 0, 0},
    {"tracks/Mojstrovka.gpx", "application/gpx+xml", "ed9fe789e69b4734", YONDER_WEB_DATA,
     bytes_2, sizeof bytes_2, 0, 0},
    {"tracks/cerknicko-jezero.gpx", "application/gpx+xml", "8bad699d4c32633d", YONDER_WEB_DATA,
     bytes_3, sizeof bytes_3, 0, 0},
    {"tracks/korita-zbevnica.gpx", "application/gpx+xml", "14125bf02a5144dd", YONDER_WEB_DATA,
     bytes_4, sizeof bytes_4, 0, 0},
};
