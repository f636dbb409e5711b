// What goes over the wire, as Documentation/stream.md and rest.md have it. Types only: nothing of this is served.

export interface User { id: string; name: string; email?: string; avatar?: string }

export interface Participant {
  user: string; role: 'owner' | 'member'; color: number; present: boolean;
  name: string; email?: string; avatar?: string;
}

export interface Chat {
  id: string; oneToOne: boolean; subject?: string; created: number; first: number; last: number;
  participants: Participant[];
}

export interface Message {
  chat: string; number?: number; sender: string; tag: string; content: string;
  data?: any; time: number; expires?: number; recalled?: boolean;
}

export interface Pin { pin: string; at?: string }

export interface Frame { type: string; [field: string]: any }

export interface Refusal { code: string; message: string; retryAfter?: number }

/** What a subscription calls. `since` says where to go on after a reconnect. */
export interface Subscriber {
  answer(frame: Frame, isFirst: boolean): void;
  change(frame: Frame): void;
  ended?(refusal: Refusal): void;
  since?(): number | undefined;
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
