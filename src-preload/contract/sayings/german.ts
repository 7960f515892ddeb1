/// <reference types="vite/types/importMeta.d.ts" />

/**
 * The same in German, by key: for the screens, and for what the desktop app shows outside of its window. A file of `de/` for each
 * of English, taken in when the app is built: plain Node cannot read this, and has no use for it.
 */
export const GERMAN: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(import.meta.glob<Record<string, string>>('./de/*.json', { eager: true, import: 'default' })),
);
