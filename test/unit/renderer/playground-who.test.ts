import { describe, expect, it } from 'vitest';
import { likelyCost, mostCost } from '../../../src-renderer/pages/playground/who/next-cost.ts';
import {
  AS_IT_IS,
  askedOf,
  learntNames,
  meshModels,
  minersOf,
  type Who,
  whoOf,
  writersOf,
} from '../../../src-renderer/pages/playground/who/who.ts';
import { catalogue, localModels, peers as sample } from '../../support/screens/sample-data.ts';

const [peer] = sample.peers;
if (!peer) throw new Error('The sample has no peer.');
const peers = {
  ...sample,
  peers: [
    { ...peer, ready: true, models: ['b', 'c'] },
    { ...peer, ready: true, models: ['b', 'a'] },
    { ...peer, ready: false, models: ['a', 'd'] },
    { ...peer, ready: true, models: [] },
  ],
};

describe('who can be asked on the mesh', () => {
  it('is counted by model, those that most serve first, of miners that take requests now', () => {
    expect(meshModels(peers)).toEqual([
      { name: 'b', miners: 2 },
      { name: 'a', miners: 1 },
      { name: 'c', miners: 1 },
    ]);
    expect(minersOf(peers)).toBe(2);
  });

  it('is nobody before somebody has told', () => {
    expect([meshModels(undefined), minersOf(undefined)]).toEqual([[], 0]);
  });
});

it.each<Who>(['here:qwen', 'mesh', 'mesh:qwen:7b', 'learnt:personal@latest', 'learnt:base'])(
  '%s is chosen, and told again, and leaves the parameters as they are',
  (who) => {
    const options = askedOf(who, { target: 'mesh', model: 'before', temperature: 0.1 });
    expect(whoOf(options, 'qwen')).toBe(who);
    const model = /^(?:mesh|learnt):(.+)/.exec(who)?.[1];
    expect(options).toMatchObject({ temperature: 0.1, model });
  },
);

it('models of this computer that write answers are offered, the practice model only where it is needed', () => {
  const [big, tiny] = localModels;
  const [entry] = catalogue;
  if (!big || !tiny || !entry) throw new Error('The sample lacks models.');
  const embedder = { ...big, name: 'embedder', selected: false };
  const embedding = { ...entry, name: 'embedder', use: 'embedding' as const };
  const names = (...models: typeof localModels) => writersOf(models, [entry, embedding]).map(({ name }) => name);
  expect(names(big, tiny, embedder)).toEqual([big.name]);
  expect(names(big, { ...tiny, selected: true })).toEqual([big.name, tiny.name]);
  expect(names(tiny, embedder)).toEqual([tiny.name]);
});

it('the next answer costs what answers did lately, and never more than it may', () => {
  expect(mostCost({ target: 'mesh' })).toBe(3);
  expect(mostCost({ target: 'mesh', maxTokens: 1_024 })).toBe(5);
  expect(likelyCost({ target: 'mesh', maxTokens: 1_024 }, { tokens: 300 })).toBe(3);
  expect(likelyCost({ target: 'mesh', maxTokens: 64 }, { tokens: 300 })).toBe(2);
  expect(likelyCost({ target: 'mesh' }, undefined)).toBeUndefined();
});

describe('names by which a model is asked with what it has learnt', () => {
  const own = { name: 'personal', model: 'qwen', base: 'a', latest: 'personal-1' };

  it('are those of its own adapters of which a version is in use, and one for the model as it is', () => {
    const adapters = [own, { ...own, name: 'other', model: 'llama', base: 'b' }, { ...own, name: 'new', latest: null }];
    expect(learntNames(adapters, { name: 'qwen' })).toEqual(['personal@latest', AS_IT_IS]);
    expect(learntNames(adapters, { name: 'renamed', sha256: 'b' })).toEqual(['other@latest', AS_IT_IS]);
  });

  it('are none where it has learnt nothing, or there is no model, but for the one that is chosen', () => {
    expect(learntNames([{ ...own, latest: null }], { name: 'qwen' })).toEqual([]);
    expect(learntNames([own], undefined)).toEqual([]);
    expect(learntNames([], { name: 'qwen' }, 'personal@2')).toEqual(['personal@2']);
    expect(learntNames([own], { name: 'qwen' }, 'base')).toEqual(['personal@latest', AS_IT_IS]);
  });

  it('mean the loaded model itself where a question names that', () => {
    expect(whoOf({ target: 'local', model: 'qwen' }, 'qwen')).toBe('here:qwen');
  });
});
