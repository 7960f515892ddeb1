import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { de } from '../../../src-renderer/i18n/de.ts';
import { en } from '../../../src-renderer/i18n/en.ts';

type Texts = { [key: string]: string | Texts };

const root = resolve(import.meta.dirname, '../../../src-renderer');

/** `nav.dashboard` → «Dashboard». */
function flat(texts: Texts, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + key, value]] : [...flat(value, `${prefix}${key}.`)],
    ),
  );
}

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}|<(\w+)>/g)].map(([all]) => all).sort();

/** Keys by namespace, without what i18next adds for plurals. */
const known = new Map(
  Object.entries(en).map(([namespace, texts]) => [
    namespace,
    new Set([...flat(texts as Texts).keys()].map((key) => key.replace(/_(one|other)$/, ''))),
  ]),
);

interface Use {
  file: string;
  /** Key, perhaps with `${…}` in it. */
  key: string;
  namespaces: string[];
}

/** Every key that a screen asks for, with the namespaces of its file. */
function uses(): Use[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const namespaces = [...source.matchAll(/useTranslation\((?:'(\w+)'|\[([^\]]+)\])?\)/g)].flatMap(
      ([, one, several]) =>
        several ? [...several.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? '') : [one ?? 'common'],
    );
    const keys = [...source.matchAll(/\bt\(\s*(?:'([^']+)'|`([^`]+)`)/g)].map(
      ([, plain, template]) => plain ?? template ?? '',
    );
    return keys.map((key) => ({ file: relative(root, join(root, file)), key, namespaces: [...namespaces, 'common'] }));
  });
}

/** A template's known parts must fit a key: `mining.${state}` fits `mining.stopped`. */
function exists({ key, namespaces }: Use): boolean {
  const [, namespace, rest] = /^(\w+):(.+)$/.exec(key) ?? [];
  const wanted = rest ?? key;
  const parts = wanted.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.+')}($|\\.)`); // a group of texts may be asked for as a whole
  return (namespace ? [namespace] : namespaces).some((name) =>
    [...(known.get(name) ?? [])].some((one) => pattern.test(one)),
  );
}

describe('the texts of the screens', () => {
  it.each(Object.keys(en) as (keyof typeof en)[])(
    '%s: German has every text of English, and fills in nothing that English does not know',
    (namespace) => {
      const english = flat(en[namespace] as Texts);
      const german = flat(de[namespace] as Texts);
      expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
      for (const [key, text] of english) {
        const unknown = placeholders(german.get(key) ?? '').filter((one) => !placeholders(text).includes(one));
        expect(unknown, key).toEqual([]);
      }
    },
  );

  it('has no empty text', () => {
    const texts = [en, de].flatMap((language) => Object.values(language).flatMap((one) => [...flat(one as Texts)]));
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('knows every text that a screen asks for', () => {
    expect(uses().length).toBeGreaterThan(100);
    expect(uses().filter((use) => !exists(use))).toEqual([]);
  });
});
