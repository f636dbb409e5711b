// What goes over the wire, as Documentation/stream.md and rest.md have it. Types only: nothing of this is served.

export interface User { id: string; name: string; email?: string; avatar?: string }

export interface Participant {
  user: string; role: 'owner' | 'member'; color: number; present: boolean;
  name: string; email?: string; avatar?: string;
}

export interface Chat {
  id: string; oneToOne: boolean; subject?: string; created: number; first: number; last: number;
  participants: Participant[];
  /** The last activity: the list's order. Servers before it was counted don't say it, nor what follows. */
  active?: number;
}

export interface Message {
  chat: string; number?: number; sender: string; tag: string; content: string;
  data?: any; time: number; expires?: number; recalled?: boolean;
}

export interface Pin { pin: string; at?: string }

export interface Frame { type: string; [field: string]: any }

export interface Refusal { code: string; message: string; retryAfter?: number }

/** What a subscription calls. `since` says where to go on after a reconnect, `resume` what else to ask with each time. */
export interface Subscriber {
  answer(frame: Frame, isFirst: boolean): void;
  change(frame: Frame): void;
  ended?(refusal: Refusal): void;
  since?(): number | undefined;
  resume?(): Record<string, unknown>;
  lost?(): void;
}

/** Where this device is. Latitude and longitude as they are sent: strings of six decimals. */
export interface Fix {
  latitude: string; longitude: string; time: number;
  accuracy?: number; altitude?: number; altitudeAccuracy?: number; course?: number; speed?: number;
}

/** A message that waits until the server has it. */
export interface Unsent {
  key: string; user: string; chat: string; tag: string; content: string; data?: any; time: number;
}

export interface MapPin {
  key: string; latitude: number; longitude: number; color: string; initials: string;
  name: string; email?: string; time?: number; dimmed: boolean; avatar?: string; own: boolean;
}

export interface MapTrail { key: string; color: string; points: [number, number][] }

/** A part of the map, in degrees. West above east crosses the antimeridian; −180…180 is all around. */
export interface Region { south: number; west: number; north: number; east: number }

export interface Place { latitude: number; longitude: number }

/** What stands in a location field. Without a coordinate it has an address and isn't on the map. */
export interface ObjectLocation { latitude?: number; longitude?: number; altitude?: number; address?: string }

/** An object, as REST and live regions have it. */
export interface PlacedObject {
  id: string; entity: string; created: number; updated: number; fields: { [name: string]: any };
}

export interface MovedObject extends Place { id: string; altitude?: number; updated: number }

/** Somebody in a chat that one shares with them, at their last position there. */
export interface PlacedPerson extends Place {
  chat: string; user: string; name?: string; number: number; time: number;
  altitude?: number; horizontalAccuracy?: number; verticalAccuracy?: number; course?: number; speed?: number;
}

/** What is to know of a kind of things in a region. */
export interface RegionKind<Item, Moved> {
  /** The field that holds the location, once that is known. */
  field?: string;
  key(item: Item | Moved): string;
  place(item: Item): Place | undefined;
  /** The same thing elsewhere. */
  moved(item: Item, moved: Moved): Item;
}

/** What a frame did to a region's list; `gone` are those of `left` that didn't just fall out of view. */
export interface RegionChange<Item> {
  entered: Item[]; changed: Item[]; moved: Item[]; left: string[]; gone: string[];
}

/** What is in a region: some of it, and how many there are. */
export interface RegionAnswer<Item> { region: Region; limit: number; total: number; items: Item[] }

/** `cached`: out of what is kept here. `number` grows with each look at the map. */
export interface ShownAnswer<Item> extends RegionAnswer<Item> { number: number; cached: boolean }

export type RegionPolicy = 'remoteOnly' | 'localOnly' | 'localThenRemote' | 'localOrRemote' | 'remoteAndStore';

/** What is to be done next for a region query. */
export type RegionAction<Item> =
  | { kind: 'wait'; until: number }
  | { kind: 'ask'; number: number; region: Region; limit: number }
  | { kind: 'show'; answer: ShownAnswer<Item> }
  | { kind: 'fail'; number: number; refusal: Refusal };

/** An object on the map, what it stands for, and which of its fields holds its location. */
export interface ObjectAnnotation extends Place {
  key: string; title?: string; subtitle?: string; object: PlacedObject; field: string;
}

/** A kind of objects, as Documentation/objects.md has it. */
export interface Entity {
  name: string; readers: 'anyone' | 'members' | 'owners'; fields: EntityField[]; count: number; created: number; updated: number;
}

export interface EntityField {
  name: string; type: 'text' | 'number' | 'date' | 'boolean' | 'json' | 'reference' | 'location' | (string & {});
  required?: boolean; entity?: string;
}

/** A place as the map draws it, under a key that no person has. */
export interface MapPlace extends ObjectAnnotation { title: string; color: string; letter: string }
