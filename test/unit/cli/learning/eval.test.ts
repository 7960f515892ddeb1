import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EvalFlags, evaluate, registerEval } from '../../../../src-main/cli/learning/eval.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { EvalPorts } from '../../../../src-main/learning/evaluation/harness/eval-ports.ts';
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
function ports(): EvalPorts {
  return {
    asked: {
      answer: async () => ({ text: 'I am an assistant.', finish: 'stop', tokens: [1, 2, 3, 4] }),
      score: async (_, answer) => scoredWords(answer, -1),
    },
    model: { name: 'made', sha256: 'ab' },
    learn: async () => ({
      adapter: 'a.gguf',
      model: { name: 'made', sha256: 'ab' },
      learn: async () => ({ distill_loss: 1, kl_reg: 0, mean_is_ratio: null, clip_fraction: null }),
      close: async () => undefined,
    }),
  };
}

async function run(flags: Partial<EvalFlags>, said: EvalFlags = FLAGS) {
  const lines: string[] = [];
  const documents: unknown[] = [];
  const output = {
    json: true,
    line: (text = '') => void lines.push(text),
    write: () => undefined,
    note: () => undefined,
    document: (value: unknown) => void documents.push(value),
  };
  const context = { output, signal: new AbortController().signal } as unknown as CommandContext;
  let closed = 0;
  const open = async () => ({ ports: ports(), [Symbol.asyncDispose]: async () => void closed++ });
  await evaluate(context, { ...said, out: folder, ...flags }, open);
  return { lines, documents, closed };
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
