import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Token } from 'node-llama-cpp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ifMissing } from '../../../../../src-main/base/swallowed.ts';
import { type KeptPrompt, KeptPrompts } from '../../../../../src-main/inference/child/kept-prompts/kept-prompts.ts';
import { until } from '../../../../support/until.ts';

const MOST_MS = 2_000;
const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, index) => (from + index) as Token);

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quarry-kept-'));
  folder = join(parent, 'kept');
});
afterEach(() => rm(parent, { recursive: true }));

const names = async () => (await readdir(folder).catch(ifMissing)) ?? [];
const KEPT = /\.state$/;

/** What writes and reads takes no time, but for what is said. */
function setUp({ bytes = 1_000, writeMs = 1, free = 1e12, most = 1e9, way = 'w', fails = false } = {}) {
  let clock = 0;
  const warnings: string[] = [];
  const written = new Map<number, readonly Token[]>();
  let loaded = Uint32Array.of();
  const prompts = new KeptPrompts({
    addon: {
      async saveSequence(path, sequence, held) {
        if (fails) throw new Error('No space left on device');
        await writeFile(path, Buffer.alloc(bytes, sequence));
        clock += writeMs;
        written.set(sequence, held);
        loaded = Uint32Array.from(held);
        return bytes;
      },
      loadSequence: async () => loaded,
    },
    ...{ way, contextSize: 4_096, warn: (text) => void warnings.push(text), now: () => clock },
  });
  prompts.use({ folder, most, model: 'a'.repeat(64), free: async () => free });
  const prompt = (held = tokens(10), adapter?: string) => prompts.prompt(held, adapter) as KeptPrompt;
  return { prompts, prompt, warnings, written };
}

it('are kept where reading them took three times as long as the disk would', async () => {
  const { prompts, prompt } = setUp({ bytes: 1_000_000 });
  await prompts.save(prompt(), 0, 29, MOST_MS);
  expect(await names()).toEqual([]);
  await prompts.save(prompt(), 0, 31, MOST_MS);
  await until(async () => expect(await names()).toEqual([expect.stringMatching(KEPT)]));
  expect(await prompts.load(prompt(), 1, 10)).toBe('loaded');
});

it('are not there while they are tried: what ends the engine does so once', async () => {
  const { prompts, prompt } = setUp();
  await prompts.save(prompt(), 0, 5_000, MOST_MS);
  const [name = ''] = await names();
  expect(await prompts.load(prompt(), 1, MOST_MS)).toBe('loaded');
  expect((await names()).filter((each) => KEPT.test(each))).toEqual([]);
  expect(await setUp().prompts.load(prompt(), 1, MOST_MS)).toBe('absent');
  await prompts.trust(prompt());
  expect(await names()).toEqual([name]);
});

it('are no more in an hour than may be kept at all', async () => {
  const { prompts, prompt, written } = setUp({ most: 2_500 });
  for (const from of [0, 1, 2, 3]) await prompts.save(prompt(tokens(10, from)), from, 5_000, MOST_MS);
  expect([...written.keys()]).toEqual([0, 1]);
});

it('that are larger than all may be are not read', async () => {
  const { prompts, prompt } = setUp();
  await prompts.save(prompt(), 0, 5_000, MOST_MS);
  expect(await setUp({ most: 900 }).prompts.load(prompt(), 1, MOST_MS)).toBe('absent');
});

it('are left where they would hold up others for too long, or nobody knows for how long', async () => {
  const { prompts, prompt, written } = setUp({ bytes: 1_000_000, writeMs: 300 });
  await prompts.save(prompt(), 0, 5_000, 100);
  expect(written.size).toBe(0);
  await prompts.save(prompt(), 1, 5_000, MOST_MS);
  await prompts.save(prompt(tokens(10, 50)), 2, 5_000, 100);
  expect([...written.keys()]).toEqual([1]);
  await until(async () => expect(await names()).toEqual([expect.stringMatching(KEPT)]));
  expect(await prompts.load(prompt(), 3, 5)).toBe('absent');
});

it('are others with another model, adapter, way or tokens', async () => {
  const { prompts, prompt } = setUp();
  const { prompt: elsewhere } = setUp({ way: 'q8_0' });
  const keys = [prompt(), prompt(tokens(11)), prompt(tokens(10), 'personal'), elsewhere()].map(({ key }) => key);
  prompts.use({ folder, most: 1e9, model: 'b'.repeat(64) });
  expect(new Set([...keys, prompt().key]).size).toBe(5);
});

it('are not kept on a drive that is nearly full', async () => {
  const { prompts, prompt, warnings } = setUp({ free: 900_000_000 });
  await prompts.save(prompt(), 0, 5_000, MOST_MS);
  expect([await names(), warnings]).toEqual([[], []]);
});

it('leave nothing where they cannot be written, and say so', async () => {
  const { prompts, prompt, warnings } = setUp({ fails: true });
  await prompts.save(prompt(), 0, 5_000, MOST_MS);
  expect([await names(), warnings]).toEqual([[], [expect.stringContaining('No space left')]]);
});

it('go with what a kill left of others, but not with what is being written', async () => {
  const { prompts, prompt } = setUp();
  await prompts.save(prompt(), 0, 5_000, MOST_MS);
  await until(async () => expect(await names()).toEqual([expect.stringMatching(KEPT)]));
  const [old, young] = ['old', 'young'].map((_, at) => join(folder, `${'c'.repeat(64)}.${String(at).repeat(12)}.tmp`));
  for (const path of [old, young]) await writeFile(path ?? '', 'half');
  await utimes(old ?? '', 1_000, 1_000);
  await prompts.save(prompt(tokens(10, 90)), 0, 5_000, MOST_MS);
  await until(async () => expect((await names()).filter((name) => KEPT.test(name))).toHaveLength(2));
  expect((await names()).filter((name) => !KEPT.test(name))).toEqual([expect.stringContaining('111111111111.tmp')]);
});

it('leave a sequence alone that is not touched, and tell of one that is broken', async () => {
  const { prompts, prompt } = setUp();
  await prompts.save(prompt(), 0, 5_000, MOST_MS);
  await until(async () => expect(await names()).toEqual([expect.stringMatching(KEPT)]));
  const [name = ''] = await names();
  const another = prompt(tokens(10, 500));
  await writeFile(join(folder, name.replace(prompt().key, another.key)), Buffer.alloc(1_000, 0));
  expect(await prompts.load(another, 1, MOST_MS)).toBe('broken');
  expect(await names()).toEqual([name]);
  await writeFile(join(folder, name), 'changed');
  expect(await prompts.load(prompt(), 1, MOST_MS)).toBe('absent');
  expect(await names()).toEqual([]);
});
