// @ts-check
// The colors of the base map. Land, sea, parks, main roads, buildings and names are fixed by contrast: see look's table.

export const LIGHT = {
  land: '#f5f3ec', water: '#a9d1e6', waterEdge: '#8fbdd6', ice: '#ffffff', urban: '#ece7df', park: '#c6dfb9', wood: '#c6dfb9', grass: '#d7e9c9',
  field: '#eef0dc', sand: '#f3e9c8', building: '#e3dccf', buildingEdge: '#d3cabb', minor: '#ffffff', minorCasing: '#d9d2c5',
  major: '#fbdf9b', majorCasing: '#e2b95c', motorway: '#f6c67c', path: '#c9a58f', rail: '#a9a39b',
  border: '#9b8fab', division: '#cfc6d4', name: '#454b53', place: '#363d45', country: '#574d68', state: '#6a6178',
  halo: 'rgba(255,255,255,0.9)', waterName: '#28597b', waterHalo: 'rgba(255,255,255,0.55)', number: '#5f574c', imageBrightness: 1,
};

export const DARK = {
  land: '#1d242b', water: '#0e3a52', waterEdge: '#164a66', ice: '#333e49', urban: '#222a32', park: '#1b3026', wood: '#1b3026', grass: '#1f2f29',
  field: '#20292b', sand: '#2c2c26', building: '#2b343d', buildingEdge: '#363f49', minor: '#3b4650', minorCasing: '#171d23',
  major: '#56636f', majorCasing: '#232b33', motorway: '#64717d', path: '#59605f', rail: '#4d565f',
  border: '#7b7391', division: '#454655', name: '#c6d0d8', place: '#dbe3ea', country: '#b9b2cc', state: '#a39db3',
  halo: 'rgba(22,28,34,0.9)', waterName: '#8cc0dc', waterHalo: 'rgba(14,40,56,0.7)', number: '#9aa6b0', imageBrightness: 0.72,
};

/** @typedef {typeof LIGHT} Colors */
