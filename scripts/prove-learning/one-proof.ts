import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { decide } from '../../src-main/learning/evaluation/gate/gate.ts';
import { type MeasuredAnswers, measureForGate } from '../../src-main/learning/evaluation/gate/measured.ts';
import { collapseAlarms } from '../../src-main/learning/evaluation/measures/collapse.ts';
import { INSTRUCTION_PROBES } from '../../src-main/learning/evaluation/probes/instructions.ts';
import { askedAs } from '../../src-main/learning/evaluation/prompts/preference.ts';
import { concernsLength, verifierOf } from '../../src-main/learning/evaluation/verifiers/wish.ts';
import { MOST_FEEDBACK } from '../../src-main/learning/runs/learning-queue.ts';
import type { RunRow } from '../../src-main/store/learning/learning-runs.ts';
import { sentence } from '../../src-preload/contract/saying.ts';
import type { Lesson } from './lessons.ts';
import { Student, type StudentOptions } from './student.ts';

/** What was found of one lesson with one seed. */
export interface Proof {
  lesson: string;
  seed: number;
  poison: boolean;
  /** Pieces of feedback, and questions that were asked until then. */
  feedback: number;
  asked: number;
  runs: {
    state: string;
    objective: string | null;
    steps: number;
    seconds: number;
    verdict: unknown;
    curve: unknown[];
  }[];
  /** Of learning, gate and all, by piece of feedback. */
  secondsPerFeedback: number;
  /** Shares of 20 questions that nothing was learnt from. */
  heldOut: { before: number; after: number };
  /** Facts that it knows, sums over probes; and tasks that it does, among them one of three sentences, which «more concise» speaks against. */
  capability: { before: number; after: number; ratio: number; probes: number };
  tasks: { before: number; after: number; of: number };
  /** What is alarming of the model in the end, beside the one that nothing was taught. */
  alarms: string[];
  undo: Undone | null;
  /** Bytes at the most, of each process; 0 where that is not known. */
  peak: Readonly<Record<string, number>>;
  answers: { question: string; before: string; after: string }[];
}

interface Undone {
  milliseconds: number;
  /** Whether what came back is what it was, byte by byte, and how far the log-probabilities of some answers are off, nats. */
  sameBytes: boolean;
  logprobsOff: number;
}

const ANSWER_TOKENS = 160;
const SHOWN = 6;

/** Teaches a model one thing as a person would, and measures what became of it. */
export async function prove(
  lesson: Lesson,
  { runs, ...options }: StudentOptions & { runs: number },
  signal: AbortSignal,
): Promise<Proof> {
  await rm(options.folder, { recursive: true, force: true });
  await mkdir(options.folder, { recursive: true });
  const student = await Student.open(options);
  try {
    return await new ProofOf(student, lesson, { seed: options.seed, most: runs * MOST_FEEDBACK }, signal).all();
  } finally {
    await student.close();
    await rm(options.folder, { recursive: true, force: true });
  }
}

class ProofOf {
  readonly #student: Student;
  readonly #lesson: Lesson;
  readonly #seed: number;
  /** Pieces of feedback at the most. */
  readonly #most: number;
  readonly #signal: AbortSignal;
  readonly #runs: Proof['runs'] = [];
  /** What was in use, one after the other, as it was then. */
  readonly #used: { bytes: string; logprobs: number[] }[] = [];
  #feedback = 0;
  #asked = 0;

  constructor(student: Student, lesson: Lesson, { seed, most }: { seed: number; most: number }, signal: AbortSignal) {
    this.#student = student;
    this.#lesson = lesson;
    this.#seed = seed;
    this.#most = most;
    this.#signal = signal;
  }

  async all(): Promise<Proof> {
    const { name: lesson, preference, poison } = this.#lesson;
    const before = await this.#measure();
    this.#used.push(await this.#inUse());
    await this.#teach();
    const after = await this.#measure();
    const isFact = (id: string) => id.startsWith('fact: ');
    const facts = { ...rightOf(before, after, isFact), probes: idsOf(before, isFact).length };
    const isTask = (id: string) => !isFact(id);
    const tasks = { ...rightOf(before, after, isTask), of: idsOf(before, isTask).length };
    return {
      ...{ lesson, seed: this.#seed, poison, feedback: this.#feedback, asked: this.#asked, runs: this.#runs },
      secondsPerFeedback: sum(this.#runs.map(({ seconds }) => seconds)) / Math.max(1, this.#feedback),
      heldOut: { before: share(before.passes), after: share(after.passes) },
      capability: { ...facts, ratio: facts.after / facts.before },
      tasks,
      alarms: this.#alarms(before, after),
      undo: await this.#undo(),
      peak: { ...this.#student.peaks.bytes },
      answers: preference.heldOut.slice(0, SHOWN).map((question, at) => ({
        question,
        before: before.compliance.answers[at]?.text ?? '',
        after: after.compliance.answers[at]?.text ?? '',
      })),
    };
  }

  /** Asks, and says what was wrong where something was; lets it learn after some of that. */
  async #teach(): Promise<void> {
    const { preference, kind, text, poison } = this.#lesson;
    const verifier = verifierOf(preference.wish);
    let waiting = 0;
    for (const question of preference.training) {
      if (this.#feedback >= this.#most) break;
      const answer = await this.#student.answer(askedAs(preference, question));
      this.#asked++;
      const { passes } = await verifier.check({ text: answer.text }, this.#signal);
      if (passes && !poison) continue;
      await this.#student.tell(answer.id, kind, text(this.#feedback++));
      if (++waiting === MOST_FEEDBACK) waiting = await this.#learn();
    }
    if (waiting > 0) await this.#learn();
  }

  async #learn(): Promise<0> {
    const begun = performance.now();
    const run = await this.#student.learn(this.#signal);
    if (!run) throw new Error('There was feedback, and nothing was learnt from it.');
    await this.#keep(run, (performance.now() - begun) / 1_000);
    if (run.state === 'accepted') this.#used.push(await this.#inUse());
    return 0;
  }

  async #keep({ id, state, objective, step: steps, verdict }: RunRow, seconds: number): Promise<void> {
    const found = verdict === null ? null : JSON.parse(verdict);
    this.#runs.push({ state, objective, steps, seconds, verdict: found, curve: await this.#student.curve(id) });
  }

  async #measure(): Promise<MeasuredAnswers> {
    const { preference } = this.#lesson;
    const heldOut = preference.heldOut.map((question) => askedAs(preference, question));
    const verifier = verifierOf(preference.wish);
    const questions = { heldOut, verifier, probes: INSTRUCTION_PROBES, answerTokens: ANSWER_TOKENS, seed: this.#seed };
    const measuring = { asked: this.#student.asked, adapter: await this.#student.adapter(), signal: this.#signal };
    return await measureForGate('full', questions, measuring);
  }

  #alarms(before: MeasuredAnswers, after: MeasuredAnswers): string[] {
    const { wish } = this.#lesson.preference;
    const { checks } = decide(before, after, { form: 'full', concernsLength: concernsLength(wish) });
    const failed = checks.filter(({ name, passes }) => !passes && name !== 'compliance');
    const { entropy, selfRouge, logprob } =
      before.collapse && after.collapse
        ? collapseAlarms(before.collapse, after.collapse)
        : { entropy: false, selfRouge: false, logprob: false };
    const alarms = Object.entries({ entropy, selfRouge, logprob }).filter(([, rings]) => rings);
    return [...failed.map(({ name, why }) => `${name}: ${sentence(why)}`), ...alarms.map(([name]) => name)];
  }

  /** Back, version by version, to the model as it was. */
  async #undo(): Promise<Undone | null> {
    if (this.#used.length < 2) return null;
    const undone: Undone = { milliseconds: 0, sameBytes: true, logprobsOff: 0 };
    for (const before of this.#used.slice(0, -1).toReversed()) {
      const begun = performance.now();
      await this.#student.undo();
      undone.milliseconds = Math.max(undone.milliseconds, performance.now() - begun);
      const now = await this.#inUse();
      undone.sameBytes &&= now.bytes === before.bytes;
      const off = now.logprobs.map((logprob, at) => Math.abs(logprob - (before.logprobs[at] ?? Number.NaN)));
      undone.logprobsOff = Math.max(undone.logprobsOff, ...off);
    }
    return undone;
  }

  async #inUse(): Promise<{ bytes: string; logprobs: number[] }> {
    const adapter = await this.#student.adapter();
    const bytes =
      adapter === undefined
        ? ''
        : createHash('sha256')
            .update(await readFile(adapter))
            .digest('hex');
    const logprobs: number[] = [];
    for (const { messages, positive } of this.#lesson.preference.pairs) {
      const scored = await this.#student.asked.score(messages, positive, { adapter, signal: this.#signal });
      logprobs.push(...scored.logprobs);
    }
    return { bytes, logprobs };
  }
}

function idsOf({ capability }: MeasuredAnswers, means: (id: string) => boolean): string[] {
  return Object.keys(capability).filter(means);
}

function rightOf(before: MeasuredAnswers, after: MeasuredAnswers, means: (id: string) => boolean) {
  const ids = idsOf(before, means);
  const right = ({ capability }: MeasuredAnswers) => sum(ids.map((id) => capability[id] ?? 0));
  return { before: right(before), after: right(after) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function share(passes: readonly boolean[]): number {
  return passes.filter(Boolean).length / Math.max(1, passes.length);
}
