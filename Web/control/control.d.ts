// What the control panel gets and sends, as Documentation/objects.md and rest.md have it. Types only: nothing of this is
// served.

export type FieldType = 'text' | 'number' | 'date' | 'boolean' | 'json' | 'reference' | 'location';

export interface Field { name: string; type: FieldType; required?: boolean; entity?: string }

export interface Entity {
  name: string; readers: 'anyone' | 'members' | 'owners'; fields: Field[];
  count: number; created: number; updated: number;
}

export interface Place { latitude?: number; longitude?: number; altitude?: number; address?: string }

export interface StoredObject {
  id: string; entity: string; created: number; updated: number; fields: Record<string, any>;
}

export interface Candidate {
  name: string; label: string; kind: string; latitude: number; longitude: number;
  extent?: { south: number; west: number; north: number; east: number };
  source: string; attribution: string;
}

/** A schema while it is edited. `before` is the field as the server has it. */
export interface DraftField {
  key: string; name: string; type: FieldType; required: boolean; entity: string; before?: Field;
}

export interface Draft { name: string; readers: Entity['readers']; fields: DraftField[] }

/** A condition while it is edited. */
export interface Condition { field: string; operator: string; value: string }

/** What an edited value comes to: JSON as it goes over the wire, nothing (`empty`), or what is wrong with it. */
export interface ReadValue { json?: string; empty?: boolean; problem?: string }

/** A control in a form. */
export interface FieldControl {
  root: HTMLElement;
  read(): ReadValue;
  isChanged(): boolean;
  refuse(problem: string): void;
  focus(): void;
  close?(): void;
}

export interface View { root: HTMLElement; title: string; isChanged?: () => boolean; close?: () => void }

export interface Column { name: string; field?: string; part?: string }

export interface ImportReport {
  rows: number; created: number; changed: number; unchanged: number; refused: number; renamed: number;
  columns: Column[];
  errors: { row: number; code: string; message: string }[];
  objects?: { row: number; fields: Record<string, any> }[];
}
