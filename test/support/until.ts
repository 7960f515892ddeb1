import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/**
 * Waits until `check` neither throws nor says false, however busy the machine is.
 * @param intervalMs between two looks
 * @returns what it gave at last
 */
export function until<T>(check: () => T | Promise<T>, intervalMs = 10): Promise<T> {
  const look = async () => {
    const given = await check();
    if (given === false) throw new Error('What is waited for has not come.');
    return given;
  };
  return vi.waitFor(look, { timeout: PATIENCE_MS, interval: intervalMs });
}
