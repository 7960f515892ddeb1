import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEALTH_STATES } from '../../../../src-main/hardware/health-score.ts';
import { CoolDown } from '../../../../src-main/mesh/asking/cool-down.ts';
import { Experience } from '../../../../src-main/mesh/asking/experience.ts';
import {
  beginsAtOnce,
  type Candidate,
  claimedOf,
  expectedMs,
  isEligible,
  isIdle,
  selectWorker,
} from '../../../../src-main/mesh/asking/selection.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';

interface Traits {
  id?: string;
  score?: number;
  waiting?: number;
  running?: number;
  capacity?: number;
  rttMs?: number | undefined;
  state?: Candidate['selfReport']['health']['state'];
  ready?: boolean;
  models?: string[];
  /** That it says that its models take to be loaded. Default: they are in memory. */
  loadMs?: number;
  /** Of the file of its models. Default: it declares none. */
  sha256?: string;
}

function candidate(traits: Traits): Candidate {
  const { id = 'x', score = 80, waiting = 0, running = 0, capacity = 10, models = ['m'], ready = true } = traits;
  return {
    id,
    rttMs: traits.rttMs,
    selfReport: {
      ready,
      health: { score, state: traits.state ?? 'light', capacity: 100 },
      queue: { waiting, running, parallel: 2, capacity },
      models: models.map((name) => ({
        ...{ name, contextSize: 1, loadMs: traits.loadMs },
        ...(traits.sha256 && { sha256: traits.sha256 }),
      })),
    },
  };
}

const NOW = 1_000_000;
const LONG_AGO = NOW - 700_000;
const wanted = { model: 'm', tried: new Set<string>() };
const free = claimedOf(candidate({}).selfReport, 'm');
/** Chance that explores nobody, and chance that does. */
const ALMOST_NEVER = () => 0;
const EXPLORING = () => 0.95;

const choose = (all: Candidate[], known = new Experience(), random = ALMOST_NEVER) =>
  selectWorker(all, wanted, known, NOW, random);
const chosen = (...args: Parameters<typeof choose>) => choose(...args)?.id;

/** Who answered, with a first token after so many milliseconds. */
function knowing(answers: Record<string, number>): Experience {
  const known = new Experience();
  for (const [id, firstTokenMs] of Object.entries(answers)) answered(known, id, firstTokenMs);
  return known;
}

function answered(known: Experience, id: string, firstTokenMs: number, at = NOW): void {
  const result = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, queuedMs: 0, tokensPerSecond: 0 };
  known.answered(id, free, { ...result, firstTokenMs, totalMs: firstTokenMs }, at);
}

function failed(known: Experience, id: string, at = NOW): void {
  known.failed(id, free, new QuarryError({ code: 'WORKER_LOST', message: 'silent' }), at, 60_000);
}

const SHA256 = 'ab'.repeat(32);

describe('selection among those who declare the file of their model and those who do not', () => {
  const silent = candidate({ id: 'silent' });
  const declares = candidate({ id: 'declares', sha256: SHA256 });
  const chances = Array.from({ length: 20 }, (_, each) => each / 20);
  const everyChance = (
    all: Candidate[],
    known = new Experience(),
    want: typeof wanted | { model: undefined } = wanted,
  ) => new Set(chances.map((chance) => selectWorker(all, { ...wanted, ...want }, known, NOW, () => chance)?.id));

  it('asks who declares it, of strangers and of those that are known, however fast the others are', () => {
    expect(everyChance([silent, declares])).toEqual(new Set(['declares']));
    expect(everyChance([silent, declares], knowing({ silent: 100, declares: 9_000 }))).toEqual(new Set(['declares']));
  });

  it('asks who declares none where nobody does, or those who do would have it wait or have no room', () => {
    expect(everyChance([silent])).toEqual(new Set(['silent']));
    expect(everyChance([silent, candidate({ id: 'busy', sha256: SHA256, running: 2 })])).toEqual(new Set(['silent']));
    const full = candidate({ id: 'full', sha256: SHA256, running: 2, waiting: 10 });
    expect(everyChance([candidate({ id: 'silent', running: 2 }), full])).toEqual(new Set(['silent']));
    const [busy, waits] = [{ running: 2 }, { running: 2, waiting: 3 }];
    const both = [candidate({ id: 'silent', ...busy }), candidate({ id: 'declares', sha256: SHA256, ...waits })];
    expect(everyChance(both)).toEqual(new Set(['declares']));
  });

  it('asks one that is known to work rather than a stranger who declares, and learns about that one now and then', () => {
    const known = knowing({ silent: 300 });
    expect(chosen([silent, declares], known)).toBe('silent');
    expect(chosen([silent, candidate({ id: 'other' }), declares], known, EXPLORING)).toBe('declares');
  });

  it('makes no difference where any model will do, or the file is of another one', () => {
    expect(everyChance([silent, declares], new Experience(), { model: undefined })).toEqual(
      new Set(['silent', 'declares']),
    );
    const other = {
      ...declares.selfReport,
      models: [
        { name: 'm', contextSize: 1 },
        { name: 'n', contextSize: 1, sha256: SHA256 },
      ],
    };
    expect(everyChance([silent, { ...declares, selfReport: other }])).toEqual(new Set(['silent', 'declares']));
  });
});

describe('selection among those who have the model in memory and those who would have to load it', () => {
  it('asks who has it in memory, of strangers and of those that are known', () => {
    const [loads, has] = [candidate({ id: 'loads', loadMs: 1 }), candidate({ id: 'has' })];
    expect(chosen([loads, has])).toBe('has');
    expect(chosen([loads, has], knowing({ loads: 10, has: 9_000 }))).toBe('has');
    expect(beginsAtOnce(loads.selfReport, 'm')).toBe(false);
    expect(beginsAtOnce(loads.selfReport, undefined)).toBe(true);
  });

  it('of those who would have to load it, asks who says that it is sooner; one that waits for others may be sooner still', () => {
    const [slow, quick] = [candidate({ id: 'slow', loadMs: 30_000 }), candidate({ id: 'quick', loadMs: 3_000 })];
    expect(chosen([slow, quick])).toBe('quick');
    const waits = candidate({ id: 'waits', running: 2, waiting: 1 });
    const known = knowing({ slow: 100, quick: 100, waits: 100 });
    expect(chosen([slow, waits], known)).toBe('waits');
    expect(chosen([slow, waits], knowing({ slow: 100 }))).toBe('waits');
  });

  it('takes more than some minutes for no more than these, so that sums stay sums', () => {
    const liar = candidate({ id: 'liar', loadMs: 3_600_000 });
    expect(claimedOf(liar.selfReport, 'm').loadMs).toBe(300_000);
    expect(chosen([liar])).toBe('liar');
    expect(chosen([liar, candidate({ id: 'honest', loadMs: 200_000 })])).toBe('honest');
  });

  it('waits as long as loading was said to take, twice, and no longer than it is told then', () => {
    const known = new Experience();
    const claimed = (loadMs: number) => claimedOf(candidate({ loadMs }).selfReport, 'm');
    const longest = (loadMs: number, etaMs: number) =>
      known.longestQueueMs('x', claimed(loadMs), { position: 0, etaMs });
    expect([longest(20_000, 20_000), longest(20_000, 5_000), longest(0, 9_000)]).toEqual([40_000, 10_000, 0]);
    expect(longest(3_600_000, 3_600_000)).toBe(300_000);
  });

  it('does not take loading for a slow worker', () => {
    const known = new Experience();
    const result = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, tokensPerSecond: 0 };
    const loads = claimedOf(candidate({ loadMs: 20_000 }).selfReport, 'm');
    known.answered('x', loads, { ...result, queuedMs: 19_000, firstTokenMs: 19_100, totalMs: 19_100 }, NOW);
    expect(known.serviceMs('x')).toBeLessThan(100 + 128 * 40);
    known.answered('y', free, { ...result, queuedMs: 19_000, firstTokenMs: 19_100, totalMs: 19_100 }, NOW);
    expect(known.serviceMs('y')).toBeGreaterThan(19_000);
  });
});

describe('selection', () => {
  it('prefers a worker that is known to work to strangers, whatever they claim', () => {
    const [works, claims] = [candidate({ id: 'works', score: 1 }), candidate({ id: 'claims', score: 100, rttMs: 1 })];
    expect(chosen([claims, works], knowing({ works: 3_000 }))).toBe('works');
  });

  it('prefers the one that was fastest here', () => {
    const all = ['slow', 'fast', 'middling'].map((id) => candidate({ id }));
    expect(chosen(all, knowing({ slow: 30_000, fast: 200, middling: 15_000 }))).toBe('fast');
  });

  it('prefers the one that answers more often', () => {
    const known = knowing({ steady: 2_000, fickle: 2_000 });
    for (let count = 0; count < 5; count++) answered(known, 'steady', 2_000);
    failed(known, 'fickle', LONG_AGO);
    expect(chosen([candidate({ id: 'fickle' }), candidate({ id: 'steady' })], known)).toBe('steady');
  });

  it('asks a free stranger rather than wait long for a worker that is known', () => {
    const known = knowing({ works: 3_000 });
    for (let count = 0; count < 5; count++) answered(known, 'works', 3_000);
    const queued = (waiting: number) => candidate({ id: 'works', running: 2, waiting });
    expect(chosen([queued(9), candidate({ id: 'free' })], known)).toBe('free');
    expect(chosen([queued(0), candidate({ id: 'free' })], known)).toBe('works');
  });

  it('leaves strangers to chance, unless the way there makes a difference', () => {
    const twins = ['a', 'b', 'c', 'd'].map((id, index) => candidate({ id, score: 25 * index, rttMs: 10 * index }));
    const chances = [0, 0.3, 0.6, 0.99];
    expect(chances.map((random) => chosen(twins, new Experience(), () => random))).toEqual(['a', 'b', 'c', 'd']);
    expect(chosen([candidate({ id: 'far', rttMs: 8_000 }), candidate({ id: 'near' })])).toBe('near');
  });

  it('learns about a stranger now and then', () => {
    const all = [candidate({ id: 'works' }), candidate({ id: 'stranger' })];
    const known = knowing({ works: 300 });
    const choices = Array.from({ length: 1_000 }, (_, index) => chosen(all, known, () => index / 1_000));
    const share = choices.filter((id) => id === 'stranger').length / 1_000;
    expect([share >= 0.05, share <= 0.1]).toEqual([true, true]);
  });

  it('looks again at one that failed only when that is long ago', () => {
    const all = [candidate({ id: 'works' }), candidate({ id: 'failed' })];
    const lately = knowing({ works: 300 });
    failed(lately, 'failed', NOW - 400_000);
    expect(chosen(all, lately, EXPLORING)).toBe('works');
    const past = knowing({ works: 300 });
    failed(past, 'failed', LONG_AGO);
    expect(chosen(all, past, EXPLORING)).toBe('failed');
  });

  it('spreads requests over those that are about as fast', () => {
    const all = ['a', 'b', 'c'].map((id) => candidate({ id }));
    const known = knowing({ a: 3_000, b: 3_100, c: 3_200 });
    expect(new Set([0, 0.4, 0.7].map((random) => chosen(all, known, () => random)))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('comes back to those tried or cooling down when there is nobody else', () => {
    const known = knowing({ tried: 300 });
    failed(known, 'cooling');
    const [tried, cooling] = [candidate({ id: 'tried' }), candidate({ id: 'cooling' })];
    const choice = (all: Candidate[]) =>
      selectWorker(all, { model: 'm', tried: new Set(['tried']) }, known, NOW, ALMOST_NEVER)?.id;
    expect(choice([tried, cooling, candidate({ id: 'other' })])).toBe('other');
    expect(choice([tried, cooling])).toBe('cooling');
    expect(choice([tried])).toBe('tried');
  });

  it('waits for one that is full rather than ask one again that has just failed', () => {
    const known = new Experience();
    failed(known, 'failed');
    const choice = (all: Candidate[]) =>
      selectWorker(all, { model: 'm', tried: new Set(['failed', 'busy']) }, known, NOW, ALMOST_NEVER)?.id;
    const full = candidate({ id: 'full', running: 2, waiting: 10 });
    expect(choice([candidate({ id: 'failed' })])).toBe('failed');
    expect(choice([candidate({ id: 'failed' }), full])).toBeUndefined();
    expect(choice([candidate({ id: 'failed' }), full, candidate({ id: 'busy' })])).toBe('busy');
  });

  it.each([
    ['is not ready', { ready: false }],
    ['is overloaded', { state: 'overloaded' as const }],
    ['has no room', { running: 2, waiting: 10 }],
    ['has another model', { models: ['other'] }],
  ])('never chooses a worker that %s', (_, traits) => {
    expect(chosen([candidate(traits)])).toBeUndefined();
  });

  it('always chooses an eligible one, a free one if one is known to work, and about the soonest', () => {
    const traits = fc.record({
      id: fc.uuid(),
      score: fc.integer({ min: 0, max: 100 }),
      waiting: fc.nat(12),
      running: fc.nat(3),
      rttMs: fc.option(fc.nat(300), { nil: undefined }),
      state: fc.constantFrom(...HEALTH_STATES),
      ready: fc.boolean(),
      models: fc.subarray(['m', 'n']),
      firstTokenMs: fc.option(fc.nat(20_000), { nil: undefined }),
    });
    const random = fc.double({ min: 0, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(fc.array(traits), random, (all, chance) => {
        const candidates = all.map(candidate);
        const known = new Experience();
        for (const { id, firstTokenMs } of all) if (firstTokenMs !== undefined) answered(known, id, firstTokenMs);
        const eligible = candidates.filter(({ selfReport }) => isEligible(selfReport, 'm'));
        const choice = choose(candidates, known, () => chance);
        if (!choice) {
          expect(eligible).toEqual([]);
          return;
        }
        expect(eligible).toContain(choice);
        const idle = eligible.filter(({ selfReport }) => isIdle(selfReport.queue));
        const proven = idle.filter(({ id }) => known.works(id));
        const pool = proven.length > 0 ? proven : [choice];
        expect(pool).toContain(choice);
        const soonest = Math.min(...pool.map((each) => expectedMs(each, known)));
        expect(expectedMs(choice, known)).toBeLessThanOrEqual(1.25 * soonest + 1e-6);
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
