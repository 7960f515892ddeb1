import { describe, expect, it } from 'vitest';
import type { Served } from '../../../../src-main/credits/credits.ts';
import {
  NO_SCORE,
  PAIR_CAP_A_DAY,
  PROTOCOL_EPOCH,
  ScoreReplay,
  scoreFailure,
  scoreReceipt,
} from '../../../../src-main/credits/score/score.ts';
import { DAY, NOON, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';

const worker = testIdentity(1);
const MINUTE = 60_000;

/** Serves `count` requests, each for another client unless one is named. */
function serve(
  replay: ScoreReplay,
  count: number,
  over: (index: number) => Partial<Served> & { clientNumber?: number } = () => ({}),
) {
  const earned: string[] = [];
  for (let index = 0; index < count; index++) {
    const { clientNumber = 1_000 + (index % 200), ...rest } = over(index);
    const { body } = signedReceipt(worker, testIdentity(clientNumber), { processingMs: 2_500, ...rest });
    earned.push(...replay.receipt(body).achievements.map(({ id }) => id));
  }
  return earned;
}

describe('a receipt', () => {
  it('adds its points', () => {
    const step = scoreReceipt(
      { ...NO_SCORE, achievements: ['first-light'] },
      signedReceipt(worker, testIdentity(2)).body,
      0,
    );
    expect(step).toMatchObject({ counted: 10, reason: undefined, state: { total: 10, served: 1, streak: 1, fast: 1 } });
  });

  it('counts for nothing after twenty others between the same two keys that day', () => {
    const replay = new ScoreReplay();
    serve(replay, PAIR_CAP_A_DAY, () => ({ clientNumber: 2 }));
    const before = replay.state.total;
    const step = replay.receipt(signedReceipt(worker, testIdentity(2)).body);
    expect(step).toMatchObject({ counted: 0, reason: 'pair-cap' });
    expect(replay.state.total).toBe(before);
  });

  it('counts again on the next UTC day', () => {
    const replay = new ScoreReplay();
    serve(replay, PAIR_CAP_A_DAY, () => ({ clientNumber: 2 }));
    const midnight = Math.ceil(NOON / DAY) * DAY;
    expect(replay.receipt(signedReceipt(worker, testIdentity(2), { servedAt: midnight - 1 }).body).counted).toBe(0);
    expect(replay.receipt(signedReceipt(worker, testIdentity(2), { servedAt: midnight }).body).counted).toBe(10);
  });

  it('counts for nothing a week behind the newest, so that days cannot be filled up afterwards', () => {
    const replay = new ScoreReplay();
    serve(replay, 1);
    const late = signedReceipt(worker, testIdentity(2), { servedAt: NOON - 7 * DAY });
    const tooLate = signedReceipt(worker, testIdentity(2), { servedAt: NOON - 7 * DAY - 1 });
    expect(replay.receipt(late.body).counted).toBe(10);
    expect(replay.receipt(tooLate.body)).toMatchObject({ counted: 0, reason: 'too-old' });
  });

  it('counts for nothing when it is older than the protocol', () => {
    const { body } = signedReceipt(worker, testIdentity(2), { servedAt: PROTOCOL_EPOCH - 1 });
    expect(scoreReceipt(NO_SCORE, body, 0)).toMatchObject({ counted: 0, reason: 'too-old', state: { total: 0 } });
  });
});

describe('a failure', () => {
  it('costs a point and ends the streak', () => {
    expect(scoreFailure({ ...NO_SCORE, total: 7, streak: 3 })).toMatchObject({ total: 6, streak: 0 });
  });

  it('leaves a total of nothing as it is', () => expect(scoreFailure(NO_SCORE).total).toBe(0));
});

describe('achievements', () => {
  it('the first request is First Light', () => {
    const replay = new ScoreReplay();
    expect(serve(replay, 1)).toEqual(['first-light']);
    expect(replay.state.total).toBe(7 + 5);
  });

  it('ten requests in under two seconds are a Speed Demon, worth 20', () => {
    const replay = new ScoreReplay();
    const slow = serve(replay, 20, () => ({ processingMs: 2_000 }));
    const nine = serve(replay, 9, () => ({ processingMs: 1_999 }));
    expect([...slow, ...nine]).not.toContain('speed-demon');
    const before = replay.state.total;
    expect(serve(replay, 1, () => ({ processingMs: 1_999 }))).toEqual(['speed-demon']);
    expect(replay.state.total).toBe(before + 8 + 20);
  });

  it('fifty in a row are a Perfectionist, and a failure starts the count again', () => {
    const replay = new ScoreReplay();
    serve(replay, 49);
    replay.failure();
    expect(serve(replay, 49)).not.toContain('perfectionist');
    expect(serve(replay, 1)).toContain('perfectionist');
  });

  it('a hundred make a Centurion, two hundred in a row a Marksman, a thousand a Veteran', () => {
    const replay = new ScoreReplay();
    expect(serve(replay, 99)).not.toContain('centurion');
    expect(serve(replay, 1)).toEqual(['centurion']);
    expect(serve(replay, 100)).toEqual(['marksman']);
    expect(serve(replay, 800)).toEqual(['veteran']);
  });

  it('an hour of serving without a long gap makes a Marathoner, eight hours a Night Owl', () => {
    const replay = new ScoreReplay();
    const every = (minutes: number) => (index: number) => ({ servedAt: NOON + index * minutes * MINUTE });
    expect(serve(replay, 8, every(10))).toContain('marathoner');
    expect(serve(new ScoreReplay(), 20, every(11))).not.toContain('marathoner');
    expect(serve(new ScoreReplay(), 48, every(10))).not.toContain('night-owl');
    expect(serve(new ScoreReplay(), 49, every(10))).toContain('night-owl');
  });

  it('three models make a Polyglot', () => {
    const replay = new ScoreReplay();
    expect(serve(replay, 4, (index) => ({ model: `model-${index % 2}` }))).not.toContain('polyglot');
    expect(serve(replay, 1, () => ({ model: 'a third' }))).toEqual(['polyglot']);
  });

  it('come once', () => {
    const replay = new ScoreReplay();
    const earned = serve(replay, 300, () => ({ processingMs: 100 }));
    expect(new Set(earned).size).toBe(earned.length);
  });
});
