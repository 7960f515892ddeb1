import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ElectronPower } from '../../../../src-main/desktop/shell/power-source.ts';

const state = vi.hoisted(() => ({ monitor: undefined as unknown, idle: 12, idleState: 'active', onBattery: false }));
vi.mock('electron', () => ({
  get powerMonitor() {
    return state.monitor;
  },
}));

let monitor: EventEmitter;
beforeEach(() => {
  Object.assign(state, { idle: 12, idleState: 'active', onBattery: false });
  monitor = Object.assign(new EventEmitter(), {
    isOnBatteryPower: () => state.onBattery,
    getSystemIdleTime: () => state.idle,
    getSystemIdleState: () => state.idleState,
  });
  state.monitor = monitor;
});

const idleSeconds = async (power: ElectronPower) => (await power.userIdleSeconds()).value;

describe('ElectronPower', () => {
  it('tells mains from battery', async () => {
    const power = new ElectronPower();
    expect((await power.battery()).value?.onBattery).toBe(false);
    state.onBattery = true;
    expect((await power.battery()).value).toMatchObject({ present: true, onBattery: true });
  });

  it('counts a locked screen as nobody there, until it is unlocked', async () => {
    const power = new ElectronPower();
    expect(await idleSeconds(power)).toBe(12);
    monitor.emit('lock-screen');
    expect(await idleSeconds(power)).toBeGreaterThan(3_600);
    monitor.emit('unlock-screen');
    expect(await idleSeconds(power)).toBe(12);
    state.idleState = 'locked'; // a desktop without the events
    expect(await idleSeconds(power)).toBeGreaterThan(3_600);
  });

  it('calls back when power, lock or sleep change, until that is ended', () => {
    const listener = vi.fn();
    const end = new ElectronPower().subscribe(listener);
    const events = ['on-battery', 'on-ac', 'lock-screen', 'unlock-screen', 'suspend', 'resume'];
    for (const event of events) monitor.emit(event);
    expect(listener).toHaveBeenCalledTimes(events.length);
    end();
    for (const event of events) monitor.emit(event);
    expect(listener).toHaveBeenCalledTimes(events.length);
  });
});
