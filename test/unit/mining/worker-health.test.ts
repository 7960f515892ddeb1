import { describe, expect, it } from 'vitest';
import type { Health } from '../../../src-main/hardware/health.ts';
import type { PolicyDecision } from '../../../src-main/hardware/policy.ts';
import { workerHealth } from '../../../src-main/mining/worker-health.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { speak } from '../../../src-renderer/i18n/i18n.ts';
import { worded } from '../../../src-renderer/i18n/worded.ts';

const busy = {
  score: 5,
  state: 'overloaded',
  capacity: 0,
  accepting: false,
  refusal: 'overloaded',
  ...told({ reason: say('mesh.takesNone') }),
} as Health;

function health(mode: PolicyDecision['mode'], refusal = undefined as ReturnType<typeof say> | undefined): Health {
  const rules = [say('policy.quiet.none'), say('hardware.noModelLoaded')];
  const reasons = rules.map((text) => ({ rule: 'quiet-hours' as const, ...told({ text }) }));
  const policy = { current: () => ({ mode, reasons, rules: [], hot: false }) };
  return workerHealth({ refuseWhenOverloaded: true, health: busy, policy, mining: { refusal } });
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
});
