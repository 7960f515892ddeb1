import type { CSSProperties } from 'react';

/** What a colour says, everywhere: it never stands alone, a word or a shape says the same. */
export type State = 'good' | 'wait' | 'pause' | 'error' | 'idle' | 'earned';

const TOKENS = { good: 'mining', wait: 'wait', pause: 'pause', error: 'error', idle: 'idle', earned: 'ore' } as const;

/** The ink of a state. */
export function inkOf(state: State): string {
  return `var(--q-${TOKENS[state]})`;
}

/** The soft ground of a state, on which its ink can be read. */
function groundOf(state: State): string {
  return `var(--q-${TOKENS[state]}-soft)`;
}

/** Both, for a style sheet: `--state` and `--state-soft`. */
export function stateColours(state: State): CSSProperties {
  return { '--state': inkOf(state), '--state-soft': groundOf(state) } as CSSProperties;
}
