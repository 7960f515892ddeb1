/**
 * Measures what probes of bare tokens (QUASAR, A8) come to on real weights: honest miners, and such as compute with something else or with nothing.
 *
 * Usage: node scripts/prove-probes.ts --out DIR [--probes 20] [--level 256] [--models DIR]
 * --models has what scripts/audit-models.py wrote, Q4_0 and so on. What is in --out already is not measured again.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { LocalBackend } from '../src-main/inference/host/local-backend.ts';
import type { AuditSums } from '../src-main/inference/verified/audit.ts';
import { honestProbes } from '../src-main/inference/verified/honest-probes.ts';
import { type AuditThresholds, thresholdsOfWhole } from '../src-main/inference/verified/thresholds.ts';
import { probeText } from '../src-main/subnets/quasar/verification/answer.ts';
import { answerProbe, type InferenceAnswer } from '../src-main/subnets/quasar/verification/answering.ts';
import { drawProbe } from '../src-main/subnets/quasar/verification/probe.ts';
import { type Reference, type Verification, verifyProbe } from '../src-main/subnets/quasar/verification/verify.ts';
import type { TokenProbe } from '../src-main/validation/environment.ts';
import { SeededRandom } from '../src-main/validation/seeded-random.ts';
import { writeDequantised } from '../test/support/dequantised-model.ts';
import { writePrunedModel } from '../test/support/pruned-model.ts';
import { findRealModel, SMOLLM2 } from '../test/support/real-models.ts';
import { measuredOnce } from './measured-once.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    probes: { type: 'string', default: '20' },
    level: { type: 'string', default: '256' },
    models: { type: 'string' },
  },
});
if (values.out === undefined) throw new Error('Name a folder: --out DIR');
const q4 = (await findRealModel(SMOLLM2)) ?? process.exit(3);
const out = resolve(values.out);
await mkdir(out, { recursive: true });

/** A file that is written once. */
async function made(name: string, write: (path: string) => Promise<void>): Promise<string> {
  const path = join(out, name);
  if (!existsSync(path)) await write(path);
  return path;
}

const f16 = await made('F16.gguf', (path) => writeDequantised(q4, path, 'F16'));
const LAYERS = [10, 15, 20];
const prunedF16 = await made('pruned-F16.gguf', (path) => writePrunedModel(f16, path, LAYERS));
const prunedQ4 = await made('pruned-Q4_1.gguf', (path) => writePrunedModel(q4, path, LAYERS));

async function open(modelPath: string): Promise<LocalBackend> {
  const options = {
    modelPath,
    log: pino({ level: 'silent' }),
    threads: 1,
    gpuLayers: 0,
    contextSize: 1_024,
    parallel: 1,
  };
  const engine = new LocalBackend(options);
  await engine.open();
  return engine;
}

const once = measuredOnce(out);

type Answerer = (miner: LocalBackend, probe: TokenProbe) => Promise<InferenceAnswer>;

interface Course {
  /** Probes by what came of them. */
  reasons: Record<string, number>;
  /** The farthest apart of all logits, and the largest mean that an audit found; where that was looked at. */
  apart: number[];
  found: number[];
  /** Seconds to answer and to read, and bytes of the answer, medians. */
  answerS: number;
  readS: number;
  bytes: number;
  /** Different tokens in an answer, median. */
  different: number;
}

interface Trial {
  reference: Reference;
  miner: LocalBackend;
  level?: string;
  /** Default: honestly. */
  answers?: Answerer;
}

async function course({
  reference,
  miner,
  level = values.level,
  answers = (model, probe) => answerProbe(model, probe),
}: Trial): Promise<Course> {
  const reasons: Record<string, number> = {};
  const [apart, found, answerS, readS, bytes, different]: number[][] = [[], [], [], [], [], []];
  for (let number = 0; number < Number(values.probes); number++) {
    const probe = drawProbe(new SeededRandom(`prove ${number}`), level, reference.vocabulary);
    let begun = performance.now();
    const text = probeText(await answers(miner, probe));
    answerS?.push((performance.now() - begun) / 1_000);
    begun = performance.now();
    const verification = await verifyProbe(text, probe, reference);
    readS?.push((performance.now() - begun) / 1_000);
    bytes?.push(text.length);
    different?.push(new Set((JSON.parse(text) as InferenceAnswer).tokens).size);
    reasons[verification.reason] = (reasons[verification.reason] ?? 0) + 1;
    note(verification, apart ?? [], found ?? []);
  }
  const all = { apart: apart ?? [], found: found ?? [] };
  return {
    reasons,
    ...all,
    answerS: median(answerS),
    readS: median(readS),
    bytes: median(bytes),
    different: median(different),
  };
}

function note(verification: Verification, apart: number[], found: number[]): void {
  if ('distance' in verification && verification.distance) apart.push(verification.distance.mostApart);
  if (verification.reason === 'audit_failed') found.push(verification.finding.found);
}

const median = (numbers: readonly number[] = []) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** Computes fifty tokens, and says the last of them again and again; what is captured behind them it cannot know. */
const repeating: Answerer = async (miner, probe) => {
  const known = Math.min(KNOWN, probe.captureAt);
  const answer = await answerProbe(miner, { ...probe, length: KNOWN, captureAt: known });
  const period = periodOf(answer.tokens);
  const more = Array.from(
    { length: probe.length - KNOWN },
    (_, at) => answer.tokens[KNOWN - period + (at % period)] ?? 0,
  );
  return { ...answer, tokens: [...answer.tokens, ...more] };
};
const KNOWN = 50;

function periodOf(tokens: readonly number[]): number {
  for (let period = 1; period <= 16; period++) {
    if (tokens.slice(-16).every((token, at) => token === tokens[tokens.length - 16 + at - period])) return period;
  }
  return 1;
}

const referenceOf = (engine: LocalBackend, thresholds?: AuditThresholds): Reference => {
  const { sha256 = '', vocabulary = 0 } = engine.status().model ?? {};
  return { sha256, vocabulary, thresholds, probe: engine.probe.bind(engine) };
};

const table: [string, Course][] = [];
const told = async (name: string, trial: () => Promise<Trial>) =>
  table.push([name, await once(name.replaceAll(/\W+/g, '-'), async () => course(await trial()))]);

const own16 = await open(f16);
const own4 = await open(q4);
const exact = referenceOf(own16);
await told('F16, honest', async () => ({ reference: exact, miner: own16 }));
await told('Q4_1 of the same weights as F16', async () => ({ reference: exact, miner: own4 }));
const cut16 = await open(prunedF16);
await told('F16, three of thirty layers off', async () => ({ reference: exact, miner: cut16 }));
await cut16.close();
await told('F16, fifty tokens and then repetition', async () => ({
  reference: exact,
  miner: own16,
  answers: repeating,
}));
await told('the same, as QUASAR asks', async () => ({
  reference: exact,
  miner: own16,
  answers: repeating,
  level: 'classic',
}));
const thresholds = await once('thresholds', async () => {
  const probes: AuditSums[][] = [];
  const { vocabulary } = exact;
  for await (const audits of honestProbes(own4.probe.bind(own4), { vocabulary })) probes.push(audits);
  return thresholdsOfWhole(probes);
});
const calibrated = referenceOf(own4, thresholds);
await told('Q4_1, honest', async () => ({ reference: calibrated, miner: own4 }));
const declared: Answerer = async (miner, probe) => ({
  ...(await answerProbe(miner, probe)),
  model_sha256: calibrated.sha256,
});
const cut4 = await open(prunedQ4);
await told('Q4_1, three of thirty layers off', async () => ({ reference: calibrated, miner: cut4, answers: declared }));
await cut4.close();
for (const kind of ['Q8_0', 'Q5_0', 'Q4_0']) {
  const path = values.models && join(resolve(values.models), `${kind}.gguf`);
  if (!path || !existsSync(path)) continue;
  const other = await open(path);
  await told(`${kind} as Q4_1`, async () => ({ reference: calibrated, miner: other, answers: declared }));
  await other.close();
}
await Promise.all([own16.close(), own4.close()]);
console.log(JSON.stringify({ thresholds, table }, undefined, 1));
