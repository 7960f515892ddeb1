import { byName, type Texts } from './texts.ts';

/** Every text of the screens in German, by the name of its file: one for each page. */
export const de = byName(import.meta.glob<Texts>('./de/*.json', { eager: true, import: 'default' }));

type Sayings = Record<string, string>;

/** What main says, in German: a file for each of src-preload/contract/sayings/. */
export const sayings: Readonly<Sayings> = Object.assign(
  {},
  ...Object.values(import.meta.glob<Sayings>('./de/sayings/*.json', { eager: true, import: 'default' })),
);
