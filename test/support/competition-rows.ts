import type { RoundRow } from '../../src-main/store/competition/competition-tables.ts';

/** Rows of a competition’s tables, as they are before anything has happened to them. */
export const roundRow = (number: number, changes: Partial<RoundRow> = {}): RoundRow => ({
  ...{ server: 'server', number, state: 'open', opened_at: 1, ends_at: 100, closed_at: null, ended_at: null },
  ...{ opened_block: 1, closed_block: null, seed: 'a'.repeat(64), seed_sha256: 'b'.repeat(64), baselines: '[]' },
  ...{ carried: 0, record: null, signature: null, ...changes },
});

export const submission = (number: number, changes: object = {}) => ({
  ...{ number, id: `${number}`.padStart(32, '0'), hotkey: 'ann', commitment: `c${number}`, track: 'kernel', round: 1 },
  ...{
    counts_in: 1,
    committed_at: number,
    committed_block: number,
    reveal_block: number + 100,
    clock: 'local' as const,
  },
  ...{ receipt: 'r', ...changes },
});
export const FACTS = {
  tokens: 300_000,
  sha256: 'd'.repeat(64),
  bytes: 10,
  salt: 'e'.repeat(64),
  revealed_at: 5,
  revealed_block: 101,
};
export const idOf = (number: number) => `${number}`.padStart(32, '0');
