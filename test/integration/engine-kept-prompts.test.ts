import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  watch,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ifMissing, ignoring } from '../../src-main/base/swallowed.ts';
import type { GenerateOptions } from '../../src-main/inference/backend.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import type { KeepPrompts, LocalBackendOptions } from '../../src-main/inference/host/local-options.ts';
import type { GenerateResult } from '../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { events, generate, tinyEngine } from '../support/engine.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';
import { until } from '../support/until.ts';

/** More than 512 tokens of the tiny model's. */
const SYSTEM = 'The mesh is a peer, and a peer is a key. '.repeat(60);
const OWN: GenerateOptions = { keepPrompt: true };
/** A model that was trained, where there is one. */
const realModel = await findRealModel(SMOLLM2);

let folder: string;
/** What an engine keeps that was asked {@link QUESTION}, and what it answers. */
let made: { name: string; bytes: Buffer; first: GenerateResult };

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'quarry-kept-prompts-')), 'kept');
  made ??= await make();
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

function ask(question: string, system = SYSTEM): GenerateRequest {
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: question },
  ];
  return { input: { messages }, maxTokens: 12, temperature: 0 };
}

const QUESTION = ask('What is Quarry?');

const all = async () => ((await readdir(folder).catch(ifMissing)) ?? []).toSorted();
const kept = async () => (await all()).filter((name) => name.endsWith('.state')).map((name) => join(folder, name));
/** Without the checksum: how a prompt is cut into batches rounds its numbers in another way. */
const keyOf = (name: string) => name.split('.')[0];
const onlyKept = async () => {
  const [path, ...more] = await kept();
  if (path === undefined || more.length > 0) throw new Error(`There is not one file but ${more.length}.`);
  return path;
};

type Engine = LocalBackend & AsyncDisposable;

async function started(more: Partial<LocalBackendOptions> = {}, keep: Partial<KeepPrompts> = {}): Promise<Engine> {
  const engine = tinyEngine({ contextSize: 4_096, keepPrompts: { folder, most: 1e9, ...keep }, ...more });
  await engine.open();
  return Object.assign(engine, { [Symbol.asyncDispose]: () => engine.close() });
}

/** By an engine that has just started and ends then. */
async function answered(options = OWN, more?: Partial<LocalBackendOptions>): Promise<GenerateResult> {
  await using engine = await started(more);
  return await generate(engine, QUESTION, options);
}

/** By an engine that ends when it has kept the instructions. */
async function keptNow(more?: Partial<LocalBackendOptions>) {
  await using engine = await started(more);
  const first = await generate(engine, QUESTION, OWN);
  return { first, path: await until(onlyKept) };
}

async function make() {
  const { first, path } = await keptNow();
  const kept = { name: basename(path), bytes: await readFile(path), first };
  await rm(folder, { recursive: true });
  return kept;
}

/** As if an engine had kept the instructions before. */
async function keptBefore(): Promise<{ first: GenerateResult; path: string }> {
  const path = join(folder, made.name);
  await mkdir(folder, { recursive: true });
  await writeFile(path, made.bytes);
  return { first: made.first, path };
}

describe('instructions on the disk', () => {
  it('are read once, also when the engine ended in between, and the answer is the same', async () => {
    const { first, path } = await keptBefore();
    const again = await answered();
    expect(first.cachedTokens).toBe(0);
    expect(again.cachedTokens).toBeGreaterThan(512);
    expect(again.cachedTokens).toBeLessThan(again.promptTokens);
    expect(again.text).toBe(first.text);
    expect(await kept()).toEqual([path]);
  });

  it.runIf(process.platform !== 'win32')('are for their owner only', async () => {
    const { path } = await keptNow();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.skipIf(!realModel)('of a trained model are read once too, and it says the same', { tags: ['long'] }, async () => {
    const real = { modelPath: realModel ?? '' };
    const { first } = await keptNow(real);
    const again = await answered(OWN, real);
    expect([first.cachedTokens, again.cachedTokens > 512]).toEqual([0, true]);
    expect(again.text).toBe(first.text);
  });

  it('serve other questions, and later turns', async () => {
    await keptBefore();
    await using engine = await started();
    const messages = [
      { role: 'system' as const, content: SYSTEM },
      { role: 'user' as const, content: 'Who are you?' },
      { role: 'assistant' as const, content: 'A mesh.' },
      { role: 'user' as const, content: '\n\nAnd then?' },
    ];
    const later = await generate(engine, { input: { messages }, maxTokens: 2 }, OWN);
    expect(later.cachedTokens).toBeGreaterThan(512);
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ['cut off', async (path) => await truncate(path, (await stat(path)).size >> 1)],
    ['empty', async (path) => await writeFile(path, '')],
    ['changed in one byte', async (path) => await writeFile(path, flipped(await readFile(path)))],
    ['with the checksum of nonsense', async (path) => await disguised(path, Buffer.alloc(5_000, 7))],
    [
      'with the checksum of half of it',
      async (path) => await disguised(path, (await readFile(path)).subarray(0, 9_000)),
    ],
    ['of other instructions', async (path) => await replacedByAnother(path)],
  ])('that are %s are read anew and kept again', async (_, damage) => {
    const { first, path } = await keptBefore();
    await damage(path);
    await using engine = await started();
    const pid = engine.pid;
    const again = await generate(engine, QUESTION, OWN);
    expect([again.cachedTokens, again.text]).toEqual([0, first.text]);
    const now = await until(onlyKept);
    expect(keyOf(now)).toBe(keyOf(path));
    expect(await checksum(now)).toBe(true);
    expect(engine.pid).toBe(pid);
  });

  it.each<[string, Partial<LocalBackendOptions>]>([
    ['another model', { sha256: 'a'.repeat(64) }],
    ['other positions', { rope: { type: 'linear', factor: 2 } }],
  ])('are of no use to %s', async (_, other) => {
    await keptBefore();
    expect((await answered(OWN, other)).cachedTokens).toBe(0);
  });

  it('are not kept of others, of private questions, where they are short or none, nor for a fresh answer', async () => {
    await using engine = await started({}, { forOthers: false });
    const others: [options: GenerateOptions | undefined, request: GenerateRequest][] = [
      [undefined, ask('What?', `Others. ${SYSTEM}`)],
      [{ keepPrompt: false }, ask('What?', `Private. ${SYSTEM}`)],
      [{ keepPrompt: true, fresh: true }, ask('What?', `Fresh. ${SYSTEM}`)],
      [OWN, ask('What?', 'Be brief.')],
      [OWN, { input: { prompt: `No instructions. ${SYSTEM}` }, maxTokens: 2 }],
    ];
    for (const [options, request] of others) await generate(engine, request, options);
    await generate(engine, QUESTION, OWN);
    await until(onlyKept);
    expect((await all()).map(keyOf)).toEqual([keyOf(made.name)]);
  });

  it('are not kept where there is no room for them', async () => {
    await using engine = await started({}, { most: 1_000 });
    await generate(engine, QUESTION, OWN);
    await until(async () => expect(await all()).toEqual([]));
    expect(await generate(engine, QUESTION, OWN)).toMatchObject({ text: made.first.text });
  });

  it('of others are kept where the settings say so, private ones never', async () => {
    await using engine = await started({}, { forOthers: true });
    await generate(engine, ask('What?', `Private. ${SYSTEM}`), { keepPrompt: false });
    await generate(engine, QUESTION);
    await until(onlyKept);
    expect((await all()).map(keyOf)).toEqual([keyOf(made.name)]);
  });

  it('give way to newer ones, those first that nobody used for longest', async () => {
    const { path } = await keptBefore();
    const { size } = await stat(path);
    await using engine = await started({}, { most: size * 2.5 });
    const systems = ['One. ', 'Two. '].map((text) => text + SYSTEM);
    await generate(engine, ask('What?', systems[0]), OWN);
    await until(async () => expect(await kept()).toHaveLength(2));
    const second = (await kept()).find((one) => one !== path) ?? '';
    await utimes(path, 1_000, 1_000); // then it is used once more
    await utimes(second, 2_000, 2_000);
    expect((await answered()).cachedTokens).toBeGreaterThan(512);
    await generate(engine, ask('What?', systems[1]), OWN);
    await until(async () => {
      const now = await kept();
      expect([now.length, now.includes(path), now.includes(second)]).toEqual([2, true, false]);
    });
  });

  it('that cannot be written are read as ever', async () => {
    await writeFile(folder, 'a file');
    const first = await answered();
    expect([(await answered()).text, first.cachedTokens]).toEqual([first.text, 0]);
    expect(await readFile(folder, 'utf8')).toBe('a file');
  });

  it('are whole or not there when the engine is killed while it writes them', async () => {
    const { first } = await keptBefore();
    for (const wanted of [/\.tmp$/, /\.state$/]) {
      await rm(folder, { recursive: true });
      await killedAt(wanted);
      const next = await answered();
      expect(next.text).toBe(first.text);
      for (const path of await kept()) expect(await checksum(path)).toBe(true);
    }
  });
});

/** Kills an engine as soon as there is such a file. It is told of it: looking again and again, a busy machine misses what is there for milliseconds. */
async function killedAt(wanted: RegExp): Promise<void> {
  await mkdir(folder);
  await using engine = await started();
  const changes = watch(folder);
  const answer = events(engine, QUESTION, OWN).catch(ignoring('the engine was killed'));
  for await (const { filename } of changes) if (wanted.test(filename ?? '')) break;
  process.kill(engine.pid ?? 0, 'SIGKILL');
  await answer;
}

async function checksum(path: string): Promise<boolean> {
  return path.endsWith(`.${sum(await readFile(path))}.state`);
}

const sum = (bytes: Buffer) => crc32(bytes).toString(16).padStart(8, '0');

function flipped(bytes: Buffer): Buffer {
  const at = bytes.length - 100;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

/** Other bytes, whose checksum is right. */
async function disguised(path: string, bytes: Buffer): Promise<void> {
  await rm(path);
  await writeFile(path.replace(/\.[0-9a-f]{8}\.state$/, `.${sum(bytes)}.state`), bytes);
}

async function replacedByAnother(path: string): Promise<void> {
  const aside = join(folder, '..', 'aside');
  await rename(path, aside);
  await using engine = await started();
  await generate(engine, ask('What?', `Others. ${SYSTEM}`), OWN);
  const other = await until(onlyKept);
  const bytes = await readFile(other);
  await rm(other);
  await copyFile(aside, path);
  await disguised(path, bytes);
}
