import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say, type Words } from '../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../base/foreign-text.ts';
import { median } from '../../../base/median.ts';
import { SeededRandom } from '../../../validation/seeded-random.ts';
import { closedWords } from '../competition/rules/tracks.ts';
import type { JudgeOptions, Verdict } from '../competition/rules/verdict.ts';
import { medianRatio } from '../kernels/statistics.ts';
import { REFERENCE, repositoryOf } from './artefact.ts';
import { fetchRepository } from './fetch-repository.ts';
import { type GpuFault, judgedIn, type Said, type Task } from './judge-program.ts';
import type { KeptTrees } from './kept-trees.ts';
import { lookForCard } from './look.ts';

export interface JudgeRepositoryOptions extends JudgeOptions {
  trees: KeptTrees;
}

/** Pieces of the run that is measured: see `PIECES` in judge.py. */
const PIECES = 20;

/**
 * Judges a repository on a graphics card: whether it keeps the rules and is right, and how fast it is beside the baseline. The two never run at the same time, and each in
 * containers of its own: one that knew of the other could hinder it. They take turns, in an order that is drawn: A B B A.
 *
 * @throws ENGINE_UNAVAILABLE where there is no engine, image, card or network here; INTERNAL where the baseline fails: neither is a word about the repository
 */
export async function judgeRepository(artefact: Uint8Array, options: JudgeRepositoryOptions): Promise<Verdict> {
  const { baseline, seed, tokens, signal, onProgress, trees } = options;
  if (!repositoryOf(artefact)) return refusal('artefact');
  const image = await imageHere(signal);
  const own = await treeOf(artefact, image, options);
  if (typeof own === 'string') return refusal(own);
  const other = await treeOf(baseline, image, options);
  if (typeof other === 'string') throw broken(reasonOf(other, ''));
  const run = (who: Who) => twice(image, { tree: who === 'own' ? own : other, seed, tokens }, signal);
  const times: Record<Who, number[]> = { own: [], other: [] };
  const order = orderOf(seed);
  for (const [at, who] of order.entries()) {
    const said = await run(who);
    onProgress?.((at + 1) / order.length);
    if ('times' in said) times[who].push(...said.times);
    else if (who === 'other') throw broken(reasonOf(said.fault, said.detail));
    else return await believed(said, () => run('other'));
  }
  if (own) await trees.put(artefact, own);
  return measured(times, Math.ceil(tokens / PIECES));
}

type Who = 'own' | 'other';
type Faulty = Extract<Said, { fault: GpuFault }>;

function orderOf(seed: string): Who[] {
  return new SeededRandom(seed).coin() ? ['own', 'other', 'other', 'own'] : ['other', 'own', 'own', 'other'];
}

async function imageHere(signal: AbortSignal | undefined): Promise<string> {
  const looked = await lookForCard(signal);
  if ('closed' in looked) throw unavailable(closedWords(looked.closed));
  return looked.image;
}

/** @returns undefined for the reference, which comes with Quarry; what is wrong where it cannot be had, twice */
async function treeOf(
  artefact: Uint8Array,
  image: string,
  { trees, signal }: JudgeRepositoryOptions,
): Promise<Buffer | undefined | 'artefact' | 'fetch' | 'too-large'> {
  if (Buffer.from(artefact).equals(REFERENCE)) return undefined;
  const kept = await trees.get(artefact);
  if (kept) return kept;
  const repository = repositoryOf(artefact);
  if (!repository) return 'artefact';
  let fetched = await fetchRepository(image, repository, signal);
  if (fetched === 'fetch') fetched = await fetchRepository(image, repository, signal);
  if (fetched === 'ours') throw unavailable(say('gpu.noNetwork'));
  return fetched;
}

/** Somebody else may have ended a container, or the machine was busy: it happens twice, or it does not count. @throws ENGINE_UNAVAILABLE where the card is gone */
async function twice(image: string, task: Task, signal: AbortSignal | undefined) {
  let said = await judgedIn(image, task, signal);
  if (isUnsure(said)) said = await judgedIn(image, task, signal);
  if ('ours' in said) throw unavailable(closedWords('no-card'));
  return said;
}

/** Where the baseline in its place fares no better, the repository has nothing to do with it. @throws INTERNAL */
async function believed(said: Faulty, control: () => Promise<Exclude<Said, { ours: string }>>): Promise<Verdict> {
  const other = isUnsure(said) ? await control() : undefined;
  if (other && 'fault' in other) throw broken(reasonOf(other.fault, other.detail));
  return refusal(said.fault, said.detail);
}

const isUnsure = (said: Said) => 'fault' in said && (said.fault === 'died' || said.fault === 'late');

/** Pieces with the same input stand beside each other: how many times as fast each was. */
function measured({ own, other }: Record<Who, number[]>, tokens: number): Verdict {
  const pairs = Math.min(own.length, other.length);
  const perSecond = (times: number[]) => (tokens / median(times)) * 1_000;
  return {
    right: true,
    ratio: medianRatio(own.slice(0, pairs).map((ms, at) => (other[at] as number) / ms)),
    tokensPerSecond: perSecond(own),
    baselineTokensPerSecond: perSecond(other),
  };
}

function refusal(fault: GpuFault, detail = ''): Verdict {
  return { right: false, fault, reason: reasonOf(fault, detail) };
}

const WORDS = {
  artefact: 'gpu.artefact',
  fetch: 'gpu.fetch',
  'too-large': 'gpu.tooLarge',
  files: 'gpu.files',
  imports: 'gpu.imports',
  loads: 'gpu.loads',
  traps: 'gpu.traps',
  late: 'gpu.late',
  died: 'gpu.died',
  tampers: 'gpu.tampers',
  wrong: 'gpu.wrong',
} as const satisfies Record<GpuFault, string>;

const reasonOf = (fault: GpuFault, detail: string): Saying => say(WORDS[fault], { detail: foreignLine(detail) });

const unavailable = (message: Words) => new QuarryError({ code: 'ENGINE_UNAVAILABLE', message });
const broken = (reason: Saying) => new QuarryError({ code: 'INTERNAL', message: say('gpu.baseline', { reason }) });
