import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import { PoliteClient } from '../../../../src-main/clips/sources/polite-client.ts';
import type { Source } from '../../../../src-main/clips/sources/source.ts';
import { explainUnwritten } from '../../../../src-main/clips/sources/source-errors.ts';
import type { HttpAnswer } from '../../../../src-main/models/downloads/http-exchange.ts';
import { foundVideoSchema } from '../../../../src-preload/contract/data.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { SOURCE_CASES, type SourceCase } from '../../../support/clip-sources.ts';

const signal = new AbortController().signal;
const ORIGIN = 'https://server.example';
const ODD = [
  null,
  7,
  -1,
  1e308,
  '',
  'x'.repeat(5_000),
  '\u202e\u0000<b>',
  [],
  [[]],
  {},
  { id: 1 },
  true,
  '//',
  'javascript:1',
];

/** A source whose server says what is told. */
function saying(of: SourceCase, answer: (url: URL) => unknown): Source {
  const get = async (url: URL): Promise<HttpAnswer> => {
    const body = Buffer.from(JSON.stringify(answer(url)));
    return {
      url,
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: async function* () {
        yield body;
      },
      drop: () => undefined,
    };
  };
  return of.open(ORIGIN, new PoliteClient({ client: { get }, paceMs: 0.001, burst: 1e9 }));
}

/** Every place in a document, as its keys from the outermost on. */
function places(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => places(inner).map((rest) => [key, ...rest]))];
}

/** A copy with something else at some places; undefined takes one out. */
function changed(value: unknown, changes: readonly { at: string[]; to: unknown }[]): unknown {
  let copy = structuredClone(value);
  for (const { at, to } of changes) {
    const last = at.at(-1);
    const parent = at.slice(0, -1).reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], copy);
    if (last === undefined) copy = structuredClone(to);
    // A list has a length, too, as some files have.
    else if (typeof parent === 'object' && parent !== null && !(Array.isArray(parent) && last === 'length'))
      (parent as Record<string, unknown>)[last] = structuredClone(to);
  }
  return copy;
}

it.each(Object.entries(SOURCE_CASES))('%s makes videos or a clear error of whatever it is told', async (_, make) => {
  const of = make(ORIGIN);
  const recorded = (url: URL) => {
    const reply = of.replies(Buffer.alloc(0))(url, ORIGIN);
    return reply && 'json' in reply ? JSON.parse(reply.json) : {};
  };
  const asks = [
    (source: Source) => source.search(of.topic, { signal }).then(({ found }) => found),
    (source: Source) => source.look(of.id, signal).then((video) => (video ? [video] : [])),
  ];
  const change = fc.record({ place: fc.nat(), to: fc.constantFrom(...ODD, undefined) });
  const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
    for (const ask of asks) {
      const source = saying(of, (url) => {
        const answer = recorded(url);
        const all = places(answer);
        return (
          changed(
            answer,
            changes.map(({ place, to }) => ({ at: all[place % all.length] ?? [], to })),
          ) ?? null
        );
      });
      const result = await ask(source).catch((error: unknown) => error);
      if (result instanceof QuarryError) expect(['PROTOCOL', 'RATE_LIMIT']).toContain(result.code);
      else for (const video of result as unknown[]) expect(foundVideoSchema.parse(video)).toEqual(video);
    }
  });
  await fc.assert(property, { numRuns: 300 });
});

it.each(Object.entries(SOURCE_CASES))('%s does without an odd video, and keeps the others', async (_, make) => {
  const of = make(ORIGIN);
  const reply = of.replies(Buffer.alloc(0))(new URL(await firstUrl(of)), ORIGIN);
  const answer = reply && 'json' in reply ? JSON.parse(reply.json) : {};
  const list = answer.response?.docs ?? answer.query?.pages ?? answer.data;
  const { found } = await saying(of, () => answer).search(of.topic, { signal });
  list.push({ title: 7, uuid: 'no' }, null, []);
  expect((await saying(of, () => answer).search(of.topic, { signal })).found).toEqual(found);
  list.splice(0, list.length - 3);
  await expect(saying(of, () => answer).search(of.topic, { signal })).rejects.toMatchObject({ code: 'PROTOCOL' });
});

/** What it asks first in a search. */
async function firstUrl(of: SourceCase): Promise<string> {
  let asked = '';
  const source = saying(of, (url) => {
    asked ||= url.href;
    return {};
  });
  await source.search(of.topic, { signal }).catch(ignoring('an empty answer may be none'));
  return asked;
}

it('says what to do about a full disk', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(explainUnwritten(full, '/data')).toMatchObject({ code: 'DISK_FULL', retryable: true });
  const other = new Error('another');
  expect(explainUnwritten(other, '/data')).toBe(other);
});
