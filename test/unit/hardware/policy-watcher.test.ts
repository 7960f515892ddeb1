import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { Mode } from '../../../src-main/hardware/policy.ts';
import { type PolicySettings, policySchema } from '../../../src-main/hardware/policy-settings.ts';
import { nodePolicySources, type PolicySources } from '../../../src-main/hardware/policy-sources.ts';
import { PolicyWatcher } from '../../../src-main/hardware/policy-watcher.ts';
import { fakeSystem } from './fake-system.ts';

const log = pino({ level: 'silent' });
const defaults = policySchema.parse({});

/** What the sources say; tests change it. */
interface World {
  temperature: number;
  onBattery: boolean;
}

const watchers: PolicyWatcher[] = [];
afterEach(async () => {
  for (const watcher of watchers.splice(0)) await watcher.close();
});

function watch(
  world: World,
  overrides: Partial<PolicySources> = {},
  settings: PolicySettings = defaults,
): { watcher: PolicyWatcher; modes: Mode[] } {
  const sources: PolicySources = {
    battery: async () => ({
      value: { present: true, charging: false, onBattery: world.onBattery },
      source: 'systeminformation',
    }),
    userIdleSeconds: async () => ({ reason: 'nobody can tell' }),
    otherGpu: async () => ({ value: { vram: 0, programs: [] }, source: 'llama.cpp' }),
    temperature: async () => ({ value: world.temperature, source: 'systeminformation' }),
    ...overrides,
  };
  const watcher = new PolicyWatcher({ settings, sources, log, intervalMs: 3_600_000 });
  watchers.push(watcher);
  const modes: Mode[] = [];
  watcher.subscribe(({ mode }) => modes.push(mode));
  return { watcher, modes };
}

describe('PolicyWatcher', () => {
  it('decides when it opens', async () => {
    const { watcher } = watch({ temperature: 50, onBattery: true });
    await watcher.open();
    expect(watcher.current().mode).toBe('paused');
  });

  it('tells changes, and only changes', async () => {
    const world = { temperature: 50, onBattery: false };
    const { watcher, modes } = watch(world);
    await watcher.open();
    world.onBattery = true;
    await watcher.check();
    await watcher.check();
    world.onBattery = false;
    await watcher.check();
    expect(modes).toEqual(['paused', 'full']);
  });

  it('remembers that it was hot until it has cooled down', async () => {
    const world = { temperature: 90, onBattery: false };
    const { watcher, modes } = watch(world);
    await watcher.open();
    for (world.temperature of [80, 79, 78]) await watcher.check();
    expect(watcher.current().mode).toBe('paused');
    world.temperature = 60;
    await watcher.check();
    expect(modes).toEqual(['paused', 'full']);
  });

  it('goes by other settings at once', async () => {
    const { watcher, modes } = watch({ temperature: 50, onBattery: true });
    await watcher.open();
    await watcher.configure({ ...defaults, onBattery: 'throttle' });
    await watcher.configure({ ...defaults, onBattery: 'off' });
    expect(modes).toEqual(['paused', 'throttled', 'full']);
  });

  it('does not miss other settings that come while it looks', async () => {
    const looking = Promise.withResolvers<{ reason: string }>();
    const { watcher } = watch({ temperature: 50, onBattery: true }, { userIdleSeconds: () => looking.promise });
    const opening = watcher.open();
    const configured = watcher.configure({ ...defaults, onBattery: 'off', userActive: 'off' });
    looking.resolve({ reason: 'nobody can tell' });
    await Promise.all([opening, configured]);
    expect(watcher.current().mode).toBe('full');
  });

  it('looks again when it is told to while it looks: what changed may have been read before', async () => {
    const world = { temperature: 50, onBattery: false };
    const asked = Promise.withResolvers<void>();
    const looking = Promise.withResolvers<{ reason: string }>();
    const { watcher } = watch(world, {
      userIdleSeconds: () => {
        asked.resolve(); // after the battery
        return looking.promise;
      },
    });
    const opening = watcher.open();
    await asked.promise;
    world.onBattery = true;
    const told = watcher.check();
    looking.resolve({ reason: 'nobody can tell' });
    await Promise.all([opening, told]);
    expect(watcher.current().mode).toBe('paused');
  });

  it('goes on when a source breaks: its rule is undecided', async () => {
    const { watcher } = watch(
      { temperature: 50, onBattery: true },
      { temperature: async () => Promise.reject(new Error('sensor unplugged')) },
    );
    await watcher.open();
    expect(watcher.current().mode).toBe('paused');
    expect(watcher.current().rules.find(({ rule }) => rule === 'heat')).toMatchObject({
      state: 'unknown',
      text: 'The temperature cannot be read: sensor unplugged.',
    });
  });

  it('does not ask for what no rule wants', async () => {
    let asked = 0;
    const { watcher } = watch(
      { temperature: 50, onBattery: false },
      {
        temperature: async () => {
          asked++;
          return { reason: 'never' };
        },
      },
      { ...defaults, heat: 'off' },
    );
    await watcher.open();
    expect(asked).toBe(0);
  });
});

describe('nodePolicySources', () => {
  const noGpu: PolicySources['otherGpu'] = async () => ({ value: { vram: 0, programs: [] }, source: 'llama.cpp' });

  it('says that Node cannot see whether somebody uses the computer', async () => {
    const sources = nodePolicySources(noGpu, fakeSystem());
    expect(await sources.userIdleSeconds()).toEqual({
      reason: 'only the desktop app sees keyboard and mouse',
      said: { reason: { key: 'hardware.desktopOnly' } },
    });
  });

  it('reports the hottest part', async () => {
    const system = fakeSystem({
      cpuTemperature: async () => ({ main: 61, max: 64 }),
      graphics: async () => ({ controllers: [{ vendor: 'NVIDIA', model: 'RTX', temperatureGpu: 78 }] }),
    });
    expect(await nodePolicySources(noGpu, system).temperature()).toEqual({ value: 78, source: 'systeminformation' });
  });

  it('asks a computer without a battery only once', async () => {
    let asked = 0;
    const system = fakeSystem({
      battery: async () => {
        asked++;
        return { hasBattery: false, isCharging: false, acConnected: true, percent: null };
      },
    });
    const sources = nodePolicySources(noGpu, system);
    await sources.battery();
    await sources.battery();
    expect(asked).toBe(1);
  });

  it('asks a computer without a sensor again after ten minutes, and one with a sensor every time', async () => {
    let [now, asked, main] = [0, 0, null as number | null];
    const system = fakeSystem({
      cpuTemperature: async () => {
        asked++;
        return { main, max: null };
      },
    });
    const { temperature } = nodePolicySources(noGpu, system, () => now);
    for (now of [0, 10_000, 599_999]) expect(await temperature()).toMatchObject({ reason: expect.any(String) });
    expect(asked).toBe(1);
    main = 61;
    for (now of [600_000, 610_000]) expect(await temperature()).toMatchObject({ value: 61 });
    expect(asked).toBe(3);
  });
});
