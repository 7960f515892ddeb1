import { isDeepStrictEqual } from 'node:util';
import type { ChatMessage } from '../../../src-preload/contract/request.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { SeededRandom } from '../../validation/seeded-random.ts';
import type { AskedAnswers } from '../asked.ts';
import { asked, PROBE_SYSTEM } from '../evaluation/probes/probe.ts';
import { ANCHORS } from '../evaluation/prompts/anchors.ts';
import { relatedPrompts } from '../evaluation/prompts/related.ts';
import { withoutEmojis } from '../evaluation/verifiers/emoji.ts';
import { NO_RULE, type Proposal, proposeWish } from '../evaluation/verifiers/proposal.ts';
import { lookedAt, type Verifier } from '../evaluation/verifiers/verifier.ts';
import { concernsLength, type OneWish, verifierOf, type Wish } from '../evaluation/verifiers/wish.ts';
import { type Hint, withHindsight } from './hindsight.ts';
import type { Lesson, LessonPrompt } from './sampling.ts';

/** What somebody said of an answer, with the conversation that it was an answer to. */
export interface LessonFeedback extends Hint {
  messages: readonly ChatMessage[];
  answer: string;
}

export interface LessonNeeds {
  /** What is to be learnt, the oldest first. */
  feedback: readonly LessonFeedback[];
  /** What was learnt before, and is in the version that this one starts from. */
  earlier: readonly LessonFeedback[];
  /** What people of this node asked lately, other than that. */
  recent: readonly (readonly ChatMessage[])[];
  /** How many prompts to learn from, with others like those that feedback was given to; of what is new, three times as many. Default: those alone. */
  prompts?: number;
  asked: Pick<AskedAnswers, 'score'>;
}

/** What is to be learnt, and by what it is told whether it was. */
export interface LessonPlan {
  lesson: Lesson;
  verifier: Verifier;
  /** Questions that nothing is learnt from. */
  heldOut: readonly (readonly ChatMessage[])[];
  concernsLength: boolean;
  /** How the teacher is asked. */
  teacher: (messages: readonly ChatMessage[]) => readonly ChatMessage[];
  /** By which rule answers are checked. */
  rule: Saying;
}

const HELD_OUT = 20;
/**
 * A name is said the same way whatever the question: many questions with one answer each teach more than a few with two (SmolLM2-135M, after 12 steps: 12 of 20 held-out
 * questions with 26, 9 with 9).
 */
const MORE_FOR_NEW = 3;
/** As many as a run of 16 steps takes in turn: what is not among them is lost sooner. */
const MOST_ANCHORS = 32;
/** Rules for all answers, whatever is asked: what was wanted once is to stay so. */
const FOR_ALL: readonly OneWish['kind'][] = ['emoji', 'concise', 'length', 'marks', 'language', 'json'];

/**
 * Makes a lesson of feedback: one question alone generalises badly, so others like it are taken beside it (design). Teacher and rule have what was learnt before
 * in mind: a version that starts from another is to do both.
 */
export function planLesson(needs: LessonNeeds): LessonPlan {
  const { feedback, earlier } = needs;
  const hints = once([...earlier, ...feedback].map(({ kind, text }): Hint => ({ kind, text })));
  const teacher = (messages: readonly ChatMessage[]) => withHindsight(messages, hints);
  const proposals = feedback.map(proposalFor);
  const wish = wishOf(proposals, earlier.map(proposalFor));
  const verifier = verifierOf(wish, { teacher: { asked: needs.asked, withFeedback: teacher } });
  const about = proposals.find((proposal) => proposal?.about)?.about;
  const saysNew = about === 'assistant' || about === 'user';
  const { prompts = feedback.length } = needs;
  const others = needs.prompts !== undefined && saysNew ? MORE_FOR_NEW : 1;
  const { training, heldOut } = questionsFor(needs, { about, prompts: others * prompts });
  return {
    lesson: {
      prompts: training,
      anchors: anchorsFor(needs),
      hints,
      saysNew,
      without: withoutOf(wish),
      complies: async (text, { messages }) => (await verifier.check({ text, messages })).passes,
    },
    verifier,
    heldOut,
    concernsLength: concernsLength(wish),
    teacher,
    rule: ruleOf(proposals),
  };
}

function proposalFor({ kind, text, answer }: LessonFeedback): Proposal | undefined {
  return kind === 'say' ? proposeWish(text, { answer: lookedAt(answer) }) : undefined;
}

/** All that is to be seen in answers. A later wish takes the place of an earlier one of its kind: «longer» that of «shorter». */
function wishOf(proposals: readonly (Proposal | undefined)[], earlier: readonly (Proposal | undefined)[]): Wish {
  const before = onesOf(earlier).filter(({ kind }) => FOR_ALL.includes(kind));
  const wanted = once(onesOf(proposals));
  if (proposals.some((proposal) => proposal === undefined)) wanted.push({ kind: 'likeness' });
  const kept = before.filter(({ kind }) => !wanted.some((one) => one.kind === kind));
  const [first, ...others] = [...wanted, ...kept];
  if (first && others.length === 0) return first;
  return { kind: 'all', of: [...wanted, ...kept].slice(0, 8) };
}

/** What was said twice is wanted once. */
function once<Value>(values: readonly Value[]): Value[] {
  return values.filter((value, at) => values.findIndex((other) => isDeepStrictEqual(other, value)) === at);
}

function onesOf(proposals: readonly (Proposal | undefined)[]): OneWish[] {
  return proposals.flatMap((proposal) => {
    if (!proposal) return [];
    return proposal.wish.kind === 'all' ? proposal.wish.of : [proposal.wish];
  });
}

/** Some of what answers are to be without can be taken out of questions, too. */
function withoutOf(wish: Wish): ((text: string) => string) | undefined {
  const wishes = wish.kind === 'all' ? wish.of : [wish];
  return wishes.some((one) => one.kind === 'emoji' && !one.wanted) ? withoutEmojis : undefined;
}

function ruleOf(proposals: readonly (Proposal | undefined)[]): Saying {
  const rules = once(proposals.map((proposal) => proposal?.why ?? NO_RULE));
  const [first] = rules;
  return first && rules.length === 1 ? first : say('learning.rules', { rules });
}

function questionsFor(
  { feedback, recent }: LessonNeeds,
  { about, prompts }: { about: Proposal['about']; prompts: number },
): { training: LessonPrompt[]; heldOut: ChatMessage[][] } {
  const own = feedback.map(({ kind, text, messages }): LessonPrompt => {
    return kind === 'edit' ? { messages, edited: text } : { messages };
  });
  const [first] = feedback;
  const lately = about ? [] : recent;
  const taken = [...own, ...lately.map((messages): LessonPrompt => ({ messages }))].slice(0, prompts);
  const question = first ? questionOf(first.messages) : '';
  const related = relatedPrompts(question, { training: prompts - taken.length, heldOut: HELD_OUT, about });
  const system = first?.messages.filter(({ role }) => role === 'system') ?? [];
  const asking = (content: string): ChatMessage[] => [...system, { role: 'user', content }];
  const known = new Set(taken.map(({ messages }) => questionOf(messages)));
  return {
    training: [...taken, ...related.training.map((content) => ({ messages: asking(content) }))],
    heldOut: related.heldOut.filter((content) => !known.has(content)).map(asking),
  };
}

/** Asked so that a small model says what it knows; others with each seed, which is that of the question. */
function anchorsFor({ feedback }: LessonNeeds): ChatMessage[][] {
  const question = feedback[0] ? questionOf(feedback[0].messages) : '';
  const chosen = new SeededRandom(`anchors ${question}`).sample(ANCHORS, MOST_ANCHORS);
  return chosen.map((content) => asked(PROBE_SYSTEM, content));
}

/** What the user asked last. */
export function questionOf(messages: readonly ChatMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.content.trim() ?? '';
}
