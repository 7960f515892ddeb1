import { expect, it } from 'vitest';
import { OnSubnet } from '../../../../src-main/app/validator/on-subnet.ts';

const stating = (block: number, model: string, revision = 'main') => ({
  ...{ block, data: [Buffer.from(JSON.stringify({ model, revision }))] },
});
const neurons = ['a', 'b', 'c', 'd'].map((hotkey, uid) => ({ uid, hotkey, registeredAt: 10 * (uid + 1) })) as never;

it('a miner is its hotkey, or the one that stands for it; a hotkey stands for one alone', () => {
  const named = [
    { miner: 'endpoint/x', hotkey: 'b' },
    { miner: 'endpoint/y', hotkey: 'has left' },
  ];
  const subnet = new OnSubnet({ neurons, commitments: new Map() }, named);
  const names = ['a', 'b', 'endpoint/x', 'endpoint/y', 'has left', 'nobody'];
  expect(names.map((name) => subnet.hotkeyOf(name))).toEqual(['a', undefined, 'b', undefined, undefined, undefined]);
  expect(subnet.standingOf('endpoint/x')).toEqual({ since: 20, copyOf: null });
  expect([subnet.standingOf('b'), subnet.standingOf('endpoint/y')]).toEqual([undefined, undefined]);
});

it('a model is whose commitment to it, with its revision, is the earliest; what is committed to is since then', () => {
  const commitments = new Map([
    ['a', stating(99, 'M')], // the same model, whatever its letters
    ['b', stating(50, 'm')],
    ['c', stating(40, 'm', 'other')],
    ['d', { block: 7, data: [Buffer.from('no model')] }],
  ]);
  const named = [{ miner: 'endpoint/x', hotkey: 'b' }];
  const subnet = new OnSubnet({ neurons, commitments }, named);
  expect(['a', 'endpoint/x', 'c', 'd'].map((name) => subnet.standingOf(name))).toEqual([
    { since: 99, copyOf: 'endpoint/x' },
    { since: 50, copyOf: null },
    { since: 40, copyOf: null },
    { since: 7, copyOf: null },
  ]);
});
