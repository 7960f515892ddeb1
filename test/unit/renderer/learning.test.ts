import { describe, expect, it } from 'vitest';
import { learntIn } from '../../../src-renderer/pages/learning/overview/learnt-chain.ts';
import { curvesOf } from '../../../src-renderer/pages/learning/runs/run-curves.ts';
import { measuredOf } from '../../../src-renderer/pages/learning/versions/measured.ts';
import { sampleLearning } from '../../support/screens/sample-learning.ts';

const [accepted] = sampleLearning().runs;
if (!accepted) throw new Error('The sample has no run.');
const run = (version: string | null, parent: string | null, more: Partial<typeof accepted> = {}) => ({
  ...accepted,
  ...{ id: `run of ${version}`, version, parent },
  ...more,
});

describe('what is learnt', () => {
  const runs = [run('c', 'b'), run('x', 'a'), run('b', 'a'), run('a', null)];
  const versions = [
    { id: 'c', parent: 'b' },
    { id: 'b', parent: 'a' },
    { id: 'a', parent: null },
    { id: 'x', parent: 'a' },
  ];
  const ids = (...given: Parameters<typeof learntIn>) => learntIn(...given).map(({ version }) => version);

  it('is what the version in use and those before it learnt, and nothing of other branches', () => {
    expect(ids('c', versions, runs)).toEqual(['c', 'b', 'a']);
    expect(ids('x', versions, runs)).toEqual(['x', 'a']);
    expect(ids('a', versions, runs)).toEqual(['a']);
  });

  it('is nothing where the model answers as it is, or nothing was accepted', () => {
    expect(ids(null, versions, runs)).toEqual([]);
    expect(ids('c', versions, [run('c', 'b', { state: 'rolled-back' })])).toEqual([]);
  });

  it('goes on over versions that are deleted or were not learnt here, and comes to an end where they lead in a circle', () => {
    expect(ids('c', versions.slice(0, 1), runs)).toEqual(['c', 'b', 'a']);
    expect(ids('c', versions, [run('c', 'b'), run('a', null)])).toEqual(['c', 'a']);
    expect(
      ids(
        'a',
        [
          { id: 'a', parent: 'b' },
          { id: 'b', parent: 'a' },
        ],
        runs,
      ),
    ).toEqual(['a', 'b']);
  });
});

describe('the curves of a run', () => {
  it('begin with what was before, have gaps where nothing was measured, and tell drift by its size', () => {
    const curve = [
      { step: 0, compliance: 0.1, drift: 0, margin: -0.2, marginSum: 8 },
      { step: 1, loss: 2 },
      { step: 4, loss: 1, compliance: 0.5, drift: -0.3, margin: 0.4, marginSum: 20 },
    ];
    expect(curvesOf({ curve })).toMatchObject({
      steps: [0, 1, 4],
      loss: [null, 2, 1],
      compliance: [0.1, null, 0.5],
      capability: [null, null, null],
      drift: [0, null, 0.3],
      margin: [-0.2, null, 0.4],
      marginSum: [8, null, 20],
    });
  });

  it('begin with the first step where nothing was measured before', () => {
    expect(curvesOf({ curve: [{ step: 1, loss: 2 }] })).toMatchObject({ steps: [1], loss: [2] });
  });
});

it('of what was measured of a version only what is a number is shown', () => {
  expect(measuredOf({ metrics: { compliance: 0.9, capability: 'high' } })).toEqual({ compliance: 0.9 });
  expect(measuredOf({ metrics: null })).toEqual({});
});
