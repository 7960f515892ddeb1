/// <reference types="vite/types/importMeta.d.ts" />
type Sayings = Record<string, string>;

/** What main says, in German: the templates of the screens, for what is shown outside the window. */
export const GERMAN: Readonly<Sayings> = Object.assign(
  {},
  ...Object.values(
    import.meta.glob<Sayings>('../../../src-renderer/i18n/de/sayings/*.json', { eager: true, import: 'default' }),
  ),
);
