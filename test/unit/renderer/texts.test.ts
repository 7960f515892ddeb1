import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GERMAN } from '../../../src-preload/contract/sayings/german.ts';
import { de } from '../../../src-renderer/i18n/de.ts';
import { en } from '../../../src-renderer/i18n/en.ts';
import type { Texts } from '../../../src-renderer/i18n/texts.ts';

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
    new Set([...flat(texts).keys()].map((key) => key.replace(/_(one|other)$/, ''))),
  ]),
);

/** The code of every screen, with the namespaces that it speaks. */
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    const namespaces = [...code.matchAll(/useTranslation\((?:'(\w+)'|\[([^\]]+)\])?\)/g)].flatMap(([, one, several]) =>
      several ? [...several.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? '') : [one ?? 'common'],
    );
    // The frame says the title of whichever page is open.
    if (/useTranslation\(name\)|ns: page\.name/.test(code)) namespaces.push(...Object.keys(en));
    return { file, code, namespaces: new Set([...namespaces, 'common']) };
  });

/** The end of a key, or of a group of keys: groups may be asked for as a whole. */
const WITH_GROUPS = '($|\\.)';

/** A template's known parts must fit a key: `mining.${state}` fits `mining.stopped`. */
function fits(wanted: string, namespaces: Set<string>, end = WITH_GROUPS): (namespace: string, key: string) => boolean {
  const [, own, rest] = /^(\w+):(.+)$/.exec(wanted) ?? [];
  const parts = (rest ?? wanted).split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.+')}${end}`);
  return (namespace, key) => (own ? own === namespace : namespaces.has(namespace)) && pattern.test(key);
}

const keys = [...known].flatMap(([namespace, names]) => [...names].map((key) => ({ namespace, key })));

describe('the texts of the screens', () => {
  it.each(Object.keys(en))(
    '%s: German has every text of English, and fills in nothing that English does not know',
    (namespace) => {
      const english = flat(en[namespace] ?? {});
      const german = flat(de[namespace] ?? {});
      expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
      for (const [key, text] of english) {
        const unknown = placeholders(german.get(key) ?? '').filter((one) => !placeholders(text).includes(one));
        expect(unknown, key).toEqual([]);
      }
    },
  );

  it('has a file of German for each of English', () => {
    expect(Object.keys(en)).toContain('common');
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
  });

  it('has no empty text', () => {
    const texts = [en, de].flatMap((language) => Object.values(language).flatMap((one) => [...flat(one)]));
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('calls what a video is worth «Wertung» in German, everywhere', () => {
    const said = Object.entries<string>(GERMAN).filter(([key]) => /^(focus|trade|market)/.test(key));
    const texts = [...flat(de.focus ?? {}), ...flat(de.trade ?? {}), ...said];
    expect(
      texts.filter(([, text]) => /\bWerte?s?\b|Bewertung(?! (?:anhalten|wurde|brach|geändert))/.test(text)),
    ).toEqual([]);
  });

  it('knows every text that a screen asks for', () => {
    const asked = sources.flatMap(({ file, code, namespaces }) =>
      [...code.matchAll(/\bt\(\s*(?:'([^']+)'|`([^`]+)`)/g)].map(([, plain, template]) => {
        const wanted = plain ?? template ?? '';
        return { file, wanted, exists: fits(wanted, namespaces) };
      }),
    );
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter(({ exists }) => !keys.some(({ namespace, key }) => exists(namespace, key)))).toEqual([]);
  });

  it('has no text that no screen asks for', () => {
    // Keys are handed on and put together too: every quoted word of a screen may be one.
    const mentioned = sources.flatMap(({ code, namespaces }) =>
      [...code.matchAll(/(['"`])((?:[\w.:-]|\$\{[^}]*\})+)\1/g)]
        .map(([, , quoted = '']) => quoted)
        .filter((quoted) => /\w/.test(quoted.replace(/\$\{[^}]*\}/g, '')))
        .map((quoted) => fits(quoted, namespaces, code.includes('returnObjects') ? WITH_GROUPS : '$')),
    );
    // What stands instead of main's sentences is asked for by main: see sayings.test.ts.
    const own = keys.filter(({ namespace }) => namespace !== 'inApp');
    const unused = own.filter(({ namespace, key }) => !mentioned.some((mentions) => mentions(namespace, key)));
    expect(unused.map(({ namespace, key }) => `${namespace}:${key}`)).toEqual([]);
  });
});
