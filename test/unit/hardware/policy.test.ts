import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type PolicyInputs } from '../../../src-main/hardware/policy.ts';
import { ACTIONS, policySchema } from '../../../src-main/hardware/policy-settings.ts';

const defaults = policySchema.parse({});
const MIB = 1024 ** 2;

const inputs = (parts: Partial<PolicyInputs> = {}): PolicyInputs => ({
  battery: { value: { onBattery: false }, source: 'systeminformation' },
  userIdleSeconds: { value: 3_600, source: 'node' },
  otherGpu: { value: { vram: 0, programs: [] }, source: 'llama.cpp' },
  temperature: { value: 50, source: 'systeminformation' },
  minuteOfDay: 12 * 60,
  wasHot: false,
  ...parts,
});

const degrees = (value: number) => ({ temperature: { value, source: 'systeminformation' as const } });
const idle = (value: number) => ({ userIdleSeconds: { value, source: 'node' as const } });
const onBattery = { battery: { value: { onBattery: true, percent: 64 }, source: 'systeminformation' as const } };
const otherGpu = (mib: number, ...programs: string[]) => ({
  otherGpu: { value: { vram: mib * MIB, programs }, source: 'nvidia-smi' as const },
});

describe('decide, by default', () => {
  it('works at full speed when nothing is in the way', () => {
    expect(decide(inputs(), defaults)).toMatchObject({ mode: 'full', reasons: [] });
  });

  it.each([
    ['the computer runs on battery', onBattery, 'paused', 'battery'],
    ['somebody uses the computer', idle(3), 'throttled', 'user'],
    ['another program takes the GPU', otherGpu(2_000, 'game'), 'paused', 'gpu'],
    ['it is too hot', degrees(86), 'paused', 'heat'],
  ] as const)('when %s', (_, parts, mode, rule) => {
    const decision = decide(inputs(parts), defaults);
    expect(decision.mode).toBe(mode);
    expect(decision.reasons.map((reason) => reason.rule)).toEqual([rule]);
  });

  it('has no quiet hours', () => {
    for (let minuteOfDay = 0; minuteOfDay < 1_440; minuteOfDay += 60) {
      expect(decide(inputs({ minuteOfDay }), defaults).mode).toBe('full');
    }
  });
});

describe('decide', () => {
  it('lets the strictest rule win and names all that are met', () => {
    const decision = decide(inputs({ ...idle(0), ...onBattery }), defaults);
    expect(decision).toMatchObject({ mode: 'paused' });
    expect(decision.reasons.map(({ rule }) => rule)).toEqual(['battery', 'user']);
  });

  it('says why in a sentence with the figures', () => {
    const decision = decide(inputs({ ...onBattery, ...degrees(91.4), ...otherGpu(3_000, 'blender') }), defaults);
    expect(decision.reasons.map(({ text }) => text)).toEqual([
      'The computer runs on its battery (64 %).',
      'blender uses 3.1 GB of GPU memory.',
      'It is too hot: 91 °C (limit 85 °C).',
    ]);
  });

  it('pauses for heat until it has cooled down, not only below the limit', () => {
    let wasHot = false;
    const modes = [84, 86, 80, 76, 75, 74, 80].map((value) => {
      const decision = decide(inputs({ ...degrees(value), wasHot }), defaults);
      wasHot = decision.hot;
      return decision.mode;
    });
    expect(modes).toEqual(['full', 'paused', 'paused', 'paused', 'paused', 'full', 'full']);
  });

  it('keeps quiet hours across midnight', () => {
    const settings = { ...defaults, quietHours: ['12:00-13:00', '22:00-07:00'] };
    const modeAt = (hour: number) => decide(inputs({ minuteOfDay: hour * 60 }), settings).mode;
    expect([11, 12, 13, 21, 22, 0, 6, 7].map(modeAt)).toEqual([
      'full',
      'paused',
      'full',
      'full',
      'paused',
      'paused',
      'paused',
      'full',
    ]);
  });

  it('leaves a rule undecided whose figure is missing, and says so', () => {
    const decision = decide(inputs({ temperature: { reason: 'no sensor' } }), defaults);
    expect(decision.mode).toBe('full');
    expect(decision.rules).toContainEqual({
      rule: 'heat',
      action: 'pause',
      state: 'unknown',
      text: 'The temperature cannot be read: no sensor.',
      said: { text: { key: 'policy.heat.unknown', params: { reason: 'no sensor' } } },
    });
  });

  it('shows every rule, those switched off too', () => {
    const decision = decide(inputs(), { ...defaults, heat: 'off' });
    expect(decision.rules.map(({ rule, state }) => [rule, state])).toEqual([
      ['battery', 'clear'],
      ['user', 'clear'],
      ['gpu', 'clear'],
      ['heat', 'off'],
      ['quiet-hours', 'clear'],
    ]);
  });

  it('does for every rule what its setting says', () => {
    const action = fc.constantFrom(...ACTIONS);
    const worst = inputs({ ...onBattery, ...idle(0), ...otherGpu(9_999), ...degrees(99), minuteOfDay: 0 });
    const actions = fc.record({
      onBattery: action,
      userActive: action,
      otherGpu: action,
      heat: action,
      quietAction: action,
    });
    fc.assert(
      fc.property(actions, (chosen) => {
        const { mode } = decide(worst, { ...defaults, ...chosen, quietHours: ['23:00-01:00'] });
        const all = Object.values(chosen);
        expect(mode).toBe(all.includes('pause') ? 'paused' : all.includes('throttle') ? 'throttled' : 'full');
      }),
    );
  });
});
