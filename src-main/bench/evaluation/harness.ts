import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { openDatabase } from '../../store/database.ts';
import { EvaluationStore } from '../../store/evaluations.ts';
import { askAll, type Examinee } from '../../subnets/quasar/evaluation/evaluation-run.ts';
import { type EvaluationPlan, plannedTexts } from '../../subnets/quasar/evaluation/plan.ts';
import { openSuites, SUITES } from '../../subnets/quasar/evaluation/suites.ts';
import { type BenchEvent, benchRow } from '../row.ts';

/** A few kinds of texts, each with its question. */
const PLAN = { suites: ['two-hop', 'scaling'], lengths: [1_000], samples: 1 };
const CONTEXT = 2_048;

/** What was asked, so that it can be asked again. */
interface Question {
  prompt: string;
  maxTokens: number;
}

/**
 * An evaluation as it is run, its texts made and counted, its answers judged and written down ÷ the same prompts asked of the same engine in the same order: tokens
 * that are read or written, a second.
 */
export async function* benchHarness({ model, folder, runs }: { model: string; folder: string; runs: number }) {
  const engine = new LocalBackend({
    ...{ modelPath: model, log: pino({ level: 'silent' }), gpuLayers: 0 },
    ...{ contextSize: CONTEXT, parallel: 1 },
  });
  const db = await openDatabase(join(folder, 'harness.db'));
  const figures = { ours: [] as number[], peer: [] as number[] };
  try {
    await engine.open();
    const store = new EvaluationStore(db);
    await evaluate(engine, store, 'warm');
    for (let run = 0; run < runs; run++) {
      const { seconds, tokens, questions } = await evaluate(engine, store, `run ${run}`);
      figures.ours.push(tokens / seconds);
      const began = performance.now();
      let same = 0;
      for (const question of questions) same += tokensOf(await ask(engine, question));
      figures.peer.push((1_000 * same) / (performance.now() - began));
    }
  } finally {
    await db.destroy();
    await engine.close();
  }
  const row = { bench: 'evaluate', case: 'questions about 1k tokens', unit: 'tokens/s', goal: '≥ 0.97' };
  yield {
    type: 'row',
    row: benchRow({ ...row, peerName: 'the engine without the harness', ...figures }),
  } as BenchEvent;
}

async function evaluate(engine: LocalBackend, store: EvaluationStore, seed: string) {
  const plan: EvaluationPlan = { ...PLAN, seed };
  const questions: Question[] = [];
  let tokens = 0;
  const examinee: Examinee = {
    room: CONTEXT,
    count: (text) => engine.countTokens(inputOf(text)),
    async ask({ prompt }, { maxTokens }) {
      const began = performance.now();
      questions.push({ prompt, maxTokens });
      const result = await ask(engine, { prompt, maxTokens });
      tokens += tokensOf(result);
      const totalMs = performance.now() - began;
      const { text, promptTokens, cachedTokens, completionTokens: answerTokens } = result;
      return { text, promptTokens, cachedTokens, answerTokens, firstMs: totalMs, totalMs };
    },
  };
  const texts = plannedTexts(plan, (suite) => SUITES.get(suite)?.variants ?? []);
  const signal = new AbortController().signal;
  const began = performance.now();
  await store.add({
    ...{ id: seed, created_at: Date.now(), ended_at: null, state: 'running', plan: JSON.stringify(plan) },
    ...{ model: null, sha256: null, texts: texts.length, done: 0, seconds: 0, error: null },
  });
  const suites = await openSuites(plan.suites, '', signal);
  await askAll({
    ...{ id: seed, plan, texts, done: 0, suites, tooLong: new Map(), examinee, store, signal },
    onText: (done) => store.set(seed, { done }),
    onAnswer: () => undefined,
  });
  return { seconds: (performance.now() - began) / 1_000, tokens, questions };
}

async function ask(engine: LocalBackend, { prompt, maxTokens }: Question): Promise<GenerateResult> {
  for await (const event of engine.generate({ input: inputOf(prompt), maxTokens, temperature: 0 })) {
    if (event.type === 'done') return event.result;
  }
  throw new Error('The engine ended without a result.');
}

const inputOf = (content: string) => ({ messages: [{ role: 'user' as const, content }] });

const tokensOf = ({ promptTokens, completionTokens }: GenerateResult) => promptTokens + completionTokens;
