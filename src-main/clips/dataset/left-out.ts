import { type SayingKey, say, told } from '../../../src-preload/contract/saying.ts';
import type { Sentence } from '../../../src-preload/contract/saying-schema.ts';
import type { ClipShardStore } from '../../store/clips/clip-shards.ts';
import { mayBePassedOn } from '../sources/licences.ts';
import type { RowsOf } from './shards/shard-orders.ts';

/** Why a row is in no file. */
const REASONS = {
  takenDown: 'dataSet.takenDown',
  licence: 'dataSet.licence',
  inFile: 'dataSet.inFile',
} as const satisfies Record<string, SayingKey>;
type Reason = keyof typeof REASONS;

/** Rows that are left out, counted by why. */
export class LeftOut {
  readonly #store: Pick<ClipShardStore, 'isTakenDown' | 'inFiles'>;
  readonly #counts = new Map<Reason, number>();
  /** Of one export: a video has many clips. */
  readonly #takenDown = new Map<string, boolean>();

  constructor(store: Pick<ClipShardStore, 'isTakenDown' | 'inFiles'>) {
    this.#store = store;
  }

  /** Those that may be given away, and are not yet. */
  async sort(some: RowsOf): Promise<RowsOf['rows']> {
    const clips = some.rows.map(({ clip }) => clip);
    const inFiles = await this.#store.inFiles(some.kind, clips);
    const left: RowsOf['rows'] = [];
    for (const row of some.rows) {
      const reason = await this.#reason(row, inFiles);
      if (reason) this.add(reason);
      else {
        inFiles.add(row.clip); // whoever gives it twice
        (left as (typeof row)[]).push(row);
      }
    }
    return left;
  }

  add(reason: Reason, rows = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + rows);
  }

  list(): { why: Sentence; rows: number }[] {
    return [...this.#counts].map(([reason, rows]) => ({ why: told({ text: say(REASONS[reason]) }), rows }));
  }

  async #reason(row: RowsOf['rows'][number], inFiles: ReadonlySet<string>): Promise<Reason | undefined> {
    if (inFiles.has(row.clip)) return 'inFile';
    if (!mayBePassedOn(row.licence)) return 'licence';
    return (await this.#isTakenDown(row)) ? 'takenDown' : undefined;
  }

  async #isTakenDown({ source, id }: RowsOf['rows'][number]): Promise<boolean> {
    const key = `${source} ${id}`;
    const isTakenDown = this.#takenDown.get(key) ?? (await this.#store.isTakenDown({ source, id }));
    this.#takenDown.set(key, isTakenDown);
    return isTakenDown;
  }
}
