import { describe, expect, it } from 'vitest';
import { askedOf, meshModels, minersOf, type Who, whoOf } from '../../../src-renderer/pages/playground/who.ts';
import { peers as sample } from '../../support/screens/sample-data.ts';

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

it.each<Who>(['local', 'mesh', 'mesh:qwen:7b'])(
  '%s is chosen, and told again, and leaves the parameters as they are',
  (who) => {
    const options = askedOf(who, { target: 'mesh', model: 'before', temperature: 0.1 });
    expect(whoOf(options)).toBe(who);
    expect(options).toMatchObject({ temperature: 0.1, model: who === 'mesh:qwen:7b' ? 'qwen:7b' : undefined });
  },
);
