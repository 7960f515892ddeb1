import type { Near } from './shelf.ts';

/** Vectors are kept apart by what made them and what they are of: those of two spaces say nothing beside each other. */
export interface ShelfName<Kind extends string = string> {
  space: string;
  /** What of a clip it is of: its pictures, its sound, its description. */
  kind: Kind;
}

/** What the thread does. Vectors that belong together stand one behind the other in one array, which it takes over. */
export type IndexOrder =
  | { what: 'put'; shelf: string; ids: string[]; vectors: Float32Array }
  | { what: 'remove'; shelf: string; ids: string[] }
  | { what: 'nearest'; shelf: string; queries: number; vectors: Float32Array; count: number; except: string[] };

export interface IndexAnswer {
  /** For each query; nothing for another order. */
  found: Near[][];
  /** Vectors of another length than those before them: they were not taken. */
  refused: number;
}

/** What the thread is started with. */
export interface IndexThreadData {
  folder: string;
  memoryBytes: number;
}
