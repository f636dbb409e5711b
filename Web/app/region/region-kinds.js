// @ts-check
/** @typedef {import('../wire.d.ts').ObjectLocation} ObjectLocation */
/** @typedef {import('../wire.d.ts').PlacedObject} PlacedObject */
/** @typedef {import('../wire.d.ts').MovedObject} MovedObject */
/** @typedef {import('../wire.d.ts').PlacedPerson} PlacedPerson */

/**
 * Objects by their id. The answer to a subscription says which field holds the location.
 * @param {string} [field] the location field, where it is known before
 * @returns {import('../wire.d.ts').RegionKind<PlacedObject, MovedObject>}
 */
export function objectKind(field) {
  return {
    field,
    key: ({ id }) => id,
    place(object) {
      const { latitude, longitude } = locationOf(object, this.field) ?? {};
      return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
    },
    moved(object, { latitude, longitude, altitude, updated }) {
      if (this.field === undefined) return object;
      const { altitude: _, ...rest } = object.fields[this.field] ?? {};
      const location = { ...rest, latitude, longitude, ...(altitude === undefined ? {} : { altitude }) };
      return { ...object, updated, fields: { ...object.fields, [this.field]: location } };
    },
  };
}

/**
 * People by chat and user: somebody is there once for each chat that one shares with them.
 * @type {import('../wire.d.ts').RegionKind<PlacedPerson, PlacedPerson>}
 */
export const personKind = {
  key: ({ chat, user }) => `${chat}/${user}`,
  place: (person) => person,
  moved: ({ name }, moved) => (name === undefined ? { ...moved } : { ...moved, name }),
};

/**
 * What stands in an object's location field.
 * @param {PlacedObject} object
 * @param {string | undefined} field
 * @returns {ObjectLocation | undefined}
 */
export function locationOf(object, field) {
  return field === undefined ? undefined : object.fields[field];
}
