import { byName, type Texts } from './texts.ts';

/** Every text of the screens in German, by the name of its file: one for each page. */
export const de = byName(import.meta.glob<Texts>('./de/*.json', { eager: true, import: 'default' }));
