import { Best } from './best.ts';
import { IdRows } from './id-rows.ts';
import { type MemoryBudget, RowSpace } from './row-space.ts';

/** A clip, and how close it is: a cosine. */
export interface Near {
  id: string;
  closeness: number;
}

/** Vectors of one space and kind, each with the clip it is of. */
export class Shelf {
  readonly #ids = new IdRows();
  readonly #dimensions: number;
  readonly #space: RowSpace;

  /** @param path of a file for what has no room in memory */
  constructor(dimensions: number, budget: MemoryBudget, path: string) {
    this.#dimensions = dimensions;
    this.#space = new RowSpace(dimensions, budget, path);
  }

  close(): void {
    this.#space.close();
  }

  get count(): number {
    return this.#ids.count;
  }

  /** Takes the place of the one before. @returns false for one of another length than the others: it is not taken */
  put(id: string, vector: Float32Array): boolean {
    if (vector.length !== this.#dimensions) return false;
    this.#space.write(this.#ids.rowOf(id) ?? this.#ids.append(id), vector);
    return true;
  }

  remove(id: string): void {
    const row = this.#ids.rowOf(id);
    if (row === undefined) return;
    const last = this.#ids.count - 1;
    if (row !== last) this.#space.copy(last, row);
    this.#ids.remove(row);
  }

  /** The nearest of each query, the nearest first. @param queries as long as the others are @param except ids that are passed over */
  nearest(queries: readonly Float32Array[], count: number, except: readonly string[]): Near[][] {
    const ids = this.#ids;
    const passed = new Set(except.map((id) => ids.rowOf(id)));
    const best = queries.map(() => new Best(count, (row, other) => ids.idOf(row) < ids.idOf(other)));
    this.#space.scan(queries, ids.count, (query, from, scores) => {
      const found = best[query] as Best;
      for (let at = 0; at < scores.length; at++) {
        const score = scores[at] as number;
        if (score >= found.least && !passed.has(from + at)) found.offer(from + at, score);
      }
    });
    return best.map(({ rows, scores }) =>
      rows.map((row, at) => ({ id: ids.idOf(row), closeness: Math.max(-1, Math.min(1, scores[at] as number)) })),
    );
  }
}
