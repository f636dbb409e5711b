// What goes over the wire, as Documentation/stream.md and rest.md have it. Types only: nothing of this is served.

export interface User { id: string; name: string; email?: string; avatar?: string; hue?: number }

export interface Participant {
  user: string; role: 'owner' | 'member'; color: number; present: boolean;
  name: string; email?: string; avatar?: string; hue?: number;
}

export interface Chat {
  id: string; oneToOne: boolean; subject?: string; created: number; first: number; last: number;
  participants: Participant[];
  /** Whether only owners may change the subject. */
  subjectLocked?: boolean;
  /** How long positions are kept; absent for 30 days. */
  positions?: 'day' | 'year' | 'forever';
  /** The last activity: the list's order. Servers before it was counted don't say it, nor what follows. */
  active?: number;
  /** How many messages people wrote, how far the reader has read, and how many written ones that is. */
  written?: number; read?: number; readWritten?: number;
  preview?: Preview;
  /** How far others have read, where they show it. */
  reads?: { [user: string]: number };
}

/** The newest written message of a chat, cut to what a list shows. */
export interface Preview { number: number; sender: string; tag: string; content: string; time: number; expires?: number }

export interface Message {
  chat: string; number?: number; sender: string; tag: string; content: string;
  data?: any; time: number; expires?: number; recalled?: boolean;
  /** Which of the chat's written messages it is, from 1. */
  written?: number;
}

export interface Pin { pin: string; at?: string }

export interface Frame { type: string; [field: string]: any }

export interface Refusal { code: string; message: string; retryAfter?: number }

/**
 * What a subscription calls. `since` says where to go on after a reconnect, `resume` what else to ask with each time. `lost` is
 * called when nothing comes for now, as the connection is gone or the server has refused it with a code that may pass; `ended`
 * once, with a code that is final.
 */
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
  /** Why the server refused it for good, which the worker noted. */
  refusal?: { code: string; message: string };
}

export interface MapPin {
  key: string; latitude: number; longitude: number; color: string; initials: string;
  name: string; email?: string; time?: number; avatar?: string; own: boolean;
  state: FreshnessState;
  /** What stands behind the name below the pin. */
  age?: string;
  /** In meters. */
  accuracy?: number;
  /** In degrees from north, of somebody who moves. */
  course?: number;
  /** A dot in place of a pin: the reader, who is or isn't seen at the moment. */
  dot?: 'quiet' | 'sharing';
  /** A ring in place of a dot, where somebody stayed: what stands beside it. */
  ring?: string;
  /** Of one of all positions: which one it is of those that one dot stands for, the newest first, from 1. */
  pile?: { at: number; of: number };
  /** What the callout says besides. */
  person?: PersonNow;
}

/** From the freshest to what is over; a server may know more. */
export type FreshnessState = 'live' | 'slow' | 'stale' | 'offline' | 'paused' | 'ended';

/** How fresh a share is, and what becomes of it by itself if nothing more is heard. */
export interface Freshness {
  state: FreshnessState; cause?: string; asOf: number; since?: number; gap?: number; battery?: number; charging?: boolean;
  changes?: { at: number; state: FreshnessState }[];
}

/** Somebody's position on its way into a chat, as the server keeps it. */
export interface Share {
  share: string; chat: string; user: string; started: number; until: number | null;
  arrival?: { latitude: number; longitude: number; radius: number }; keep: 'kept' | 'expiring'; freshness: Freshness;
}

/** Where somebody stands in a chat at this moment. */
export interface PersonNow {
  state: FreshnessState; cause?: string;
  /** When they were last heard of at their place. */
  heard: number;
  /** Since when they stand there. */
  since?: number;
  /** When the person's last share ended, and whether by arriving. */
  until?: number;
  arrived?: boolean;
  /** The same of the share that the position belongs to. */
  pinEnd?: { time: number, arrived: boolean };
  gap?: number; battery?: number; charging?: boolean;
  speed?: number; course?: number; accuracy?: number;
  /** Whether a position of theirs is known. */
  isPlaced: boolean;
  /** Whether the server would have said that they are heard of again. */
  isCurrent: boolean;
  /** Whether nothing of them is shown any more. */
  isGone: boolean;
  share?: Share;
}

/** A line; with `pieces` drawn as these, else as one. */
export interface MapTrail { key: string; color: string; points: [number, number][]; pieces?: MapTrailPiece[] }

/** A part of a line; `isGap`: nothing was heard in between. */
export interface MapTrailPiece { points: [number, number][]; opacity: number; width: number; isGap?: boolean }

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
