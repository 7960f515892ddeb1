import { describe, expect, it } from 'vitest';
import { owedAtEnd } from '../../../src-main/credits/ending.ts';
import { refusalMessage } from '../../../src-main/mesh/inference/refusal-message.ts';
import { ERROR_CODES, QuarryError } from '../../../src-preload/contract/errors.ts';

const NOTHING = { paid: 0, used: 0, fault: false };

describe('a request that ended without a receipt', () => {
  it.each(ERROR_CODES)('by %s of its worker is judged by that as its client judges what it hears of it', (code) => {
    const told = refusalMessage('', new QuarryError({ code, message: code })).code;
    for (const sent of [undefined, 0, 300])
      expect(owedAtEnd({ by: 'worker', code, sent }, 3)).toEqual(owedAtEnd({ by: 'worker', code: told, sent }, 3));
  });

  it.each(ERROR_CODES)('by %s of its client costs what was pledged: its worker can do nothing about it', (code) => {
    expect(owedAtEnd({ by: 'client', code, sent: 300 }, 2).paid).toBe(2);
    expect(owedAtEnd({ by: 'client', code, sent: 0 }, 1).paid).toBe(0);
  });

  it.each(['ENGINE_CRASHED', 'ENGINE_UNAVAILABLE', 'INTERNAL', 'OUT_OF_MEMORY', 'DISK_FULL'] as const)(
    'by %s is its worker’s own fault, and costs nothing',
    (code) => expect(owedAtEnd({ by: 'worker', code, sent: 300 }, 3)).toEqual({ ...NOTHING, fault: true }),
  );

  it.each(['NOT_RUNNING', 'OVERLOADED', 'QUEUE_FULL', 'RATE_LIMIT'] as const)(
    'by %s costs nothing: its worker had no room after all',
    (code) => expect(owedAtEnd({ by: 'worker', code, sent: 300 }, 3)).toEqual(NOTHING),
  );

  it.each(['BAD_REQUEST', 'CONTEXT_TOO_LONG', 'MODEL_NOT_FOUND'] as const)(
    'by %s is owed by nobody, and uses up what was sent',
    (code) => expect(owedAtEnd({ by: 'worker', code, sent: 300 }, 2)).toEqual({ ...NOTHING, used: 3 }),
  );

  it.each([
    ['still waited', undefined, 1, 0, 0],
    ['was read, and nothing came', 0, 1, 0, 1],
    ['was read before anything was signed for', 0, 0, 0, 1],
    ['broke off within its first window', 200, 1, 1, 2],
    ['broke off later', 300, 2, 2, 3],
    ['was signed for to its end', 300, 3, 3, 3],
  ])('that %s', (_, sent, pledged, paid, used) =>
    expect(owedAtEnd({ by: 'worker', code: 'CANCELLED', sent }, pledged)).toEqual({ paid, used, fault: false }),
  );

  it.each([
    [0, 0, 0],
    [1, 0, 1],
    [2, 2, 2],
    [7, 7, 7],
  ])('because a process died that had written down a pledge of %i is owed %i and uses up %i', (pledged, paid, used) => {
    for (const by of ['worker', 'client'] as const)
      expect(owedAtEnd({ by, code: 'DIED' }, pledged)).toEqual({ paid, used, fault: false });
  });
});
