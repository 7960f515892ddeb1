import { describe, expect, it } from 'vitest';
import type { Health } from '../../../src-main/hardware/health.ts';
import type { PolicyDecision } from '../../../src-main/hardware/policy.ts';
import { statusHealth, workerHealth } from '../../../src-main/mining/worker-health.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { nodeStanding } from '../../../src-preload/contract/standing.ts';
import { speak } from '../../../src-renderer/i18n/i18n.ts';
import { worded } from '../../../src-renderer/i18n/worded.ts';

const READY = { state: 'ready' as const, active: 0, waiting: 0 };
const QUEUE = { waiting: 0, active: 0, waits: [] };

const busy = {
  score: 5,
  state: 'overloaded',
  capacity: 0,
  accepting: false,
  refusal: 'overloaded',
  use: {
    cpu: { percent: 95, limits: true },
    memory: { percent: 40, limits: false },
    queue: { percent: 0, limits: false },
  },
  ...told({ reason: say('mesh.takesNone') }),
} as Health;

function health(mode: PolicyDecision['mode'], refusal = undefined as ReturnType<typeof say> | undefined): Health {
  const rules = [say('policy.quiet.none'), say('hardware.noModelLoaded')];
  const reasons = rules.map((text) => ({ rule: 'quiet-hours' as const, ...told({ text }) }));
  const policy = { current: () => ({ mode, reasons, rules: [], hot: false }) };
  return workerHealth({
    refuseWhenOverloaded: true,
    health: busy,
    policy,
    mining: { refusal },
    scores: { hindrance: undefined },
  });
}

describe('what a worker says of itself', () => {
  it('is why it does not mine, also where the machine is busy besides, and in the words of the screens', async () => {
    const stopped = health('paused', say('mesh.miningStopped'));
    expect(stopped).toMatchObject({ accepting: false, refusal: undefined, reason: 'Mining is stopped.' });
    await speak('de');
    const shown = worded({ ...stopped, reason: stopped.reason ?? '' }, 'reason');
    await speak('en');
    expect(shown).toBe('Das Schürfen ist angehalten.');
  });

  it('is every rule that pauses it', () => {
    const paused = health('paused');
    const [first, second] = [say('policy.quiet.none'), say('hardware.noModelLoaded')].map(
      (text) => told({ text }).text,
    );
    expect(paused.reason).toBe(`Paused: ${first} ${second}`);
    expect(paused.said).toEqual({ reason: expect.objectContaining({ key: 'mesh.paused' }) });
  });

  it('is how busy the machine is, where it mines and nothing pauses it', () => {
    expect(health('full')).toBe(busy);
  });

  it('takes requests where it is set to do so however busy the machine is, and the screens are told the same', () => {
    const scores = { hindrance: undefined };
    expect(statusHealth({ refuseWhenOverloaded: true, health: busy, scores })).toBe(busy);
    const all = statusHealth({ refuseWhenOverloaded: false, health: busy, scores });
    expect(all).toMatchObject({ accepting: true, refusal: undefined, reason: undefined, said: undefined, score: 5 });
    expect(all.use.cpu).toEqual({ percent: 95, limits: false });
    expect(all.capacity).toBeGreaterThan(0);
  });

  it('is that it was restored and waits, on its own screens, too', async () => {
    const scores = { hindrance: say('score.asking') };
    const health = statusHealth({ refuseWhenOverloaded: false, health: { ...busy, accepting: true }, scores });
    expect(health).toMatchObject({ accepting: false, said: { reason: { key: 'score.asking' } } });
    const node = {
      mining: { state: 'running' as const },
      engine: READY,
      policy: undefined,
      health,
      peers: 2,
      queue: QUEUE,
    };
    expect(nodeStanding(node)).toBe('refusing');
  });
});
