import type { ModelFit } from '../../../src-preload/contract/models.ts';
import type { Format } from '../../i18n/format.ts';

/** Tokens a second as they are known: «41» once it was measured, «8–15» while it is an estimate. */
export function speedText({ tokensPerSecond, low, high, measured }: ModelFit['speed'], format: Format): string {
  const [from, to] = [format.number(low), format.number(high)];
  if (measured) return format.number(tokensPerSecond);
  return from === to ? `~${format.number(tokensPerSecond)}` : `${from}–${to}`;
}
