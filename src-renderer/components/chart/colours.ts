/** What the chart is drawn in. The theme changes the variables, so nothing is drawn anew when it changes. */
export const INK = {
  text: 'var(--q-ink-3)',
  strong: 'var(--q-ink)',
  line: 'var(--q-line)',
  base: 'var(--q-line-2)',
  panel: 'var(--q-panel)',
  raised: 'var(--q-raised)',
  pause: 'var(--q-pause)',
  pauseGround: 'var(--q-pause-soft)',
  ore: 'var(--q-ore)',
  oreFill: 'var(--q-ore-fill)',
  error: 'var(--q-error)',
} as const;

/** The colours of lines and bars, in the order in which a chart takes them; at most four in one chart. */
export const SERIES_COLOURS = [
  'var(--q-c1)',
  'var(--q-c2)',
  'var(--q-c3)',
  'var(--q-c4)',
  'var(--q-c5)',
  'var(--q-c6)',
] as const;
