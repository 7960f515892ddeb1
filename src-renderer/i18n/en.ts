import { ENGLISH } from '../../src-preload/contract/domains.ts';
import { byName, type Texts } from './texts.ts';

/** Every text of the screens in English, by the name of its file: one for each page. */
export const en = byName(import.meta.glob<Texts>('./en/*.json', { eager: true, import: 'default' }));

/** What main says, as it says it. */
export const sayings: Readonly<Record<string, string>> = ENGLISH;
