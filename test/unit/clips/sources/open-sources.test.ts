import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { version } from '../../../../src-main/base/version.ts';
import { Sources } from '../../../../src-main/clips/sources/open-sources.ts';
import { type SourceSettings, sourceSettings } from '../../../../src-main/clips/sources/source-settings.ts';
import { dataSourceSchema } from '../../../../src-preload/contract/data.ts';
import { SOURCE_CASES } from '../../../support/clip-sources.ts';
import { SourceServer } from '../../../support/clip-sources-server.ts';
import { runPlainly } from '../../../support/clip-sources-ytdlp.ts';

const signal = new AbortController().signal;
const schema = z.object(sourceSettings);

function opened(settings: Partial<SourceSettings> = {}) {
  const all = { ...schema.parse({}), ...settings };
  const http = { proxies: { httpProxy: '', httpsProxy: '' } };
  const polite = { paceMs: 1, firstRetryMs: 1 };
  const sources = new Sources({ settings: () => all, run: runPlainly, now: () => 5_000, http, polite });
  onTestFinished(() => sources.close());
  const of = (kind: string) => sources.list().find((each) => each.kind === kind);
  return { sources, all, of };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'quarry-open-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

it('has folders, the Internet Archive and Commons switched on, and says what the others lack', () => {
  const { sources } = opened();
  const all = sources.list().map((each) => dataSourceSchema.parse(each));
  expect(all.map(({ kind, isOn, lacks }) => [kind, isOn, lacks === null])).toEqual([
    ['folder', true, false],
    ['archive', true, true],
    ['commons', true, false],
    ['peertube', false, false],
    ['ytdlp', false, false],
  ]);
  expect(sources.ready).toEqual(['archive']);
  expect(all.find(({ kind }) => kind === 'commons')?.lacks?.text).toMatch(/^It needs a contact: /);
  expect(opened({ contact: 'me@example.org' }).sources.ready).toEqual(['archive', 'commons']);
  expect(all.at(-1)?.terms?.text).toContain('terms of use');
});

it('opens none that is off, or lacks what it needs', async () => {
  const { sources } = opened({ sources: ['ytdlp', 'folder'], ytdlp: join(await folder(), 'nothing') });
  for (const kind of ['archive', 'ytdlp', 'folder'] as const) {
    expect(() => sources.get(kind)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  }
});

it('follows the settings, and remembers what was asked last and how that went', async () => {
  const path = await folder();
  await writeFile(join(path, 'ball.mp4'), 'x');
  const { sources, all, of } = opened();
  all.folders = [path];
  const source = sources.get('folder');
  expect((await source.search('ball', { signal })).found).toHaveLength(1);
  expect(of('folder')).toMatchObject({ lacks: null, askedAt: 5_000, fault: null });
  await expect(source.fetch('nothing', join(path, 'to'), { mostBytes: 1, mostSeconds: 1, signal })).rejects.toThrow();
  expect(of('folder')?.fault).toBeNull();
});

it('says who asks, and what keeps a server from answering', async () => {
  const server = await new SourceServer().open();
  onTestFinished(() => server.close());
  const peertube = SOURCE_CASES.peertube?.(server.origin);
  server.replies = peertube?.replies(Buffer.alloc(1)) ?? (() => undefined);
  const { sources, all, of } = opened({ sources: ['peertube'], peertube: server.origin, contact: 'me@example.org' });
  await sources.get('peertube').search('ride', { signal });
  all.contact = undefined;
  await sources.get('peertube').search('ride', { signal });
  expect(server.asked.map(({ headers }) => headers['user-agent'])).toEqual([
    `Quarry/${version} (me@example.org)`,
    `Quarry/${version}`,
  ]);
  server.replies = () => ({ json: '[]' });
  await expect(sources.get('peertube').search('ride', { signal })).rejects.toMatchObject({ code: 'PROTOCOL' });
  expect(of('peertube')?.fault?.text).toContain('127.0.0.1');
});

it('uses licences that the settings allow, of those that can be allowed', () => {
  const { sources, all } = opened({ licences: ['by'] });
  expect(sources.whyUnusable({ licence: 'by' })).toBeUndefined();
  expect(sources.whyUnusable({ licence: 'byNc' })?.key).toBe('clipSources.notAllowed');
  all.licences = ['byNd' as never];
  expect(sources.whyUnusable({ licence: 'byNd' })?.key).toBe('clipSources.noDerivatives');
});

it('takes no setting that would ask in the open, or put something into what is sent', () => {
  const fits = (settings: object) => schema.safeParse(settings).success;
  expect(fits({ peertube: 'https://peertube.example', contact: 'https://example.org/me', licences: ['by'] })).toBe(
    true,
  );
  expect(fits({ peertube: 'http://127.0.0.1:9000' })).toBe(true);
  expect(fits({ peertube: 'http://peertube.example' })).toBe(false);
  expect(fits({ contact: 'me@example.org\r\nx: y' })).toBe(false);
  expect(fits({ licences: ['byNd'] })).toBe(false);
  expect(fits({ sources: ['elsewhere'] })).toBe(false);
});
