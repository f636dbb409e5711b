// @ts-check
// What each kind of thing on the map is called in the three schemas of vector tiles. The style is drawn from kinds alone.
//
// A kind has the layer of the tiles that it is in, and the filter that finds it there; a kind that a schema doesn't have is left
// out. OpenMapTiles 3, Protomaps 4 and Shortbread 1, after their published descriptions.

/** @typedef {{ layer: string, filter?: any[] }} Found */
/** @typedef {Record<string, Found>} Kinds */
/** @typedef {'openmaptiles' | 'protomaps' | 'shortbread'} Schema */

/** @param {string} field @param {string[]} values */
const isOneOf = (field, ...values) => ['in', ['get', field], ['literal', values]];
/** @param {string[]} values */
const withLinks = (...values) => values.flatMap((value) => [value, `${value}_link`]);
/** @param {...any} filters */
const all = (...filters) => ['all', ...filters];
/** @param {any} filter */
const not = (filter) => ['!', filter];

const IS_AREA = ['==', ['geometry-type'], 'Polygon'];
const IS_LINE = ['==', ['geometry-type'], 'LineString'];
const IS_POINT = ['==', ['geometry-type'], 'Point'];
const LEVEL_2 = ['==', ['to-number', ['get', 'admin_level']], 2];
const LEVEL_4 = ['==', ['to-number', ['get', 'admin_level']], 4];
const MARITIME = ['match', ['to-string', ['get', 'maritime']], ['1', 'true'], true, false];
const DISPUTED = ['match', ['to-string', ['get', 'disputed']], ['1', 'true'], true, false];
const VILLAGES = ['village', 'hamlet', 'isolated_dwelling'];
const PARTS = ['suburb', 'quarter', 'neighbourhood', 'borough'];

/** @type {Kinds} */
const OPENMAPTILES = {
  urban: { layer: 'landuse', filter: isOneOf('class', 'residential', 'suburb', 'neighbourhood', 'quarter', 'commercial', 'industrial', 'retail', 'railway') },
  field: { layer: 'landcover', filter: isOneOf('class', 'farmland') },
  grass: { layer: 'landcover', filter: isOneOf('class', 'grass', 'wetland') },
  ice: { layer: 'landcover', filter: isOneOf('class', 'ice') },
  sand: { layer: 'landcover', filter: isOneOf('class', 'sand') },
  wood: { layer: 'landcover', filter: isOneOf('class', 'wood', 'forest') },
  park: { layer: 'park' },
  water: { layer: 'water', filter: IS_AREA },
  waterway: { layer: 'waterway', filter: IS_LINE },
  building: { layer: 'building' },
  path: { layer: 'transportation', filter: isOneOf('class', 'path', 'track', 'pedestrian') },
  service: { layer: 'transportation', filter: isOneOf('class', 'service') },
  minor: { layer: 'transportation', filter: isOneOf('class', 'minor', 'tertiary', 'raceway', 'busway') },
  major: { layer: 'transportation', filter: isOneOf('class', 'trunk', 'primary', 'secondary') },
  motorway: { layer: 'transportation', filter: isOneOf('class', 'motorway') },
  rail: { layer: 'transportation', filter: isOneOf('class', 'rail', 'transit') },
  border: { layer: 'boundary', filter: all(LEVEL_2, not(MARITIME), not(DISPUTED)) },
  disputed: { layer: 'boundary', filter: all(LEVEL_2, not(MARITIME), DISPUTED) },
  division: { layer: 'boundary', filter: LEVEL_4 },
  roadName: { layer: 'transportation_name', filter: not(isOneOf('class', 'path', 'track')) },
  pathName: { layer: 'transportation_name', filter: isOneOf('class', 'path', 'track') },
  waterwayName: { layer: 'waterway', filter: IS_LINE },
  waterName: { layer: 'water_name', filter: IS_POINT },
  waterNameLine: { layer: 'water_name', filter: IS_LINE },
  houseNumber: { layer: 'housenumber' },
  part: { layer: 'place', filter: isOneOf('class', ...PARTS) },
  village: { layer: 'place', filter: isOneOf('class', ...VILLAGES) },
  town: { layer: 'place', filter: isOneOf('class', 'town') },
  city: { layer: 'place', filter: isOneOf('class', 'city') },
  state: { layer: 'place', filter: isOneOf('class', 'state', 'province') },
  country: { layer: 'place', filter: isOneOf('class', 'country') },
};

/** @type {Kinds} */
const PROTOMAPS = {
  urban: { layer: 'landuse', filter: isOneOf('kind', 'residential', 'commercial', 'industrial', 'railway', 'neighbourhood') },
  field: { layer: 'landuse', filter: isOneOf('kind', 'farmland', 'farmyard', 'orchard', 'vineyard', 'allotments', 'farm') },
  grass: { layer: 'landuse', filter: isOneOf('kind', 'grass', 'grassland', 'meadow', 'scrub', 'pitch', 'village_green', 'recreation_ground', 'wetland') },
  ice: { layer: 'landuse', filter: isOneOf('kind', 'glacier') },
  sand: { layer: 'landuse', filter: isOneOf('kind', 'sand', 'beach') },
  wood: { layer: 'landuse', filter: isOneOf('kind', 'wood', 'forest') },
  park: { layer: 'landuse', filter: isOneOf('kind', 'park', 'national_park', 'nature_reserve', 'protected_area', 'garden', 'golf_course', 'cemetery', 'zoo') },
  water: { layer: 'water', filter: IS_AREA },
  waterway: { layer: 'water', filter: IS_LINE },
  building: { layer: 'buildings', filter: all(IS_AREA, isOneOf('kind', 'building', 'building_part')) },
  path: { layer: 'roads', filter: all(isOneOf('kind', 'path')) },
  service: { layer: 'roads', filter: all(isOneOf('kind', 'minor_road'), isOneOf('kind_detail', 'service')) },
  minor: {
    layer: 'roads',
    filter: ['any', all(isOneOf('kind', 'minor_road'), not(isOneOf('kind_detail', 'service'))),
      all(isOneOf('kind', 'major_road'), isOneOf('kind_detail', ...withLinks('tertiary')))],
  },
  major: { layer: 'roads', filter: all(isOneOf('kind', 'major_road'), not(isOneOf('kind_detail', ...withLinks('tertiary')))) },
  motorway: { layer: 'roads', filter: isOneOf('kind', 'highway') },
  rail: { layer: 'roads', filter: isOneOf('kind', 'rail') },
  border: { layer: 'boundaries', filter: all(isOneOf('kind', 'country'), not(DISPUTED)) },
  disputed: { layer: 'boundaries', filter: all(isOneOf('kind', 'country'), DISPUTED) },
  division: { layer: 'boundaries', filter: isOneOf('kind', 'region') },
  roadName: { layer: 'roads', filter: isOneOf('kind', 'highway', 'major_road', 'minor_road') },
  pathName: { layer: 'roads', filter: isOneOf('kind', 'path') },
  waterwayName: { layer: 'water', filter: IS_LINE },
  waterName: { layer: 'water', filter: IS_POINT },
  houseNumber: { layer: 'buildings', filter: isOneOf('kind', 'address') },
  part: { layer: 'places', filter: isOneOf('kind', 'neighbourhood', 'macrohood') },
  village: { layer: 'places', filter: all(isOneOf('kind', 'locality'), isOneOf('kind_detail', ...VILLAGES)) },
  town: { layer: 'places', filter: all(isOneOf('kind', 'locality'), isOneOf('kind_detail', 'town')) },
  city: { layer: 'places', filter: all(isOneOf('kind', 'locality'), isOneOf('kind_detail', 'city')) },
  state: { layer: 'places', filter: isOneOf('kind', 'region') },
  country: { layer: 'places', filter: isOneOf('kind', 'country') },
};

const FOOT = ['footway', 'path', 'cycleway', 'bridleway', 'steps', 'pedestrian', 'track'];
const TRACKS = ['rail', 'light_rail', 'narrow_gauge', 'tram', 'subway', 'monorail', 'funicular'];

/** @type {Kinds} */
const SHORTBREAD = {
  urban: { layer: 'land', filter: isOneOf('kind', 'residential', 'commercial', 'industrial', 'retail', 'railway', 'garages') },
  field: { layer: 'land', filter: isOneOf('kind', 'farmland', 'farmyard', 'orchard', 'vineyard', 'allotments', 'greenhouse_horticulture', 'plant_nursery') },
  grass: { layer: 'land', filter: isOneOf('kind', 'grass', 'grassland', 'meadow', 'scrub', 'heath', 'village_green', 'recreation_ground', 'greenfield', 'marsh', 'swamp', 'bog', 'wet_meadow') },
  sand: { layer: 'land', filter: isOneOf('kind', 'sand', 'beach') },
  wood: { layer: 'land', filter: isOneOf('kind', 'forest', 'wood') },
  park: { layer: 'land', filter: isOneOf('kind', 'park', 'garden', 'golf_course', 'cemetery', 'grave_yard', 'playground', 'miniature_golf') },
  ice: { layer: 'water_polygons', filter: isOneOf('kind', 'glacier') },
  sea: { layer: 'ocean' },
  water: { layer: 'water_polygons', filter: not(isOneOf('kind', 'glacier')) },
  waterway: { layer: 'water_lines' },
  building: { layer: 'buildings' },
  path: { layer: 'streets', filter: isOneOf('kind', ...FOOT) },
  service: { layer: 'streets', filter: isOneOf('kind', 'service') },
  minor: { layer: 'streets', filter: isOneOf('kind', 'tertiary', 'unclassified', 'residential', 'living_street', 'busway', 'road') },
  major: { layer: 'streets', filter: isOneOf('kind', 'trunk', 'primary', 'secondary') },
  motorway: { layer: 'streets', filter: isOneOf('kind', 'motorway') },
  rail: { layer: 'streets', filter: isOneOf('kind', ...TRACKS) },
  border: { layer: 'boundaries', filter: all(LEVEL_2, not(MARITIME), not(DISPUTED)) },
  disputed: { layer: 'boundaries', filter: all(LEVEL_2, not(MARITIME), DISPUTED) },
  division: { layer: 'boundaries', filter: LEVEL_4 },
  roadName: { layer: 'street_labels', filter: not(isOneOf('kind', ...FOOT)) },
  pathName: { layer: 'street_labels', filter: isOneOf('kind', ...FOOT) },
  waterwayName: { layer: 'water_lines_labels' },
  waterName: { layer: 'water_polygons_labels' },
  houseNumber: { layer: 'addresses' },
  part: { layer: 'place_labels', filter: isOneOf('kind', ...PARTS) },
  village: { layer: 'place_labels', filter: isOneOf('kind', ...VILLAGES) },
  town: { layer: 'place_labels', filter: isOneOf('kind', 'town') },
  city: { layer: 'place_labels', filter: isOneOf('kind', 'city', 'capital', 'state_capital') },
};

/** @type {Record<Schema, Kinds>} */
export const SCHEMAS = { openmaptiles: OPENMAPTILES, protomaps: PROTOMAPS, shortbread: SHORTBREAD };

/** The fields that hold a house's number, in any of them. */
export const HOUSE_NUMBER = ['coalesce', ['get', 'housenumber'], ['get', 'addr_housenumber'], ''];
