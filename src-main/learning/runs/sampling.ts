import type { Objective } from '../../../src-preload/contract/learning-runs.ts';
import type { ChatMessage } from '../../../src-preload/contract/request.ts';
import { type Asked, unlessTooLong } from '../asked.ts';
import { goesInCircles } from '../evaluation/measures/soundness.ts';
import { lookedAt } from '../evaluation/verifiers/verifier.ts';
import { DEFAULT_LONGEST, type TrainingSample } from '../training/trainer.ts';
import { speaksOfHindsight, type Telling, type Told, waysToTell, withHindsight } from './hindsight.ts';

/** A prompt to learn from. */
export interface LessonPrompt {
  messages: readonly ChatMessage[];
  /** The answer that somebody wrote instead, where there is one. */
  edited?: string | undefined;
}

/** What is to be learnt. Of its hints those that were learnt before come first: who forgets them would unlearn them. */
export interface Lesson extends Telling {
  prompts: readonly LessonPrompt[];
  /** Questions of other kinds, whose answers are to stay as they are: without them a small model forgets what it knew (seen: 28 of 32 facts, 25 after 12 steps). */
  anchors: readonly (readonly ChatMessage[])[];
  /** Whether an answer does what was said. @param text what people see of it */
  complies: (text: string, prompt: LessonPrompt) => Promise<boolean>;
}

export interface SamplingOptions {
  asked: Asked;
  objective: Objective;
  /** The adapter that is to become better; absent: there is none yet. */
  adapter?: string | undefined;
  /** How often a prompt is asked at the most. */
  tries: number;
  /** How many answers to a prompt are kept. */
  keep: number;
  /** Longest answer, in tokens. */
  maxTokens: number;
  /** Of the teacher's likeliest tokens at each place, so many. */
  teacherTop: number;
  /** Whether the model without adapter is asked for its word, too: `sdpo` wants it in any case. */
  wantsBase: boolean;
  seed: number;
  /** Told after each question, and how many there are. */
  onAsked?: ((done: number, of: number) => void) | undefined;
  signal?: AbortSignal;
}

export interface Sampled {
  samples: TrainingSample[];
  /** Of the lesson's anchors. */
  anchors: TrainingSample[];
  /** Answers that were asked for, and those among them that comply. */
  tried: number;
  complied: number;
  /** Prompts that nothing is learnt from because they are too long for the engine, or with each of their answers for a trainer. */
  tooLong: number;
}

/** With a name in it 23 of 30 answers of SmolLM2-135M were sound at 0.5, 19 at 0.8; without emojis 9 and 15. */
const TEMPERATURE = 0.8;
const TEMPERATURE_FOR_NEW = 0.5;

interface Answered {
  tokens: readonly number[];
  /** How the teacher is told what was said, when it judges this answer: as it was when it gave it. */
  told: Told;
}

/**
 * Answers to learn from, with the teacher's word about each token. The teacher is the model without adapter, which has the feedback before its eyes.
 * `distillation` takes the teacher's own answers, of which only those are kept that end properly, comply, and are answers at all; `sdpo` takes those of
 * the student. What is too long for the engine or for a trainer is left out.
 */
export async function makeSamples(lesson: Lesson, options: SamplingOptions): Promise<Sampled> {
  const sampled: Sampled = { samples: [], anchors: [], tried: 0, complied: 0, tooLong: 0 };
  let done = 0;
  const asked = () => options.onAsked?.(++done, lesson.prompts.length + lesson.anchors.length);
  for (const [number, prompt] of lesson.prompts.entries()) {
    const answers = await unlessTooLong(() => answersTo(prompt, number, lesson, options, sampled));
    const samples: TrainingSample[] = [];
    for (const { tokens, told } of answers ?? []) {
      const teacher = { messages: told(prompt.messages) };
      const sample = await judged(prompt.messages, tokens, teacher, options);
      if (sample) samples.push(sample);
    }
    sampled.samples.push(...samples);
    const hadAnswers = answers === undefined || answers.length > 0; // as far as is known: it was too long to be asked
    if (samples.length === 0 && hadAnswers) sampled.tooLong++;
    asked();
  }
  for (const messages of lesson.anchors) {
    const anchor = await unlessTooLong(() => anchorOf(messages, options));
    if (anchor) sampled.anchors.push(anchor);
    asked();
  }
  return sampled;
}

/** What the model says already, and how sure it is of it: nothing, where it does not come to an end. */
async function anchorOf(
  messages: readonly ChatMessage[],
  options: SamplingOptions,
): Promise<TrainingSample | undefined> {
  const { asked, adapter, maxTokens, seed, signal } = options;
  const { finish, tokens } = await asked.answer(messages, { temperature: 0, maxTokens, seed, adapter, signal });
  return finish === 'stop' ? await judged(messages, tokens, { messages, adapter }, options) : undefined;
}

async function answersTo(
  prompt: LessonPrompt,
  number: number,
  lesson: Lesson,
  options: SamplingOptions,
  sampled: Sampled,
): Promise<Answered[]> {
  const { asked, objective, adapter, tries, keep, maxTokens, seed, signal } = options;
  const hindsight: Told = (messages) => withHindsight(messages, lesson.hints);
  if (prompt.edited !== undefined) {
    return [{ tokens: await asked.answerTokens(prompt.messages, prompt.edited), told: hindsight }];
  }
  const distils = objective === 'distillation';
  const ways = distils ? waysToTell(lesson, prompt.messages) : [hindsight];
  const kept = new Map<string, Answered>();
  const isNew = distils && lesson.saysNew;
  const wanted = isNew ? 1 : keep; // of many questions, see `planLesson`
  const warm = isNew ? TEMPERATURE_FOR_NEW : TEMPERATURE;
  for (let turn = 0; turn < tries && kept.size < wanted; turn++) {
    const told = ways[turn % ways.length] ?? hindsight;
    const messages = distils ? told(prompt.messages) : prompt.messages;
    const how = {
      temperature: turn < ways.length ? 0 : warm,
      maxTokens,
      seed: seed + 1_000 * number + turn,
      signal,
    };
    const answer = await asked.answer(messages, { ...how, adapter: distils ? undefined : adapter });
    sampled.tried++;
    const text = lookedAt(answer.text);
    const complies = answer.finish === 'stop' && isAnswer(text, lesson) && (await lesson.complies(text, prompt));
    if (complies) sampled.complied++;
    if (complies || (!distils && answer.tokens.length > 0)) {
      kept.set(text, { tokens: answer.tokens, told });
    }
  }
  return [...kept.values()];
}

/** Whether it is one: most rules are passed by what says the same again and again, or speaks of the feedback. */
export function isAnswer(text: string, { hints }: Pick<Lesson, 'hints'>): boolean {
  return text.trim() !== '' && !goesInCircles(text) && !speaksOfHindsight(text, hints);
}

/** One sample; undefined where it is too long. @param teacher what it has before its eyes, and which adapter */
async function judged(
  messages: readonly ChatMessage[],
  tokens: readonly number[],
  teacher: { messages: readonly ChatMessage[]; adapter?: string | undefined },
  options: SamplingOptions,
): Promise<TrainingSample | undefined> {
  const prompt = await options.asked.tokens(messages);
  if (prompt.length + tokens.length > DEFAULT_LONGEST) return undefined;
  return await unlessTooLong(() => sampleOf({ messages, prompt, tokens }, teacher, options));
}

async function sampleOf(
  {
    messages,
    prompt,
    tokens,
  }: { messages: readonly ChatMessage[]; prompt: readonly number[]; tokens: readonly number[] },
  teacher: { messages: readonly ChatMessage[]; adapter?: string | undefined },
  { asked, objective, adapter, teacherTop, wantsBase, signal }: SamplingOptions,
): Promise<TrainingSample> {
  const likely = { adapter: teacher.adapter, topK: teacherTop, signal };
  const { top } = await asked.score(teacher.messages, tokens, likely);
  const sample = { prompt, response: tokens, teacher: top };
  if (objective === 'distillation' && !wantsBase) return sample;
  const { logprobs: base } = await asked.score(messages, tokens, { signal });
  if (objective === 'distillation') return { ...sample, base };
  const { logprobs: old } = adapter ? await asked.score(messages, tokens, { adapter, signal }) : { logprobs: base };
  return { ...sample, old, base };
}
