import type { DataRecord } from './columns.ts';

/** How many rows have what, by its value. */
export type Counts = Record<string, number>;

/** What is summed up of the rows of a file, so that nobody has to read it again for the card. */
export interface ShardFacts {
  seconds: number;
  licences: Counts;
  sources: Counts;
  describers: Counts;
  spaces: Counts;
}

export const noFacts = (): ShardFacts => ({ seconds: 0, licences: {}, sources: {}, describers: {}, spaces: {} });

/** Adds one row. */
export function addRecord(facts: ShardFacts, record: DataRecord): void {
  facts.seconds += Number(record.end_time) - Number(record.start_time);
  count(facts.licences, record.licence);
  count(facts.sources, record.source);
  count(facts.describers, record.described_by);
  count(facts.spaces, record.space);
}

/** All files together. */
export function addFacts(all: readonly ShardFacts[]): ShardFacts {
  const sum = noFacts();
  for (const facts of all) {
    sum.seconds += facts.seconds;
    for (const name of ['licences', 'sources', 'describers', 'spaces'] as const) {
      for (const [value, rows] of Object.entries(facts[name])) sum[name][value] = (sum[name][value] ?? 0) + rows;
    }
  }
  return sum;
}

function count(counts: Counts, value: unknown): void {
  if (typeof value === 'string') counts[value] = (counts[value] ?? 0) + 1;
}
