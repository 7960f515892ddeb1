import { expect, it } from 'vitest';
import { QuarryClient } from '../../../src-main/client/client.ts';
import type { NodeClient } from '../../../src-main/client/node-link.ts';

interface Scripted {
  loaded?: string;
  installed?: { name: string; selected?: boolean; tiny?: boolean }[];
  peers?: { ready: boolean; models: string[] }[];
}

/** What a program sees of a node that has these models. */
async function seen({ loaded, installed = [], peers = [] }: Scripted) {
  const node = {
    node: { status: async () => ({ engine: { model: loaded && { name: loaded, tiny: loaded === 'tiny' } } }) },
    models: { list: async () => installed.map((model) => ({ selected: false, tiny: false, ...model })) },
    mesh: { peers: async () => ({ peers }) },
  } as unknown as NodeClient;
  const client = new QuarryClient('http://127.0.0.1:7070', { node, [Symbol.asyncDispose]: async () => {} });
  return (await client.models()).map(
    ({ name, target, loaded, workers }) => `${target} ${name} ${loaded ? 'loaded' : 'not loaded'} ${workers}`,
  );
}

const tiny = { name: 'tiny', tiny: true };

it('lists what is loaded first, then what would be, and the built-in model only where it is one of them', async () => {
  const installed = [tiny, { name: 'small' }, { name: 'large', selected: true }];
  expect(await seen({ installed })).toEqual(['local large not loaded 1', 'local small not loaded 1']);
  expect(await seen({ installed, loaded: 'small' })).toEqual(['local small loaded 1', 'local large not loaded 1']);
  expect(await seen({ installed: [{ ...tiny, selected: true }] })).toEqual(['local tiny not loaded 1']);
  expect((await seen({ installed, loaded: 'tiny' }))[0]).toBe('local tiny loaded 1');
});

it('lists the model of a server that stands in for the engine, and no other of this computer', async () => {
  expect(await seen({ installed: [tiny, { name: 'small' }], loaded: 'gpt-oss' })).toEqual(['local gpt-oss loaded 1']);
});

it('counts workers of the mesh that take requests', async () => {
  const peers = [
    { ready: true, models: ['small', 'large'] },
    { ready: true, models: ['small'] },
    { ready: false, models: ['large', 'other'] },
  ];
  expect(await seen({ peers })).toEqual(['mesh small loaded 2', 'mesh large loaded 1']);
});
