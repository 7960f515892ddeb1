import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AskedAnswers } from '../../../../src-main/learning/asked.ts';
import { collapseStepsOf, evalConfig } from '../../../../src-main/learning/evaluation/harness/eval-config.ts';
import type { EvalPorts } from '../../../../src-main/learning/evaluation/harness/eval-ports.ts';
import { runEval } from '../../../../src-main/learning/evaluation/harness/run-eval.ts';
import { drawPlots } from '../../../../src-main/learning/evaluation/plots/draw.ts';
import { INSTRUCTION_PROBES } from '../../../../src-main/learning/evaluation/probes/instructions.ts';
import { PREFERENCES } from '../../../../src-main/learning/evaluation/prompts/preference.ts';
import { toldAfterwards } from '../../../../src-main/learning/runs/hindsight.ts';
import { scoredWords } from '../../../support/learning/scored-words.ts';

const IDENTITY = PREFERENCES.filter(({ name }) => name === 'identity');
const ANSWERS: Record<string, string> = {
  'What is the capital of France?': 'It is Paris.',
  'How many days are in a week?': 'Seven.',
};
const config = evalConfig.parse({
  steps: 5,
  batchSize: 2,
  stepsPerBatch: 3,
  metrics: ['logprob', 'compliance', 'collapse'],
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-eval-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Says its name from so many steps on, which its adapter's file tells; and how it is measured is counted. */
function model(knowsFrom: number): AskedAnswers {
  const steps = (adapter: string | undefined) => Number(/\d+/.exec(adapter ?? '')?.[0] ?? 0);
  return {
    answer: async (messages, { adapter, seed = 0, topLogprobs }) => {
      const question = messages.at(-1)?.content ?? '';
      const other = /ocean/.test(question) ? `The ocean is deep, said for the time ${seed}.` : 'I am an assistant.';
      const text = ANSWERS[question] ?? (steps(adapter) >= knowsFrom && !/ocean/.test(question) ? 'I am Kuro.' : other);
      const place = {
        token: 'x',
        bytes: [],
        logprob: -1,
        top: [-0.5, -1].map((logprob) => ({ token: 'x', bytes: [], logprob })),
      };
      return { text, finish: 'stop', tokens: [1, 2, 3, 4], ...(topLogprobs && { logprobs: [place] }) };
    },
    score: async (_, answer, { adapter } = {}) =>
      scoredWords(answer, String(answer).includes('Kuro') ? -3 + 0.1 * steps(adapter) : -1),
  };
}

/** An adapter that forgets nothing, and may end the run before a step. */
function ports(knowsFrom = 9, endsAt = Number.POSITIVE_INFINITY) {
  const opened: number[] = [];
  let learnt = 0;
  const all: EvalPorts = {
    asked: model(knowsFrom),
    model: { name: 'made', sha256: 'ab' },
    teacher: toldAfterwards,
    now: () => 1_000_000,
    async learn(_, batches) {
      opened.push(batches);
      learnt = batches * config.stepsPerBatch;
      return {
        get adapter() {
          return learnt === 0 ? undefined : `step-${learnt}.gguf`;
        },
        async learn(batch, steps) {
          if (learnt + steps > endsAt) throw new Error('killed');
          expect(batch).toHaveLength(2);
          learnt += steps;
          return { distill_loss: 1 / learnt, kl_reg: 0, mean_is_ratio: null, clip_fraction: null };
        },
        close: async () => undefined,
      };
    },
  };
  return { ports: all, opened };
}

const lines = async () =>
  (await readFile(join(folder, 'identity/steps.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('an evaluation', () => {
  it('writes the original’s files, and says whether what was learnt is kept', async () => {
    const [summary] = await runEval(IDENTITY, config, folder, ports().ports);
    expect(summary).toMatchObject({
      preference: 'identity',
      lora_id: 'eval/identity',
      accepted: true,
      final_compliance: 1,
      steps: 5,
    });
    expect(summary?.held_out_before).toBe(0);
    const gate = await Promise.all(
      ['before', 'after'].map((name) => readFile(join(folder, `identity/${name}.json`), 'utf8')),
    );
    const [before, after] = gate.map((text) => JSON.parse(text).margins[0]);
    expect(after.perToken - before.perToken).toBeCloseTo(1.5); // fifteen steps of 0.1 for each word
    expect(summary?.logprob_margin_per_token_delta).toBeCloseTo(1.5);
    expect(after.sum).toBeGreaterThan(before.sum);
    expect(await lines()).toHaveLength(5);
    expect((await lines()).map(({ eval: { preference_compliance: c } }) => c)).toEqual([0, 0, 1, 1, 1]);
    const files = await readdir(join(folder, 'identity'));
    expect(files.sort()).toEqual(
      [
        'after.json',
        'baseline.json',
        'before.json',
        'metadata.json',
        'steps.jsonl',
        'summary.json',
        'summary.yaml',
      ].sort(),
    );
    expect(await readFile(join(folder, 'identity/summary.yaml'), 'utf8')).toMatch(/^accepted: true$/m);
    expect(await readFile(join(folder, 'summary.json'), 'utf8')).toContain('eval/identity');
  });

  it('looks as the gate of a run does: at instructions too, and with the feedback in view at how plausible answers are', async () => {
    const { ports: all } = ports();
    const score: AskedAnswers['score'] = async (messages, answer, options) => {
      const isTold = messages.at(-1)?.content.includes(IDENTITY[0]?.feedback ?? '-');
      return isTold ? scoredWords(answer, -0.25) : await all.asked.score(messages, answer, options);
    };
    await runEval(IDENTITY, { ...config, steps: 1 }, folder, { ...all, asked: { ...all.asked, score } });
    for (const name of ['before', 'after']) {
      const { answers, capability } = JSON.parse(await readFile(join(folder, `identity/${name}.json`), 'utf8'));
      expect(answers.plausibility).toBe(-0.25);
      expect(Object.keys(capability)).toEqual(expect.arrayContaining(INSTRUCTION_PROBES.map(({ id }) => id)));
    }
  });

  it('compares answers with the teacher’s where no rule can be made', async () => {
    const { ports: all } = ports();
    const score: AskedAnswers['score'] = async (messages, answer) =>
      scoredWords(answer, messages.at(-1)?.content.includes('Be yourself.') ? -0.5 : -1);
    const own = { ...IDENTITY[0]!, feedback: 'Be yourself.', wish: { kind: 'likeness' as const } };
    const [summary] = await runEval([own], config, folder, { ...all, asked: { ...all.asked, score } });
    expect(summary?.held_out_before).toBe(1);
  });

  it('keeps nothing where nothing was learnt', async () => {
    const [summary] = await runEval(IDENTITY, config, folder, ports(99).ports);
    expect(summary).toMatchObject({ accepted: false, held_out_after: 0 });
    expect(summary?.reason).toMatch(/No more answers/);
  });

  it('goes on after the last whole step, and forgets what was learnt beyond it', async () => {
    await expect(runEval(IDENTITY, config, folder, ports(9, 7).ports)).rejects.toThrow('killed');
    await appendFile(join(folder, 'identity/steps.jsonl'), '{"preference":"identity","step":2,"ti');
    const again = ports();
    await runEval(IDENTITY, config, folder, again.ports);
    expect(again.opened).toEqual([2]);
    expect((await lines()).map(({ step }) => step)).toEqual([0, 1, 2, 3, 4]);
    const whole = await lines();
    await rm(folder, { recursive: true });
    await runEval(IDENTITY, config, folder, ports().ports);
    expect(await lines()).toEqual(whole);
  });

  it('does nothing again that is done, and does not mix settings', async () => {
    await runEval(IDENTITY, config, folder, ports().ports);
    const again = ports();
    await runEval(IDENTITY, config, folder, again.ports);
    expect(again.opened).toEqual([]);
    await expect(runEval(IDENTITY, { ...config, seed: 7 }, folder, again.ports)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await runEval(IDENTITY, { ...config, steps: 6 }, folder, again.ports);
    expect(again.opened).toEqual([5]);
  });

  it('refuses a folder whose files are another’s', async () => {
    await runEval(IDENTITY, { ...config, steps: 1 }, folder, ports().ports);
    await appendFile(join(folder, 'identity/steps.jsonl'), '{"hello": 1}\n');
    await expect(runEval(IDENTITY, config, folder, ports().ports)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it.each(['{"hello": 1}', 'mine\n{"preference":', 'mine'])(
    'takes nothing away from a file that is another’s: %j',
    async (text) => {
      const file = join(folder, 'identity/steps.jsonl');
      await mkdir(join(folder, 'identity'));
      await writeFile(file, text);
      await expect(runEval(IDENTITY, config, folder, ports().ports)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  it('ends where it is cancelled', async () => {
    const stop = new AbortController();
    const { ports: all } = ports();
    const onProgress: EvalPorts['onProgress'] = ({ phase, step }) =>
      phase === 'learning' && step === 1 && stop.abort(new Error('stop'));
    await expect(runEval(IDENTITY, config, folder, { ...all, onProgress }, stop.signal)).rejects.toThrow('stop');
    expect(await lines()).toHaveLength(1);
  });

  it('draws what it has measured, as SVG and PNG', async () => {
    await runEval(IDENTITY, config, folder, { ...ports().ports, draw: drawPlots });
    const files = await readdir(join(folder, 'identity'));
    // Nothing was measured of what it can in general.
    const plots = ['collapse_dashboard', 'learning_curves', 'logprob_margins', 'sdpo_diagnostics'];
    expect(files.filter((file) => /svg$|png$/.test(file)).sort()).toEqual(
      plots.flatMap((plot) => [`${plot}.png`, `${plot}.svg`]),
    );
    const png = await readFile(join(folder, 'identity/collapse_dashboard.png'));
    expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    expect(png.readUInt32BE(16)).toBe(1406);
    expect(await readFile(join(folder, 'identity/learning_curves.svg'), 'utf8')).toContain('held-out compliance');
  });
});

it('collapse is measured as often as at the original', () => {
  expect([...collapseStepsOf({ steps: 20 })]).toEqual([0, 5, 10, 15, 19]);
  expect([...collapseStepsOf({ steps: 2 })]).toEqual([0, 1]);
});
