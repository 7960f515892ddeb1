import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HubDesk } from '../../../../src-main/app/models/hub-desk.ts';
import type { Catalogue } from '../../../../src-main/models/catalogue/catalogue.ts';
import { HttpClient } from '../../../../src-main/models/downloads/http-client.ts';
import { fitModel } from '../../../../src-main/models/fit/fit-model.ts';
import { Hub } from '../../../../src-main/models/hub/hub.ts';
import type { ModelLibrary } from '../../../../src-main/models/library/library.ts';
import { writeHollowModel } from '../../../support/hollow-model.ts';
import { HUB_MODELS } from '../../../support/hub-data.ts';
import { HUB_TOKEN, HubServer } from '../../../support/hub-server.ts';
import { GIB, machine } from '../../models/fit/profiles.ts';

const QWEN = 'unsloth/Qwen3-4B-Instruct-2507-GGUF';
const SHAPE = {
  ...{ architecture: 'llama' as const, name: 'poet', layers: 4, embedding: 128, heads: 4, kvHeads: 2, headSize: 32 },
  ...{ feedForward: 256, contextLength: 512, vocabulary: 2_000, type: 'Q8_0' as const },
};
let dir: string;
let server: HubServer;
let client: HttpClient;
let own: { name: string; sha256: string }[];
let freeRam: number;
let now: number;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-hub-desk-'));
  server = await new HubServer(HUB_MODELS).open();
  own = [];
  freeRam = 32 * GIB;
  now = 0;
});
afterEach(async () => {
  await client.close();
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

function desk(token?: string): HubDesk {
  const { url } = server;
  client = new HttpClient({
    ...{ userAgent: 'quarry/test', isNamed: () => true, proxies: { httpProxy: '', httpsProxy: '' } },
    ...(token && { token: { origin: url, value: token } }),
  });
  return new HubDesk({
    hub: new Hub({ endpoint: url, client, hasToken: token !== undefined }),
    client,
    library: { list: async () => own } as unknown as ModelLibrary,
    catalogue: { entries: [{ name: 'Gemma-3-4B-it-Q4_0' }] } as unknown as Catalogue,
    fits: {
      fitProfile: async (profile, sha256) =>
        fitModel(profile, machine({ freeRam }), { contextSize: 8_192, parallel: 1, calibrations: [], sha256 }),
    },
    now: () => now,
  });
}

it('a list tells how each would run in the usual size, where its parameters are told', async () => {
  server.models = [...HUB_MODELS, { id: 'a/untold', files: [{ path: 'x-Q4_0.gguf', bytes: 5 }] }];
  freeRam = 8 * GIB;
  const { models } = await desk().search({ text: '', sort: 'downloads', limit: 30 });
  const runs = Object.fromEntries(models.map(({ id, fit }) => [id, fit?.runs ?? null]));
  expect(runs).toMatchObject({ [QWEN]: 'cpu', 'ggml-org/gpt-oss-120b-GGUF': 'no', 'a/untold': null });
});

describe('a repository of the hub', () => {
  it('is told with how each quantisation would run, and which to take', async () => {
    const found = await desk().repository(QWEN, false);
    expect(found).toMatchObject({ licence: 'apache-2.0', access: 'open', estimated: true, contextLength: 262_144 });
    expect(found.page).toBe(`${server.url}/${QWEN}`);
    const memory = found.quantisations.map(({ fit }) => fit?.memory.total ?? 0);
    expect(memory).toEqual(memory.toSorted((a, b) => a - b));
    expect(found.quantisations.filter(({ recommended }) => recommended).map(({ name }) => name)).toEqual(['Q5_K_M']);
  });

  it('has another one to take where there is less memory, and none where nothing fits', async () => {
    freeRam = 4.7 * GIB;
    const small = await desk().repository(QWEN, false);
    expect(small.quantisations.find(({ recommended }) => recommended)?.name).toBe('Q4_K_S');
    freeRam = 2 * GIB;
    const none = await desk().repository(QWEN, false);
    expect(none.quantisations.filter(({ recommended, fit }) => recommended || fit?.runs !== 'no')).toEqual([]);
  });

  it('marks what is here by its bytes, whatever it is called', async () => {
    const [first] = (await desk().repository(QWEN, false)).quantisations;
    own = [{ name: 'my-qwen', sha256: first?.sha256 ?? '' }];
    const [marked, second] = (await desk().repository(QWEN, false)).quantisations;
    expect(marked).toMatchObject({ installed: true, model: 'my-qwen' });
    expect(second).toMatchObject({ installed: false, model: 'Qwen3-4B-Instruct-2507-IQ4_XS' });
  });

  it('is asked for once, and again after a minute', async () => {
    const one = desk();
    await one.repository(QWEN, false);
    await one.repository(QWEN, false);
    now = 61_000;
    await one.repository(QWEN, false);
    expect(server.asked).toHaveLength(2);
  });

  it('fits by the header of one of its files, once that was read', async () => {
    const path = join(dir, 'poet.gguf');
    const bytes = await writeHollowModel(path, SHAPE);
    const files = [
      { path: 'poet-Q8_0.gguf', from: path },
      { path: 'poet-F16.gguf', bytes: bytes * 2 },
    ];
    server.models = [{ id: 'a/poet', files }];
    const one = desk();
    const estimate = await one.repository('a/poet', false);
    const exact = await one.repository('a/poet', true);
    expect([estimate.estimated, exact.estimated]).toEqual([true, false]);
    const [small, large] = exact.quantisations.map(({ fit }) => fit);
    expect(small).toMatchObject({ contextSize: 512, layers: 5 });
    expect(large?.memory.weights).toBeCloseTo((small?.memory.weights ?? 0) * 2, -3);
    const reads = server.asked.filter(({ path: asked }) => asked.startsWith('/cdn/')).length;
    await one.repository('a/poet', true);
    expect(server.asked.filter(({ path: asked }) => asked.startsWith('/cdn/'))).toHaveLength(reads);
  });

  it('keeps its estimate where the header is not shown, or is another file’s', async () => {
    server.models = [{ id: 'a/gated', gated: 'auto', files: [{ path: 'x-Q8_0.gguf', from: import.meta.filename }] }];
    expect(await desk().repository('a/gated', true)).toMatchObject({ estimated: true, access: 'terms' });
    expect(await desk(HUB_TOKEN).repository('a/gated', true)).toMatchObject({ estimated: true, hasToken: true });
  });
});

describe('what to download of it', () => {
  it('is the file of this commit, with its length and hash', async () => {
    const wanted = await desk().wanted(QWEN, 'q4_k_m');
    expect(wanted).toMatchObject({ name: 'Qwen3-4B-Instruct-2507-Q4_K_M', bytes: 2.5e9, licence: 'apache-2.0' });
    expect(wanted.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(wanted.urls).toEqual([
      expect.stringMatching(/\/resolve\/[0-9a-f]{40}\/Qwen3-4B-Instruct-2507-Q4_K_M\.gguf$/),
    ]);
  });

  it('is what suits this computer where nothing is named', async () => {
    expect((await desk().wanted(QWEN, undefined)).name).toMatch(/Q5_K_M$/);
    freeRam = 2 * GIB;
    await expect(desk().wanted(QWEN, undefined)).rejects.toMatchObject({ hint: /^Choose one of: Q2_K, IQ4_XS/ });
  });

  it('gets no name that a model of the catalogue has', async () => {
    server.models = [{ id: 'google/g', files: [{ path: 'gemma-3-4b-it-q4_0.gguf', bytes: 5 }] }];
    expect((await desk().wanted('google/g', 'Q4_0')).name).toBe('gemma-3-4b-it-q4_0-google');
  });

  it.each([
    [QWEN, 'Q9_X', /has no «Q9_X»/],
    ['ggml-org/gpt-oss-120b-GGUF', undefined, /only has models in several files/],
    ['no/such', undefined, /does not show no\/such/],
    ['../etc', undefined, /is no repository/],
    ['a/b/c', undefined, /is no repository/],
  ])('%s:%s is told as a mistake', async (id, wanted, message) => {
    await expect(desk().wanted(id, wanted)).rejects.toMatchObject({ message });
  });

  it('has to be named by its file where two are of one quantisation', async () => {
    const files = ['a-7b-Q4_0.gguf', 'a-13b-Q4_0.gguf'].map((path, place) => ({ path, bytes: 5 + place }));
    server.models = [{ id: 'a/b', files }];
    await expect(desk().wanted('a/b', 'Q4_0')).rejects.toMatchObject({ hint: /a-7b-Q4_0\.gguf, a-13b-Q4_0\.gguf/ });
    expect((await desk().wanted('a/b', 'a-13b-Q4_0.gguf')).bytes).toBe(6);
  });
});
