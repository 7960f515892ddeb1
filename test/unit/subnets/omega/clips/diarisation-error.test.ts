import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { SpokenTurn } from '../../../../../src-main/clips/models/clip-models.ts';
import { diarisationError } from '../../../../../src-main/subnets/omega/clips/sound/diarisation-error.ts';

interface Case {
  reference: SpokenTurn[];
  found: SpokenTurn[];
  rate: number;
}
/** What pyannote.metrics finds: scripts/make-diarisation-vectors.py. */
const CASES: Case[] = (await readFile('test/fixtures/clips/diarisation.jsonl', 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const turn = (from: number, to: number, speaker = 'A'): SpokenTurn => ({ from, to, speaker });

describe('the diarisation error', () => {
  it('is what pyannote.metrics finds, in each of many cases', () => {
    expect(CASES).toHaveLength(200);
    for (const { reference, found, rate } of CASES)
      expect(diarisationError(reference, found).rate).toBeCloseTo(rate, 9);
  });

  it('is none for the same turns by other names', () => {
    const reference = [turn(0, 10), turn(10, 20, 'B'), turn(20, 30)];
    const found = [turn(0, 10, 'x'), turn(10, 20, 'A'), turn(20, 30, 'x')];
    expect(diarisationError(reference, found)).toEqual({ rate: 0, missed: 0, falseAlarm: 0, confused: 0, total: 30 });
  });

  it('says what is missed, too much, and mistaken', () => {
    const found = diarisationError([turn(0, 10), turn(10, 20, 'B')], [turn(0, 12), turn(15, 25, 'B')]);
    expect(found).toEqual({ rate: 0.5, missed: 3, falseAlarm: 5, confused: 2, total: 20 });
  });

  it('leaves out where speakers of the reference talk over each other', () => {
    expect(diarisationError([turn(0, 10), turn(5, 15, 'B')], [turn(0, 5), turn(10, 15, 'B')]).rate).toBe(0);
  });

  it('is whole where nobody speaks and somebody is found', () => {
    expect(diarisationError([], [turn(0, 1)]).rate).toBe(1);
    expect(diarisationError([], []).rate).toBe(0);
  });
});
