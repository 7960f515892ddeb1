import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/**
 * Waits until `check` no longer throws, however busy the machine is.
 * @param intervalMs between two looks
 * @returns what it gave at last
 */
export function until<T>(check: () => T | Promise<T>, intervalMs = 10): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: intervalMs });
}
