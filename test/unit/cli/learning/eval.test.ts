import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EvalFlags, type EvalMeans, evaluate, registerEval } from '../../../../src-main/cli/learning/eval.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { EvalPorts } from '../../../../src-main/learning/evaluation/harness/eval-ports.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { scoredWords } from '../../../support/learning/scored-words.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-eval-'));
});
afterEach(() => rm(folder, { recursive: true }));

const FLAGS: EvalFlags = {
  steps: 1,
  batchSize: 1,
  stepsPerBatch: 1,
  heldOut: 2,
  seed: 1,
  plots: false,
  metrics: ['compliance'],
};

/** A model that never learns. */
function ports(says = 'I am an assistant.'): EvalPorts {
  return {
    asked: {
      answer: async () => ({ text: says, finish: 'stop', tokens: [1, 2, 3, 4] }),
      score: async (_, answer) => scoredWords(answer, -1),
    },
    model: { name: 'made', sha256: 'ab' },
    teacher: () => (messages) => messages,
    learn: async () => ({
      adapter: 'a.gguf',
      model: { name: 'made', sha256: 'ab' },
      learn: async () => ({ distill_loss: 1, kl_reg: 0, mean_is_ratio: null, clip_fraction: null }),
      close: async () => undefined,
    }),
  };
}

async function run(flags: Partial<EvalFlags>, said: EvalFlags = FLAGS, means?: EvalMeans) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const documents: unknown[] = [];
  const output = {
    json: true,
    line: (text = '') => void lines.push(text),
    write: () => undefined,
    note: (text: string) => void notes.push(text),
    document: (value: unknown) => void documents.push(value),
  };
  const context = { output, signal: new AbortController().signal } as unknown as CommandContext;
  let closed = 0;
  const open = async () => ({ ports: ports(), [Symbol.asyncDispose]: async () => void closed++ });
  await evaluate(context, { ...said, out: folder, ...flags }, means ?? open);
  return { lines, notes, documents, closed };
}

it('shows what came of it, and says why nothing is kept', async () => {
  const { lines, documents, closed } = await run({ preferences: ['identity'] });
  expect(lines.join('\n')).toMatch(/identity +│? *1/);
  expect(lines.join('\n')).toMatch(/No more answers are as they were wanted: 0 of a hundred, 0 before/);
  expect(documents).toMatchObject([{ folder, summaries: [{ preference: 'identity', accepted: false }] }]);
  expect(closed).toBe(1);
  expect(JSON.parse(await readFile(join(folder, 'identity', 'metadata.json'), 'utf8'))).toMatchObject({
    lora_id: 'eval/identity',
  });
});

it('takes preferences of one’s own, and none twice', async () => {
  const file = join(folder, 'own.yaml');
  const yaml = (name: string) =>
    `name: ${name}\nfeedback_string: Be kind\nverifier: IdentityVerifier\nprobe_prompts: [One?, Two?]\n`;
  await writeFile(file, yaml('kind'));
  expect((await run({ file: [file] })).documents).toMatchObject([{ summaries: [{ preference: 'kind' }] }]);
  await writeFile(file, yaml('concise'));
  await expect(run({ file: [file], preferences: ['concise'] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('goes on by its folder alone, as it was begun', async () => {
  await run({ preferences: ['identity'] });
  const again = await run({}, { plots: true });
  expect(again.documents).toMatchObject([{ summaries: [{ preference: 'identity', steps: 1 }] }]);
  const more = await run({ steps: 2 }, { plots: true });
  expect(more.documents).toMatchObject([{ summaries: [{ preference: 'identity', steps: 2 }] }]);
  await expect(run({ seed: 9 }, { plots: true })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(run({ model: 'other' }, { plots: true })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await run({}, { plots: true })).documents).toEqual(more.documents);
});

it('leaves nothing behind where it cannot begin', async () => {
  const out = join(folder, 'new');
  const missing = async () => Promise.reject(new QuarryError({ code: 'MODEL_NOT_FOUND', message: 'None.' }));
  await expect(run({ out }, FLAGS, missing)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  expect(existsSync(out)).toBe(false);
});

it('keeps two out of one folder: the second is refused, before a model is loaded, and the first comes to its end', async () => {
  const second: unknown[] = [];
  let opened = 0;
  const means: EvalMeans = async () => ({
    ports: {
      ...ports(),
      learn: async (...how) => {
        second.push(
          await run({}, FLAGS, () => Promise.reject(new Error(`opened ${++opened}`))).catch((error) => error),
        );
        return await ports().learn(...how);
      },
    },
    [Symbol.asyncDispose]: async () => undefined,
  });
  const { documents } = await run({ preferences: ['identity'] }, FLAGS, means);
  expect(documents).toMatchObject([{ summaries: [{ steps: 1 }] }]);
  expect(second).toMatchObject([{ code: 'BAD_REQUEST', field: 'out' }]);
  expect(opened).toBe(0);
  expect(existsSync(join(folder, '.lock'))).toBe(false);
});

it('says which file it cannot read, and where results cannot be', async () => {
  const file = join(folder, 'none.yaml');
  await expect(run({ file: [file] })).rejects.toMatchObject({ field: 'file', message: `There is no file «${file}».` });
  await writeFile(join(folder, 'taken'), '');
  const [taken, below] = [join(folder, 'taken'), join(folder, 'taken', 'out')];
  const inTheWay = { code: 'BAD_REQUEST', field: 'out' };
  await expect(run({ out: taken })).rejects.toMatchObject({
    ...inTheWay,
    message: expect.stringContaining('is a file'),
  });
  await expect(run({ out: below })).rejects.toMatchObject({
    ...inTheWay,
    message: expect.stringContaining('in the way'),
  });
});

it.skipIf(process.platform === 'win32').each([
  ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ['a folder', (path: string) => mkdir(path)],
  ['huge', (path: string) => writeFile(path, '').then(() => truncate(path, 2 ** 32))],
])('waits for nobody, and reads no more than there may be, where a file is %s', async (_, make) => {
  const own = join(folder, 'own.yaml');
  await make(own);
  await expect(run({ file: [own] })).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'file' });
  for (const name of ['evaluation.json', 'identity/steps.jsonl', 'identity/baseline.json']) {
    const out = join(folder, name.replaceAll('/', ' '));
    await mkdir(join(out, 'identity'), { recursive: true });
    await make(join(out, name));
    const foreign = { code: 'BAD_REQUEST', message: expect.stringContaining(name.split('/').at(-1) ?? '') };
    await expect(run({ out, preferences: ['identity'] })).rejects.toMatchObject(foreign);
  }
});

it('says that it is further than the steps that are wanted', async () => {
  await run({ preferences: ['identity'], steps: 2 });
  const { notes, documents } = await run({ steps: 1 }, { plots: true });
  expect(documents).toMatchObject([{ summaries: [{ steps: 2 }] }]);
  expect(notes).toContainEqual(expect.stringMatching(/^identity: 2 steps are done already, more than the 1 /));
});

it('says nothing of a capability that was not there before; the file has the original’s 1', async () => {
  const unable = async () => ({ ports: ports('A function.'), [Symbol.asyncDispose]: async () => undefined });
  const { lines, documents } = await run({ preferences: ['identity'], metrics: ['general'] }, FLAGS, unable);
  const summary = { capability_ratio: 1, capability_before: 0 };
  expect(documents).toMatchObject([{ summaries: [summary] }]);
  expect(lines[0]?.split('\n').at(-1)).toMatch(/^identity +1 +\S+ +\S+ +– +– +– +no\s*$/);
});

it('takes names with commas or spaces between them, and says which there are', async () => {
  const learn = new Command('learn').exitOverride();
  registerEval(learn, async () => ({ ports: ports(), [Symbol.asyncDispose]: async () => undefined }));
  const [command] = learn.commands;
  command?.exitOverride().configureOutput({ writeErr: () => undefined });
  let given: EvalFlags | undefined;
  command?.action((flags: EvalFlags) => {
    given = flags;
  });
  learn.parse(['eval', '--preferences', 'concise,identity', '--metrics', 'logprob', 'general'], { from: 'user' });
  expect(given).toMatchObject({ preferences: ['concise', 'identity'], metrics: ['logprob', 'general'] });
  expect(() => learn.parse(['eval', '--preferences', 'kind'], { from: 'user' })).toThrow(/none of no_emoji, concise/);
});

it('knows the options that are named', () => {
  const learn = new Command('learn');
  registerEval(learn, async () => ({ ports: ports(), [Symbol.asyncDispose]: async () => undefined }));
  const help = learn.commands[0]?.helpInformation() ?? '';
  for (const option of ['--preferences', '--steps', '--seed', '--out', '--metrics', '--no-plots'])
    expect(help).toContain(option);
});
