/**
 * Measures after how many tokens workers are found out that compute with something else than they declare, and whether honest ones are left alone: real weights, real
 * engines, the audit of the mesh. Also, how honest ones would fare with a coarser cache or scaled positions, which declare no file.
 *
 * Usage: node scripts/prove-audit.ts --out DIR [--models DIR] [--honest 1000] [--tokens 48] [--most 4096] [--other-build FILE]
 * --models has what scripts/audit-models.py wrote, without it honest workers alone are measured; --other-build is the engine child (src-main/inference/child/engine-child.ts) of a checkout whose llama.cpp is built for
 * another processor, such as one whose @node-llama-cpp/linux-x64 has libggml-cpu-haswell.so alone. What is in --out already is not measured again.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { writeAtomically } from '../src-main/base/atomic-file.ts';
import type { GenerateEvent } from '../src-main/inference/backend.ts';
import type { TokenEvidence } from '../src-main/inference/evidence.ts';
import { LocalBackend } from '../src-main/inference/host/local-backend.ts';
import type { LocalBackendOptions } from '../src-main/inference/host/local-options.ts';
import { type AuditSums, addAudits, NOTHING_AUDITED } from '../src-main/inference/verified/audit.ts';
import { calibrated, type HonestAnswer, honestAnswers } from '../src-main/inference/verified/calibrate.ts';
import type { VerifiedSampling } from '../src-main/inference/verified/choice.ts';
import { HONEST_QUESTIONS } from '../src-main/inference/verified/honest-questions.ts';
import { readAgain } from '../src-main/inference/verified/read-again.ts';
import { type AuditThresholds, findingOf, meansOf } from '../src-main/inference/verified/thresholds.ts';
import { writePrunedModel } from '../test/support/pruned-model.ts';
import { readEvidence } from '../test/support/read-evidence.ts';
import { findRealModel, SMOLLM2 } from '../test/support/real-models.ts';
import { measuredOnce } from './measured-once.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    models: { type: 'string' },
    honest: { type: 'string', default: '1000' },
    tokens: { type: 'string', default: '48' },
    most: { type: 'string', default: '4096' },
    'other-build': { type: 'string' },
  },
});
const { out: folder, models } = values;
if (folder === undefined) throw new Error('Name a folder: --out DIR');
const declared = (await findRealModel(SMOLLM2)) ?? process.exit(3);
const out = resolve(folder);
await mkdir(out, { recursive: true });

/** As people ask by default. */
const USUAL = { temperature: 0.7, topP: 0.9, topK: 40, repeatPenalty: 1 };
const MAX_TOKENS = Number(values.tokens);
const MOST = Number(values.most);

interface Told {
  input: { messages: { role: 'user'; content: string }[] };
  sampling: VerifiedSampling;
  evidence: TokenEvidence[];
  askedAt: number;
}

/** Answers a question as some worker does. */
type Worker = (question: string, seed: number) => Promise<Told>;

interface Make extends Pick<LocalBackendOptions, 'kvCache' | 'rope'> {
  threads?: number;
  parallel?: number;
  entry?: URL;
}

const open = async (modelPath: string, more: Make = {}) => {
  const options = { modelPath, log: pino({ level: 'silent' }), threads: 1, gpuLayers: 0, contextSize: 1_024, ...more };
  const engine = new LocalBackend(options);
  await engine.open();
  return engine;
};

const own = await open(declared);
const inputOf = (content: string) => ({ messages: [{ role: 'user' as const, content }] });

/** @param actual how it samples in truth */
const worker =
  (engine: LocalBackend, actual: Partial<VerifiedSampling> = {}): Worker =>
  async (question, seed) => {
    const input = inputOf(question);
    const sampling = { ...USUAL, seed };
    const request = { input, maxTokens: MAX_TOKENS, ...sampling, ...actual };
    const askedAt = Date.now();
    const events = await Array.fromAsync(engine.generate(request, { verified: true, askedAt }));
    return { input, sampling, evidence: evidenceIn(events), askedAt };
  };

const evidenceIn = (events: GenerateEvent[]) =>
  events.flatMap((event) => (event.type === 'done' ? (event.evidence ?? []) : []));

const questionOf = (number: number) => HONEST_QUESTIONS[number % HONEST_QUESTIONS.length] ?? '';

const once = measuredOnce(out);

const thresholds = await once('thresholds', async () => {
  const answers: HonestAnswer[] = [];
  for await (const answer of honestAnswers(own)) answers.push(answer);
  return calibrated(answers);
});

interface Course {
  /** Tokens after which it was found out, and by what; null: it was not. */
  found: { tokens: number; measure: string } | null;
  /** Means after so many tokens. */
  curve: ({ tokens: number } & ReturnType<typeof meansOf>)[];
}

/** Audits answers of a worker until it is found out, and on to see where its figures go. */
async function course(ask: Worker, most: number): Promise<Course> {
  let sums: AuditSums = NOTHING_AUDITED;
  let found: Course['found'] = null;
  const curve: Course['curve'] = [];
  for (let number = 0; sums.tokens < most; number++) {
    const { audits } = await readAgain(own, await ask(questionOf(number), 1_000_003 * number + 17));
    sums = addAudits([sums, ...audits]);
    const finding = findingOf(sums, thresholds as AuditThresholds);
    if (finding && !found) found = { tokens: sums.tokens, measure: finding.measure };
    curve.push({ tokens: sums.tokens, ...meansOf(sums) });
    if (found && sums.tokens > 4 * found.tokens) break;
  }
  return { found, curve };
}

/** Honest workers of several makes: each of so many answers is one audit; any finding on the way is a false alarm. */
async function honest(more: Make, answers: number) {
  await using engine = closing(await open(declared, more));
  const together = more.parallel ?? 1;
  let sums: AuditSums = NOTHING_AUDITED;
  let alarms = 0;
  for (let first = 0; first < answers; first += together) {
    const several = Array.from({ length: Math.min(together, answers - first) }, (_, n) => first + n);
    const ask = worker(engine.engine);
    const told = await Promise.all(several.map((number) => ask(questionOf(number), 7_919 * number + 5)));
    for (const answer of told) {
      const audits = (await readAgain(own, answer)).audits;
      // By itself, as of a worker that is new, and with all that were audited before.
      if (findingOf(addAudits(audits), thresholds as AuditThresholds)) alarms++;
      sums = addAudits([sums, ...audits]);
      if (findingOf(sums, thresholds as AuditThresholds)) alarms++;
    }
  }
  return { audits: answers, tokens: sums.tokens, ...meansOf(sums), alarms };
}

async function measureLiars(models: string): Promise<void> {
  const pruned = join(out, 'pruned.gguf');
  if (!existsSync(pruned)) await writePrunedModel(declared, pruned, [10, 15, 20]);
  const liar = async (name: string, ask: () => Promise<Worker>) => {
    liars[name] = await once(`liar ${name}`, async () => course(await ask(), MOST));
  };
  const file = (name: string) => join(resolve(models), `${name}.gguf`);
  const small = await open(pruned);
  await liar('three layers off', async () => worker(small));
  await liar('three layers off, log-probabilities of the declared model', async () => async (question, seed) => {
    const told = await worker(small)(question, seed);
    return { ...told, evidence: await readEvidence(own, told.input, told.evidence) };
  });
  await liar(
    'one answer in ten of three layers off',
    async () => async (question, seed) => await worker(seed % 10 === 7 ? small : own)(question, seed),
  );
  await liar('temperature 1.2 in place of 0.7', async () => worker(own, { temperature: 1.2 }));
  await liar('answers of before', async () => {
    const before = await worker(own)(questionOf(0), 1);
    return async (question, seed) => ({ ...before, input: inputOf(question), sampling: { ...USUAL, seed } });
  });
  for (const name of ['Q4_0', 'Q5_0', 'Q8_0', 'F16'])
    await liar(`${name} of the same weights`, async () => worker(await open(file(name))));
}

const closing = (engine: LocalBackend) => ({ engine, [Symbol.asyncDispose]: () => engine.close() });

const build = values['other-build'];
const entry = build === undefined ? undefined : pathToFileURL(resolve(build));
const makes: Record<string, Make> = {
  'one thread': {},
  'two threads': { threads: 2 },
  'two at once': { parallel: 2 },
  'four at once': { parallel: 4 },
  'four at once, two threads': { parallel: 4, threads: 2 },
  ...(entry !== undefined && { 'another build of llama.cpp': { entry } }),
};
/** Honest ones that compute otherwise than the file says: why they declare none. */
const otherwise: Record<string, Make> = {
  'cache of q8_0': { kvCache: 'q8_0' },
  'cache of q4_0': { kvCache: 'q4_0' },
  'YaRN by a factor of 2': { rope: { type: 'yarn', factor: 2 } },
  'linear scaling by a factor of 2': { rope: { type: 'linear', factor: 2 } },
};
const share = Math.ceil(Number(values.honest) / Object.keys(makes).length);
const honestly: Record<string, Awaited<ReturnType<typeof honest>>> = {};

const liars: Record<string, Course> = {};
if (models !== undefined) await measureLiars(models);
for (const [name, more] of Object.entries({ ...makes, ...otherwise }))
  honestly[name] = await once(`honest ${name}`, () => honest(more, share));

const figures = (mean: number) => mean.toFixed(4);
const rows = [
  '| Worker | found after tokens | by | top | chosen | mismatches | tokens |',
  '|---|---|---|---|---|---|---|',
  ...Object.entries(liars).map(([name, { found, curve }]) => {
    const last = curve.at(-1) ?? { tokens: 0, top: 0, chosen: 0, mismatches: 0 };
    const means = [last.top, last.chosen, last.mismatches].map(figures);
    return `| ${[name, found?.tokens ?? `not within ${last.tokens}`, found?.measure ?? '–', ...means, last.tokens].join(' | ')} |`;
  }),
  '',
  '| Honest | audits | false alarms | top | chosen | mismatches | tokens |',
  '|---|---|---|---|---|---|---|',
  ...Object.entries(honestly).map(([name, { audits, alarms, top, chosen, mismatches, tokens }]) => {
    return `| ${[name, audits, alarms, ...[top, chosen, mismatches].map(figures), tokens].join(' | ')} |`;
  }),
];
await writeAtomically(join(out, 'results.md'), `${rows.join('\n')}\n`);
console.log(rows.join('\n'));
process.exit(0);
