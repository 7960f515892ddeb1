import type { Generated } from 'kysely';
import { bytesOf, numbersOf } from '../../base/packed-numbers.ts';
import type { Db } from '../database.ts';

/** What a vector is of: the task as somebody wrote it, or what a model saw. */
export const VECTOR_KINDS = ['task', 'description'] as const;
export type VectorKind = (typeof VECTOR_KINDS)[number];

interface VectorRow {
  id: Generated<number>;
  recording: string;
  kind: VectorKind;
  /** What made it: model, its file’s hash, and what is done to a text before. Vectors of different spaces say nothing beside each other. */
  space: string;
  /** Numbers of four bytes, of length 1 together. */
  vector: Buffer;
}

export interface FocusVectorTables {
  focus_vectors: VectorRow;
}

export const FOCUS_VECTORS = [
  `CREATE TABLE focus_vectors (
    id INTEGER PRIMARY KEY,
    recording TEXT NOT NULL REFERENCES focus_recordings (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    space TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (recording, kind, space)
  ) STRICT`,
  'CREATE INDEX focus_vectors_by_space ON focus_vectors (space, kind, id)',
];

export interface StoredVector {
  id: number;
  recording: string;
  vector: Float32Array;
}

/** What texts of recordings mean, as vectors. */
export class FocusVectorStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Takes the place of one that is there. */
  async keep(about: Pick<VectorRow, 'recording' | 'kind' | 'space'>, vector: Float32Array): Promise<void> {
    const bytes = bytesOf(vector);
    await this.#db
      .insertInto('focus_vectors')
      .values({ ...about, vector: bytes })
      .onConflict((conflict) => conflict.columns(['recording', 'kind', 'space']).doUpdateSet({ vector: bytes }))
      .execute();
  }

  /** Of one space and kind, in the order of their ids. @param after id behind which to go on; 0 for the beginning */
  async page(
    { space, kind }: Pick<VectorRow, 'space' | 'kind'>,
    after: number,
    limit: number,
  ): Promise<StoredVector[]> {
    const rows = this.#db
      .selectFrom('focus_vectors')
      .select(['id', 'recording', 'vector'])
      .where('space', '=', space)
      .where('kind', '=', kind)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit);
    return (await rows.execute()).map(({ vector, ...row }) => ({
      ...row,
      vector: numbersOf(vector),
    }));
  }
}
