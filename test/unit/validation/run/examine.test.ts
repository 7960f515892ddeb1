import { beforeEach, describe, expect, it } from 'vitest';
import { sat } from '../../../../src-main/subnets/affine/sat/sat.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';
import type { AskOptions } from '../../../../src-main/validation/run/examine.ts';
import { askBy, NotReached } from '../../../../src-main/validation/run/miner.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { examine, minerOf } from '../../../support/asked-miner.ts';
import { solve } from '../../../support/solver.ts';

const challenge = await pose(sat, 'easy', 'a seed');
const PATIENCE = { maxTokens: 100, timeoutMs: 1_000, retries: 2 };
const waits: number[] = [];
const wait = async (ms = 0) => void waits.push(ms);
const how = (signal = new AbortController().signal) => ({
  signal,
  random: () => 0.5,
  wait: wait as AskOptions['wait'] & {},
});
const away = (retryable: boolean) => new QuarryError({ code: 'WORKER_LOST', message: 'It is away.', retryable });

beforeEach(() => {
  waits.length = 0;
});

it('is worth what its answer is', async () => {
  const right = await examine(
    challenge,
    minerOf('m', async ({ prompt }) => solve(prompt)),
    PATIENCE,
    how(),
  );
  expect(right).toMatchObject({ score: 1, attempts: 1, error: null, reason: { key: 'affine.sat.solved' } });
  const wrong = await examine(
    challenge,
    minerOf('m', async () => 'UNSAT'),
    PATIENCE,
    how(),
  );
  expect(wrong).toMatchObject({ score: 0, answer: 'UNSAT', error: null });
});

it('is asked again where no answer came for a reason that may pass, and so often at most', async () => {
  let asked = 0;
  const late = minerOf('m', async ({ prompt }) => {
    if (++asked < 3) throw away(true);
    return solve(prompt);
  });
  expect(await examine(challenge, late, PATIENCE, how())).toMatchObject({ score: 1, attempts: 3 });
  expect(waits).toEqual([1_000, 2_000]);
  const never = minerOf('m', async () => Promise.reject(away(true)));
  const told = await examine(challenge, never, PATIENCE, how());
  expect(told).toMatchObject({ answer: null, score: 0, attempts: 3, error: { message: 'It is away.' } });
});

it('is asked once where it refuses for good', async () => {
  const never = minerOf('m', async () => Promise.reject(away(false)));
  expect(await examine(challenge, never, PATIENCE, how())).toMatchObject({ answer: null, attempts: 1 });
});

describe('who names a time after which it may be asked again', () => {
  const busy = (retryAfterMs: number) =>
    new QuarryError({ code: 'OVERLOADED', message: 'It is busy.', retryable: true, retryAfterMs });

  it('is asked again then', async () => {
    const errors = [busy(7_000)];
    const miner = minerOf('m', async ({ prompt }) => {
      const error = errors.shift();
      if (error) throw error;
      return solve(prompt);
    });
    expect(await examine(challenge, miner, PATIENCE, how())).toMatchObject({ score: 1, attempts: 2 });
    expect(waits).toEqual([7_000]);
  });

  it('is not asked before, and its question waits for nothing longer than half a minute', async () => {
    const wanted: number[] = [];
    const rest = { wants: (ms: number) => void wanted.push(ms), leftMs: () => 0 };
    const miner = minerOf('m', async () => Promise.reject(busy(45_000)));
    const told = await examine(challenge, miner, PATIENCE, { ...how(), rest });
    expect(told).toMatchObject({ answer: null, score: 0, attempts: 1 });
    expect([waits, wanted]).toEqual([[], [45_000]]);
  });

  it('is not asked before either where it named it to another question', async () => {
    const miner = minerOf('m', async () => Promise.reject(away(true)));
    const rest = { wants: () => {}, leftMs: () => 20_000 };
    await examine(challenge, miner, { ...PATIENCE, retries: 1 }, { ...how(), rest });
    expect(waits).toEqual([20_000]);
  });
});

it('is nobody’s answer where the validator ends', async () => {
  const ending = new AbortController();
  const slow = minerOf('m', async ({ signal }) => {
    ending.abort(new Error('the end'));
    throw signal.reason;
  });
  await expect(examine(challenge, slow, PATIENCE, how(ending.signal))).rejects.toThrow('the end');
});

describe('a question', () => {
  const unreached = (retryable = true) => new NotReached(away(retryable));
  const asks = (...errors: QuarryError[]) => minerOf('m', async () => Promise.reject(errors.shift()));

  it('that reached its miner once has reached it, whatever kept the other tries from that', async () => {
    const told = await examine(challenge, asks(unreached(), away(true), unreached(), unreached()), PATIENCE, how());
    expect(told).toMatchObject({ answer: null, attempts: 3 });
    expect(told.error).not.toBeInstanceOf(NotReached);
    const never = await examine(challenge, asks(unreached(), unreached(), unreached()), PATIENCE, how());
    expect(never.error).toBeInstanceOf(NotReached);
  });

  it('counts as having reached its miner from the moment at which the way says so', async () => {
    const lost = away(true);
    const told = async (way: (onSent: () => void) => Promise<string>) => askBy(way).catch((error: unknown) => error);
    expect(await told(async () => 'an answer')).toBe('an answer');
    expect(await told(async () => Promise.reject(lost))).toMatchObject({ ...lost.toJSON(), name: 'QuarryError' });
    expect(await told(async () => Promise.reject(lost))).toBeInstanceOf(NotReached);
    const sent = async (onSent: () => void) => {
      onSent();
      throw lost;
    };
    expect(await told(sent)).toBe(lost);
    const own = new QuarryError({ code: 'CANCELLED', message: 'Closed.' });
    const givenUp = async (onSent: () => void) => {
      onSent();
      throw own;
    };
    expect(await told(givenUp)).toBeInstanceOf(NotReached);
  });
});
