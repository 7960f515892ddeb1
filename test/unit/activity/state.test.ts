import { describe, expect, it } from 'vitest';
import { type ActivityReading, activityState } from '../../../src-main/activity/state.ts';
import type { Refusal } from '../../../src-preload/contract/node.ts';

const model = { name: 'tiny', device: 'cpu', contextSize: 2_048, parallel: 1, tiny: true };
const SERVING = {
  engine: { state: 'ready', active: 0, waiting: 0, model },
  mining: { state: 'running' },
  policy: { mode: 'full', reasons: [], rules: [] },
  peers: 3,
} satisfies ActivityReading;

const rule = (name: 'battery' | 'user', action: 'throttle' | 'pause', state: 'met' | 'clear') => {
  return { rule: name, action, state, text: '' };
};
const THROTTLED = {
  mode: 'throttled' as const,
  reasons: [],
  rules: [rule('battery', 'pause', 'clear'), rule('user', 'throttle', 'met')],
};
const PAUSED = {
  mode: 'paused' as const,
  reasons: [],
  rules: [rule('user', 'throttle', 'met'), rule('battery', 'pause', 'met')],
};

const free = { percent: 0, limits: false };
const health = (refusal: Refusal): ActivityReading['health'] => ({
  ...{ score: 50, state: 'moderate', capacity: 60, accepting: false, refusal },
  ...{ parts: { cpu: 0, memory: 0, load: 0, queue: 0 }, use: { cpu: free, memory: free, queue: free } },
});

const state = (over: Partial<ActivityReading>) => activityState({ ...SERVING, ...over }, 0.5);

describe('what a miner is', () => {
  it('is nothing to write down at full speed, with a full queue, and while a model comes or goes', () => {
    expect(state({})).toEqual({ share: 1, gap: undefined, model: 'tiny' });
    expect(state({ health: health('queue-full') })).toMatchObject({ share: 1, gap: undefined });
    expect(state({ mining: { state: 'starting' } })).toMatchObject({ share: 0, gap: undefined });
    expect(state({ mining: { state: 'stopping' } })).toMatchObject({ share: 0, gap: undefined });
  });

  it.each([
    ['stopped by its owner', { mining: { state: 'stopped' } }, 0, { kind: 'stopped', rule: null }],
    [
      'stopped by a model that cannot be loaded',
      { mining: { state: 'stopped', error: { code: 'MODEL_NOT_FOUND', message: 'no' } } },
      0,
      { kind: 'failed', rule: null },
    ],
    ['without its engine', { engine: { ...SERVING.engine, state: 'broken' } }, 0, { kind: 'failed', rule: null }],
    ['paused, by the rule that pauses', { policy: PAUSED }, 0, { kind: 'paused', rule: 'battery' }],
    ['paused though nobody is there', { policy: PAUSED, peers: 0 }, 0, { kind: 'paused', rule: 'battery' }],
    ['leaving the processor to other programs', { health: health('cpu') }, 0, { kind: 'refusing', rule: null }],
    [
      'leaving the memory to them, alone besides',
      { health: health('memory'), peers: 0 },
      0,
      { kind: 'refusing', rule: null },
    ],
    ['leaving all to them', { health: health('overloaded') }, 0, { kind: 'refusing', rule: null }],
    [
      'paused though the computer is busy',
      { policy: PAUSED, health: health('cpu') },
      0,
      { kind: 'paused', rule: 'battery' },
    ],
    ['alone', { peers: 0 }, 0, { kind: 'alone', rule: null }],
    ['slowed', { policy: THROTTLED }, 0.5, { kind: 'throttled', rule: 'user' }],
    ['alone though it is slowed', { policy: THROTTLED, peers: 0 }, 0, { kind: 'alone', rule: null }],
  ] as [string, Partial<ActivityReading>, number, object][])('is %s', (_, over, share, gap) => {
    expect(state(over)).toEqual({ share, gap, model: 'tiny' });
  });

  it('is stopped on a node that cannot mine', () => {
    expect(state({ mining: undefined })).toMatchObject({ gap: { kind: 'stopped' } });
  });
});
