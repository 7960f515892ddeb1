import { describe, expect, it } from 'vitest';
import { say, told } from '../../../src-preload/contract/saying.ts';
import type { RivalView, WeighedView } from '../../../src-preload/contract/validator.ts';
import type { AskedMiner } from '../../../src-preload/contract/validator-run.ts';
import { shareAxis } from '../../../src-renderer/components/chart/share-axis.ts';
import { askedTasks } from '../../../src-renderer/pages/validator/asked-tasks.ts';
import { beginningOf } from '../../../src-renderer/pages/validator/challenges/beginning.ts';
import { filterNames } from '../../../src-renderer/pages/validator/challenges/filter-names.ts';
import { newerThan, outcomeOf } from '../../../src-renderer/pages/validator/challenges/outcome.ts';
import {
  layerParts,
  measured,
  missingOf,
  paceOf,
  timeToGo,
  whyOf,
} from '../../../src-renderer/pages/validator/leaderboard/standing.ts';
import { minerName } from '../../../src-renderer/pages/validator/miner-name.ts';
import { faultOfEndpoint, isReadable } from '../../../src-renderer/pages/validator/miners/endpoint-form.ts';
import { listMiners, standingOf } from '../../../src-renderer/pages/validator/miners/miner-list.ts';
import { lackingSetting } from '../../../src-renderer/pages/validator/weights/lacking-setting.ts';

describe('where a weight comes from', () => {
  it('is told by the set of all tasks, those with one less, and the smaller ones together', () => {
    const parts = layerParts({ points: [1, 5, 50, 500], sets: [1, 3, 2, 1], weight: 0.556 });
    expect(parts.map(({ layer, size, sets }) => [layer, size, sets])).toEqual([
      ['all', 4, 1],
      ['next', 3, 2],
      ['smaller', 2, 4],
    ]);
    expect(parts.map(({ share }) => share)).toEqual([0.5, 0.05, 0.006].map((share) => expect.closeTo(share, 6)));
  });

  it('leaves out what brought nothing, and says nothing where no set was won', () => {
    expect(layerParts({ points: [0, 10], sets: [0, 1], weight: 1 })).toEqual([
      { layer: 'all', size: 2, sets: 1, share: 1 },
    ]);
    expect(layerParts({ points: [3], sets: [1], weight: 1 })).toEqual([{ layer: 'all', size: 1, sets: 1, share: 1 }]);
    expect(layerParts({ points: [0, 0], sets: [0, 0], weight: 1 })).toEqual([]);
  });
});

describe('why a miner stands where it stands', () => {
  const why = (is: RivalView['compared'][number]['is'][], wasFirst = false, isEligible = true) => {
    const compared = is.map((word, at) => ({ environment: `task ${at}`, is: word }));
    return whyOf({ rival: { miner: 'rival', wasFirst, compared }, isEligible, copyOf: null }, true);
  };

  it.each([
    [['better', 'even', 'even'], false, 'ahead'],
    [['worse', 'even'], false, 'behind'],
    [['worse', 'better'], false, 'mixed'],
    [['even', 'even'], false, 'first'],
    [['even', 'even'], true, 'copy'],
  ] as const)('%s beside one that was first: %s, is «%s»', (is, wasFirst, key) => {
    expect(why([...is], wasFirst).key).toBe(key);
  });

  it('counts in how many tasks it is better and worse', () => {
    expect(why(['better', 'better', 'worse', 'even'])).toEqual({ key: 'mixed', better: 2, worse: 1 });
  });

  it('is another matter where it lacks results, or is alone', () => {
    expect(why(['better'], false, false).key).toBe('too-few');
    expect(whyOf({ rival: null, isEligible: true, copyOf: null }, true).key).toBe('alone');
    expect(whyOf({ rival: null, isEligible: false, copyOf: 'first' }, true).key).toBe('same-model');
  });
});

it('challenges are chosen by miner and task, also those of earlier that nobody asks any more', () => {
  const samples = [
    { miner: 'few', environment: 'sat (easy)', count: 3 },
    { miner: 'many', environment: 'sat (usual)', count: 4 },
    { miner: 'many', environment: 'elr:old', count: 4 },
  ];
  expect(filterNames(samples)).toEqual({ miners: ['many', 'few'], tasks: ['elr:old', 'sat'] });
});

describe('a setting that weights lack', () => {
  const set = { way: 'wallet', netuid: 7, by: 'main/default', fault: null } as const;
  const noSigner = told({ text: say('validation.weights.noSigner') });

  it.each([
    ['nothing where all is chosen', set, undefined],
    ['nothing where none are to be set', { ...set, way: 'off', netuid: null, by: null } as const, undefined],
    ['the subnet', { ...set, netuid: null }, 'subnet'],
    ['the wallet', { ...set, by: null }, 'wallet'],
    ['the signer', { ...set, way: 'signer', by: null } as const, 'signer'],
    ['the token of the signer', { ...set, way: 'signer', by: 'http://signer', fault: noSigner } as const, 'signer'],
  ])('is %s', (_, weights, lacking) => {
    expect(lackingSetting(weights)).toBe(lacking);
  });
});

describe('the time to go', () => {
  it('follows the pace of the last minutes', () => {
    expect(timeToGo(60, { own: 30, rise: 0, left: 0, spanMs: 600_000 })).toBe(1_200_000);
  });

  it('is longer where what is needed rises meanwhile, until that is at its end', () => {
    const pace = { own: 30, rise: 10, spanMs: 600_000 };
    expect(timeToGo(60, { ...pace, left: Number.POSITIVE_INFINITY })).toBe(1_800_000);
    expect(timeToGo(60, { ...pace, left: 15 })).toBe(1_500_000);
  });

  it.each([
    [30, 30],
    [30, 90],
  ])('never comes where a miner gets %d results while %d more are needed', (own, rise) => {
    const pace = { own, rise, spanMs: 600_000 };
    expect(timeToGo(60, { ...pace, left: Number.POSITIVE_INFINITY })).toBe('never');
    expect(timeToGo(60, { ...pace, left: 30 })).toBe(1_800_000);
  });

  it('looks at what a miner lacks, and at whoever has the most there', () => {
    const samples = [
      { miner: 'new', environment: 'sat', count: 8 },
      { miner: 'new', environment: 'hvm (easy)', count: 6 },
      { miner: 'new', environment: 'abd', count: 50 },
      { miner: 'busy', environment: 'sat', count: 20 },
      { miner: 'busy', environment: 'abd', count: 90 },
    ];
    const growing = [
      { environment: 'sat', miner: 'busy', share: 0.9, left: null },
      { environment: 'abd', miner: 'busy', share: 0.9, left: null },
    ];
    const pace = paceOf({ miner: 'new', missing: { sat: 12, hvm: 30 } }, growing, { samples, spanMs: 60_000 });
    expect(pace).toEqual({ own: 14, rise: 18, left: Number.POSITIVE_INFINITY, spanMs: 60_000 });
    expect(paceOf({ miner: 'new', missing: { hvm: 30 } }, growing, { samples, spanMs: 60_000 }).left).toBe(0);
  });

  it.each([
    [0, 30, 600_000],
    [60, 2, 600_000],
    [60, 30, 5_000],
  ])('is not known of %d missing at %d results in %d ms', (missing, recent, span) => {
    expect(timeToGo(missing, { own: recent, rise: 0, left: 0, spanMs: span })).toBeUndefined();
  });

  it('is of what all tasks lack together', () => {
    expect(missingOf({ missing: { sat: 12, hvm: 30 } })).toBe(42);
  });
});

it('a miner is measured in one task, or in all together, and not where it has nothing', () => {
  const sample = {
    environment: 'sat',
    version: '1',
    level: 'usual',
    miner: 'm',
    count: 4,
    mean: 0.5,
    low: 0.2,
    high: 0.8,
  };
  const overall = { count: 4, mean: 0.5, low: 0.2, high: 0.8 };
  const miner: Pick<WeighedView, 'overall' | 'samples'> = { overall, samples: [sample] };
  expect(measured(miner, 'sat')).toBe(sample);
  expect(measured(miner, 'hvm')).toBeUndefined();
  expect(measured(miner, undefined)).toBe(overall);
  expect(measured({ overall: { ...overall, count: 0 }, samples: [] }, undefined)).toBeUndefined();
});

describe('the axis of shares', () => {
  const ticks = (...intervals: [low: number, high: number][]) =>
    shareAxis(intervals.map(([low, high]) => ({ low, high }))).ticks;

  it('has round ends with room for everything', () => {
    expect(ticks([0.51, 0.57], [0.72, 0.79])).toEqual([0.4, 0.6, 0.8]);
    expect(ticks([0, 1])).toEqual([0, 0.5, 1]);
    expect(ticks([0.2, 0.6])).toEqual([0.2, 0.4, 0.6]);
  });

  it('is never too narrow to have a middle, nor leaves what a share can be', () => {
    expect(ticks([0.99, 1])).toEqual([0.6, 0.8, 1]);
    expect(ticks([0, 0.01])).toEqual([0, 0.2, 0.4]);
    expect(ticks()).toEqual([0, 0.2, 0.4]);
  });

  it('puts shares where they belong', () => {
    const { x } = shareAxis([{ low: 0.4, high: 0.8 }]);
    expect([0.4, 0.5, 0.8, 0.9].map(x)).toEqual(['0%', '25%', '100%', '100%']);
  });
});

describe('the list of miners', () => {
  const asked = (miner: string, more: Partial<AskedMiner> = {}): AskedMiner => ({
    ...{ miner, kind: 'mesh', model: 'm', uid: null, inFlight: 0, answered: 0, score: 0, failed: 0, notReached: 0 },
    ...{ heardAt: null, fault: null, ...more },
  });
  const endpoint = (name: string) => ({ name, url: 'http://127.0.0.1:1/v1', model: '', hasKey: false, hotkey: null });

  it('has those with addresses of their own, with how it goes, then the others by their answers', () => {
    const own = asked('endpoint/a', { kind: 'endpoint', answered: 3 });
    const list = listMiners([endpoint('a'), endpoint('b')], [asked('x'), own, asked('y', { answered: 9 })], []);
    expect(list.map(({ id }) => id)).toEqual(['endpoint/a', 'endpoint/b', 'y', 'x']);
    expect(list.map((one) => one.asked?.answered)).toEqual([3, undefined, 9, 0]);
  });

  it('has none that was removed and is still told of', () => {
    const hotkeys = [{ miner: 'endpoint/gone', hotkey: '5G' }];
    expect(listMiners([], [asked('endpoint/gone', { kind: 'endpoint' })], hotkeys)).toEqual([]);
  });

  it('tells which hotkey stands for whom, also for a worker that is not asked now', () => {
    const hotkeys = ['endpoint/a', 'x', 'away'].map((miner) => ({ miner, hotkey: `5${miner}` }));
    const list = listMiners([endpoint('a'), endpoint('b')], [asked('x'), asked('y')], hotkeys);
    expect(list.map(({ id, hotkey }) => [id, hotkey])).toEqual([
      ['endpoint/a', '5endpoint/a'],
      ['endpoint/b', undefined],
      ['x', '5x'],
      ['y', undefined],
      ['away', '5away'],
    ]);
    expect(list.at(-1)).toMatchObject({ kind: 'mesh', asked: undefined });
  });

  it('says how each stands', () => {
    const fault = { text: 'away', said: undefined };
    expect(standingOf({ asked: undefined })).toBe('off');
    expect(standingOf({ asked: asked('x') })).toBe('new');
    expect(standingOf({ asked: asked('x', { inFlight: 1 }) })).toBe('asked');
    expect(standingOf({ asked: asked('x', { inFlight: 1, heardAt: 1 }) })).toBe('answers');
    expect(standingOf({ asked: asked('x', { heardAt: 1, fault }) })).toBe('fails');
  });
});

describe('what is typed of a miner', () => {
  const url = 'http://host:8000/v1';

  it.each([
    [{ name: '', url }, 'noName'],
    [{ name: 'two words', url }, 'badName'],
    [{ name: 'there', url }, 'taken'],
    [{ name: 'new', url: 'host:8000' }, 'badUrl'],
    [{ name: 'new', url: 'ftp://host' }, 'badUrl'],
    [{ name: 'new', url: '' }, 'badUrl'],
    [{ name: ' new ', url: ` ${url} ` }, undefined],
  ])('%o: %s', (typed, why) => {
    expect(faultOfEndpoint(typed, ['there'])?.why).toBe(why);
  });

  it.each([
    ['http://host/v1', true],
    ['http://192.168.0.7:8000/v1', true],
    ['https://host/v1', false],
    ['http://127.0.0.1:8000/v1', false],
    ['http://localhost/v1', false],
    ['http://[::1]:8000/v1', false],
    ['http://localhost.evil.example/v1', true],
    ['htt', false],
  ])('%s can be read by all on the way: %s', (typed, readable) => {
    expect(isReadable(typed)).toBe(readable);
  });
});

describe('names of miners', () => {
  it.each([
    ['endpoint/my-server', 'my-server', 'endpoint'],
    ['local/qwen3-4b-q4_k_m', 'Qwen3 4B', 'local'],
    ['5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty', '5FHn…94ty', 'key'],
    ['endpoint/', 'endpoint/', 'key'],
  ])('%s is %s', (miner, name, kind) => {
    expect(minerName(miner)).toEqual({ name, kind });
  });
});

describe('a stranger’s text', () => {
  it('is whole when it is short', () => {
    expect(beginningOf('x1=True\nx2=False')).toBe('x1=True\nx2=False');
  });

  it('is cut where it has many characters, or many lines, and never within a character', () => {
    expect(beginningOf('x'.repeat(5_000))).toHaveLength(700);
    expect(beginningOf('line\n'.repeat(100)).split('\n')).toHaveLength(16);
    const pairs = beginningOf(`x${'🪨'.repeat(1_000)}`);
    expect(pairs.isWellFormed()).toBe(true);
    expect(pairs).toHaveLength(699);
  });
});

it('an outcome is right, wrong or silence', () => {
  expect(outcomeOf({ success: true, score: 1 })).toBe('right');
  expect(outcomeOf({ success: true, score: 0.5 })).toBe('wrong');
  expect(outcomeOf({ success: false, score: 0 })).toBe('silent');
});

it('what is new is counted from what was seen, and from nothing when the run has begun anew', () => {
  expect(newerThan(undefined, 8)).toBe(0);
  expect(newerThan(5, 8)).toBe(3);
  expect(newerThan(8, 8)).toBe(0);
  expect(newerThan(8, 2)).toBe(2);
});

it('a trial asks what the validator asks, and the usual where nothing of that is there', () => {
  const tasks = [
    { name: 'sat', isUsual: true },
    { name: 'hvm', isUsual: true },
    { name: 'elr:mine', isUsual: false },
  ];
  expect(askedTasks(tasks, ['SAT', 'elr:mine'])).toEqual(['sat', 'elr:mine']);
  expect(askedTasks(tasks, undefined)).toEqual(['sat', 'hvm']);
  expect(askedTasks(tasks, ['gone'])).toEqual(['sat', 'hvm']);
});
