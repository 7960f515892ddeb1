import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEALTH_STATES } from '../../../../src-main/hardware/health-score.ts';
import { CoolDown } from '../../../../src-main/mesh/asking/cool-down.ts';
import {
  busyScore,
  type Candidate,
  idleScore,
  isEligible,
  isIdle,
  selectWorker,
} from '../../../../src-main/mesh/asking/selection.ts';

interface Traits {
  id?: string;
  score?: number;
  waiting?: number;
  running?: number;
  capacity?: number;
  avgMs?: number;
  rttMs?: number;
  successRate?: number;
  state?: Candidate['status']['health']['state'];
  ready?: boolean;
  models?: string[];
}

function candidate(traits: Traits): Candidate {
  const { id = 'x', score = 80, waiting = 0, running = 0, capacity = 10, models = ['m'], ready = true } = traits;
  return {
    id,
    rttMs: traits.rttMs,
    successRate: traits.successRate,
    status: {
      ready,
      health: { score, state: traits.state ?? 'light', capacity: 100 },
      queue: { waiting, running, parallel: 2, capacity },
      avgMs: traits.avgMs,
      models: models.map((name) => ({ name, contextSize: 1 })),
    },
  };
}

const chosen = (candidates: Candidate[], random = () => 0) => selectWorker(candidates, 'm', random)?.id;

describe('selection', () => {
  it('prefers an idle worker to any busy one', () => {
    const idle = candidate({ id: 'idle', score: 10, running: 1 });
    const busy = candidate({ id: 'busy', score: 100, running: 2 });
    expect(chosen([busy, idle])).toBe('idle');
  });

  it('weighs idle workers by 70 % health and 30 % response time', () => {
    expect(idleScore(candidate({ score: 100, avgMs: 0 }))).toBeCloseTo(100);
    expect(idleScore(candidate({ score: 50, avgMs: 5_000 }))).toBeCloseTo(50);
    expect(idleScore(candidate({ score: 100, avgMs: 60_000 }))).toBeCloseTo(70);
    expect(idleScore(candidate({ score: 100 }))).toBeCloseTo(85);
  });

  it('weighs busy workers by 60 % room, 30 % health and 10 % success', () => {
    expect(busyScore(candidate({ score: 100, waiting: 0, successRate: 1 }))).toBeCloseTo(100);
    expect(busyScore(candidate({ score: 50, waiting: 5, successRate: 0 }))).toBeCloseTo(45);
    expect(busyScore(candidate({ score: 0, waiting: 10 }))).toBeCloseTo(5);
  });

  it('gives a tie to the shorter way, then to chance', () => {
    const near = candidate({ id: 'near', rttMs: 5 });
    const far = candidate({ id: 'far', rttMs: 50 });
    const unknown = candidate({ id: 'unknown' });
    expect(chosen([unknown, far, near])).toBe('near');
    const twins = ['a', 'b', 'c', 'd'].map((id) => candidate({ id }));
    expect([0, 0.3, 0.6, 0.99].map((random) => chosen(twins, () => random))).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['is not ready', { ready: false }],
    ['is overloaded', { state: 'overloaded' as const }],
    ['has no room', { running: 2, waiting: 10 }],
    ['has another model', { models: ['other'] }],
  ])('never chooses a worker that %s', (_, traits) => {
    expect(chosen([candidate(traits)])).toBeUndefined();
  });

  it('always chooses an eligible one, and no better one is left', () => {
    const traits = fc.record({
      id: fc.uuid(),
      score: fc.integer({ min: 0, max: 100 }),
      waiting: fc.nat(12),
      running: fc.nat(3),
      avgMs: fc.option(fc.nat(20_000), { nil: undefined }),
      rttMs: fc.option(fc.nat(300), { nil: undefined }),
      successRate: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      state: fc.constantFrom(...HEALTH_STATES),
      ready: fc.boolean(),
      models: fc.subarray(['m', 'n']),
    });
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.array(traits), random, (all, chance) => {
        const candidates = all.map(candidate);
        const eligible = candidates.filter((each) => isEligible(each, 'm'));
        const idle = eligible.filter(({ status }) => isIdle(status));
        const choice = selectWorker(candidates, 'm', () => chance);
        if (!choice) {
          expect(eligible).toEqual([]);
          return;
        }
        const [pool, score] = idle.length > 0 ? [idle, idleScore] : [eligible, busyScore];
        expect(pool).toContain(choice);
        expect(score(choice)).toBeGreaterThanOrEqual(Math.max(...pool.map(score)) - 1e-6);
      }),
    );
  });
});

describe('cooling down', () => {
  it('leaves a failing worker alone for 15 s, then twice as long each time, up to five minutes', () => {
    const coolDown = new CoolDown();
    const lengths = Array.from({ length: 7 }, () => coolDown.failed('x', 0) / 1_000);
    expect(lengths).toEqual([15, 30, 60, 120, 240, 300, 300]);
    expect([coolDown.isCooling('x', 299_999), coolDown.isCooling('x', 300_000)]).toEqual([true, false]);
  });

  it('starts anew after a success, and does not count a busy worker as failing', () => {
    const coolDown = new CoolDown();
    coolDown.failed('x', 0);
    coolDown.succeeded('x');
    expect(coolDown.isCooling('x', 1)).toBe(false);
    coolDown.busy('x', 500);
    expect([coolDown.isCooling('x', 499), coolDown.isCooling('x', 500)]).toEqual([true, false]);
    expect(coolDown.failed('x', 1_000)).toBe(16_000);
  });
});
