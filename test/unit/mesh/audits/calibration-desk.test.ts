import { describe, expect, it, onTestFinished } from 'vitest';
import type { InferenceBackend } from '../../../../src-main/inference/backend.ts';
import { CALIBRATION_ANSWERS } from '../../../../src-main/inference/verified/calibrate.ts';
import { CALIBRATION_PROBES } from '../../../../src-main/inference/verified/honest-probes.ts';
import { CalibrationDesk, type LoadedModel } from '../../../../src-main/mesh/audits/calibration-desk.ts';
import { InferenceAuditStore } from '../../../../src-main/store/mesh/inference-audits.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { testLog } from '../../../support/mesh-node.ts';

const MODEL = 'ab'.repeat(32);
const TOKENS = 64;
const chance = { id: 1, token: 'a', bytes: [97], logprob: -0.1 };
const alike = <T>(value: T): T[] => Array.from({ length: TOKENS }, () => value);

/** A model of one token, which says it again and again. @param before awaited before each answer, of which it is told the number */
function oneToken(before: (answer: number) => Promise<void> | void = () => {}) {
  let answers = 0;
  const generate: InferenceBackend['generate'] = async function* (_request, options) {
    await before(++answers);
    options?.signal?.throwIfAborted();
    yield { type: 'done', evidence: alike({ id: 1, logprob: -0.1, top: [[1, -0.1]] }) } as never;
  };
  const score = async () => ({ tokens: alike({ ...chance, top: [chance] }), totalLogprob: -6.4 });
  return { generate, score, tokenize: async () => [1] };
}

async function opened(backend: LoadedModel['backend'] = oneToken(), failure?: QuarryError) {
  const store = new InferenceAuditStore(await memoryDatabase());
  const seen: string[] = [];
  let [inUse, time] = [0, 0];
  const desk = new CalibrationDesk({
    load: async () => {
      if (failure) throw failure;
      inUse++;
      return {
        name: 'tiny',
        device: 'cpu',
        sha256: MODEL,
        vocabulary: 100,
        backend,
        [Symbol.dispose]: () => void inUse--,
      };
    },
    store,
    onChange: () => void seen.push(`${desk.run?.state} ${desk.run?.done}`),
    now: () => (time += 500),
    log: testLog,
  });
  onTestFinished(() => desk.close());
  const ended = (state: string) => expect.poll(() => desk.run?.state).toBe(state);
  return { desk, store, seen, ended, inUse: () => inUse };
}

describe('a calibration', () => {
  it('tells how far it is and how long it takes, and is kept by its file', async () => {
    const lefts: (number | null | undefined)[] = [];
    const { desk, store, seen, ended, inUse } = await opened(oneToken(() => void lefts.push(desk.run?.secondsLeft)));
    expect(desk.run).toBeUndefined();
    desk.begin();
    expect(desk.run).toMatchObject({
      state: 'loading',
      name: null,
      done: 0,
      of: CALIBRATION_ANSWERS + CALIBRATION_PROBES,
    });
    await ended('done');
    expect(seen.slice(0, 4)).toEqual(['loading 0', 'running 0', 'running 1', 'running 2']);
    expect(desk.run).toMatchObject({ name: 'tiny', model: MODEL, done: CALIBRATION_ANSWERS, secondsLeft: null });
    expect(lefts[0]).toBeNull();
    expect(lefts.at(-1)).toBeGreaterThan(0);
    expect(await store.calibrations()).toMatchObject([{ model: MODEL, name: 'tiny', answers: CALIBRATION_ANSWERS }]);
    expect(inUse()).toBe(0);
  });

  it('measures what the model says to bare tokens, too, where it can be asked for that', async () => {
    const evidence = alike({ id: 1, logprob: -0.1, top: [[1, -0.1]] });
    const probe = async () => ({ tokens: alike(1), evidence }) as never;
    const { desk, store, ended } = await opened({ ...oneToken(), probe });
    desk.begin();
    await ended('done');
    const all = CALIBRATION_ANSWERS + CALIBRATION_PROBES;
    expect(desk.run).toMatchObject({ done: all, of: all });
    const [row] = await store.calibrations();
    const top = expect.closeTo(0.9 * 1.7, 6);
    expect(JSON.parse(row?.thresholds ?? '')).toMatchObject({ 32: { top }, probes: { 32: { top } } });
  });

  it('is one at a time, whoever asks', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { desk, seen, ended } = await opened(oneToken(() => promise));
    desk.begin();
    desk.begin();
    resolve();
    await ended('done');
    expect(seen.filter((one) => one === 'loading 0')).toHaveLength(1);
  });

  it('that is cancelled leaves nothing, and another one may begin', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { desk, store, ended, inUse } = await opened(
      oneToken((answer) => {
        if (answer < 7) return;
        reached.resolve();
        return goOn.promise;
      }),
    );
    desk.begin();
    await reached.promise;
    const cancelled = desk.cancel();
    goOn.resolve();
    await cancelled;
    expect(desk.run).toMatchObject({ state: 'cancelled', secondsLeft: null });
    expect([await store.calibrations(), inUse()]).toEqual([[], 0]);
    desk.begin();
    await ended('done');
    expect(await store.calibrations()).toHaveLength(1);
  });

  it('that fails says why, and keeps nothing', async () => {
    const failure = new QuarryError({ code: 'NOT_RUNNING', message: 'no engine', hint: 'have one' });
    const { desk, store, ended } = await opened(oneToken(), failure);
    desk.begin();
    await ended('failed');
    expect(desk.run?.error).toMatchObject({ code: 'NOT_RUNNING', message: 'no engine', hint: 'have one' });
    expect(await store.calibrations()).toEqual([]);
  });
});
