import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { DemoScene } from '../../../../src-main/app/demo/scenes.ts';
import { linesOf } from '../../../../src-main/cli/node/demo.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';

/** Without the time of day. */
const told = (scene: DemoScene) =>
  linesOf(scene).map((line) => stripVTControlCharacters(line).replace(/^\d\d:\d\d:\d\d /, ''));

const ANSWER = {
  type: 'answer',
  client: 'ada',
  tier: 'silver',
  question: 'What is a mesh?',
  worker: 'demo-worker',
  text: 'Many\n computers.',
  tokens: 4,
  ms: 320,
  credits: 2,
  points: 9,
  total: 1_143,
  workerTier: 'gold',
} as const;

it('tells a question and its answer with what it cost and brought', () => {
  expect(told(ANSWER)).toEqual([
    'ada (silver) asks demo-worker: What is a mesh?',
    '         «Many computers.» 4 tokens in 320 ms, 2 credits, +9 points (1,143 in all: gold)',
  ]);
  expect(told({ ...ANSWER, tier: 'newcomer', points: 0 })[0]).toBe('ada asks demo-worker: What is a mesh?');
  expect(told({ ...ANSWER, points: 0 })[1]).toContain('no points');
});

it('says at the start what is set differently, and whether the model babbles', () => {
  const ready = {
    ...({ type: 'ready', worker: 'demo-worker', id: 'a', url: 'http://w', screens: 'http://w/enter' } as const),
    ...{ api: 'http://y', model: 'tiny', real: false, friends: ['ada', 'ben'], differs: ['One.', 'Two.'] },
  };
  const text = told(ready).join('\n');
  for (const said of [
    'It is built in and babbles',
    'ada and ben',
    '- One.',
    '- Two.',
    'http://w/enter',
    'http://y/v1',
  ]) {
    expect(text).toContain(said);
  }
  expect(text).toContain('goes away at the end');
  const kept = told({ ...ready, real: true, folder: '/d' }).join('\n');
  expect(kept).toContain('/d');
  expect(kept).not.toContain('babbles');
});

it.each<[DemoScene, string]>([
  [
    { type: 'owed', to: 'ada', answers: 5, credits: 10, tier: 'silver' },
    'demo-worker has had 5 answers from ada, and owes ada 10 credits now. So ada is silver there, and is served before strangers.',
  ],
  [
    {
      ...({ type: 'standing', points: 120, tier: 'silver' } as const),
      seenBy: [
        { name: 'ada', points: 110, tier: 'silver' },
        { name: 'ben', points: 0, tier: 'newcomer' },
      ],
    },
    'demo-worker has 120 points: silver. ben still sees newcomer: three others must confirm a total before it counts.',
  ],
  [{ type: 'queue', state: 'growing', waiting: 3, running: 2 }, '▮▮▮ Many ask at once: 3 wait at demo-worker, 2 run.'],
  [
    { type: 'queue', state: 'over', waiting: 0, running: 0, answered: 11, refused: 1 },
    'The queue is empty again: 11 were answered. 1 found no room.',
  ],
  [
    { type: 'death', worker: 'ben', client: 'ada', reason: 'It broke.', by: 'demo-worker', ms: 1_200 },
    'ben died in the middle of an answer for ada: «It broke.» demo-worker gave the whole answer 1.2 s later.',
  ],
  [
    { type: 'post', worker: 'cleo', before: 'ben' },
    'cleo serves beside demo-worker now. ben comes back, and only asks.',
  ],
  [
    { type: 'leaving', name: 'ada', receipts: 20, next: 'frida' },
    'ada leaves. Only 20 receipts a day count between two nodes, and demo-worker has 20 from ada. frida comes, with a new key.',
  ],
  [
    { type: 'liar', name: 'mallory', claimed: 10_000, detail: 'its log proves 29', foundBy: ['demo-worker', 'ada'] },
    'mallory claims 10,000 points. demo-worker and 1 other read its log and found it out: its log proves 29. mallory counts for nothing for 30 days.',
  ],
  [
    { type: 'yours', worker: 'demo-worker', tokens: 8, ms: 60, points: 8 },
    'You asked, and demo-worker answered: 8 tokens in 60 ms, +8 points.',
  ],
  [
    { type: 'failure', error: new QuarryError({ code: 'NO_WORKER', message: 'Nobody is there.' }) },
    'This did not work: Nobody is there.',
  ],
])('tells in one line: %o', (scene, line) => {
  expect(told(scene)).toEqual([`● ${line}`]);
});
