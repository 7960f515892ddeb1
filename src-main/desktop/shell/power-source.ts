import { powerMonitor } from 'electron';
import type { PowerSource } from '../../app/host/host-ports.ts';

const EVENTS = ['on-battery', 'on-ac', 'lock-screen', 'unlock-screen', 'suspend', 'resume'] as const;
/** Asked whether the system is idle for this long; only whether it is locked is of interest. */
const ANY_SECONDS = 60;
/** Behind a locked screen nobody uses the computer, however lately a key was pressed. */
const LOCKED_IDLE_SECONDS = 24 * 3_600;

/** Power and people as Electron sees them. Ask it once the app is ready. */
export class ElectronPower implements PowerSource {
  #locked = false;

  constructor() {
    powerMonitor.on('lock-screen', () => {
      this.#locked = true;
    });
    powerMonitor.on('unlock-screen', () => {
      this.#locked = false;
    });
  }

  readonly battery: PowerSource['battery'] = async () => {
    const onBattery = powerMonitor.isOnBatteryPower();
    // Of a computer on mains power Electron does not say whether it has a battery at all.
    return { value: { present: onBattery, charging: false, onBattery }, source: 'electron' };
  };

  readonly userIdleSeconds: PowerSource['userIdleSeconds'] = async () => {
    const idle = powerMonitor.getSystemIdleTime();
    return { value: this.#isLocked() ? Math.max(idle, LOCKED_IDLE_SECONDS) : idle, source: 'electron' };
  };

  subscribe(listener: () => void): () => void {
    for (const event of EVENTS) powerMonitor.on(event as 'on-ac', listener);
    return () => {
      for (const event of EVENTS) powerMonitor.off(event as 'on-ac', listener);
    };
  }

  /** The events exist on macOS and Windows, the question is answered on some Linux desktops. */
  #isLocked(): boolean {
    return this.#locked || powerMonitor.getSystemIdleState(ANY_SECONDS) === 'locked';
  }
}
