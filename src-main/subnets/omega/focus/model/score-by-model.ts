import type { ActivityMinute } from './activity-summary.ts';
import { type Annotation, annotationSchema, completionSchema, legitimacySchema } from './answers.ts';
import { type Asking, askJudge } from './ask-judge.ts';
import { checkedFrames } from './key-frames.ts';
import { orderIn } from './orders.ts';
import {
  completionQuestion,
  type Drawn,
  descriptionQuestion,
  type FocusTask,
  type KeyFrame,
  legitimacyQuestion,
} from './questions.ts';

/** Scores by other questions are not compared with these. */
export const MODEL_VERSION = 'model-1';

/** How much more a task is worth. */
export interface Boost {
  /** From 1. */
  factor: number;
  /** Whether a score may be more than 1. */
  beyondOne: boolean;
}
export const NO_BOOST: Boost = { factor: 1, beyondOne: false };

/** What a model says of a recording. */
export interface ModelScore {
  version: string;
  model: string;
  host: string;
  annotation: Annotation;
  /** What in the material gives orders to whoever judges, as far as it was found: then nothing below counts. */
  orders: string | null;
  /** Null where it was not asked any more. */
  legitimacy: { legitimate: boolean; rationale: string } | null;
  completion: { score: number; rationale: string; missing: string } | null;
  boost: number;
  /** Completion × boost, and 0 for what is no work; null where a person has to look. */
  score: number | null;
}

/** The task itself gives orders to whoever judges: nobody was asked, and a person has to look. */
export class OrdersInTask extends Error {
  /** What was found. */
  readonly orders: string;

  constructor(orders: string) {
    super(`The task gives orders to whoever judges it: ${orders}`);
    this.name = 'OrdersInTask';
    this.orders = orders;
  }
}

export interface ModelInput extends Asking {
  task: FocusTask;
  /** Taken when the task has no orders in it. @throws Unscored where none can be taken */
  frames: () => Promise<readonly KeyFrame[]>;
  minutes: readonly ActivityMinute[];
  boost?: Boost | undefined;
  /** Draws anew for each question. */
  draw: () => Drawn;
  /** Told of each question before it is asked. */
  onStep?: ((step: ModelStep) => void) | undefined;
}

export const MODEL_STEPS = ['description', 'legitimacy', 'completion'] as const;
export type ModelStep = (typeof MODEL_STEPS)[number];

/**
 * Three questions, each with what came of the one before: what is to be seen, whether it is work, how far it does the task (OMEGA, B11).
 * Whoever judges is never asked further once the material is found to give orders.
 * @throws Unscored where there is no score: never 0, and never a pass; OrdersInTask
 */
export async function scoreByModel(input: ModelInput): Promise<ModelScore> {
  const { task, minutes, draw, onStep, boost = NO_BOOST } = input;
  const { model, host } = input.judge;
  const ordered = orderIn([task.title, task.description]);
  if (ordered !== undefined) throw new OrdersInTask(ordered);
  const frames = checkedFrames(await input.frames());
  const about = { version: MODEL_VERSION, model, host, boost: boost.factor };

  onStep?.('description');
  let drawn = draw();
  const seen = await askJudge(input, descriptionQuestion(drawn, { frames, minutes }), annotationSchema, drawn);
  const annotation = only(seen);
  const none = { ...about, annotation, legitimacy: null, completion: null, score: null };
  const found = orderIn([...annotation.applications, ...annotation.steps, annotation.description]);
  if (found ?? seen.orders) return { ...none, orders: found ?? '' };

  onStep?.('legitimacy');
  drawn = draw();
  const decided = await askJudge(input, legitimacyQuestion(drawn, annotation), legitimacySchema, drawn);
  const { legitimate, rationale } = decided;
  const legitimacy = { legitimate, rationale };
  if (isSuspect(decided)) return { ...none, legitimacy, orders: orderIn([rationale]) ?? '' };
  if (!legitimate) return { ...none, legitimacy, orders: null, score: 0 };

  onStep?.('completion');
  drawn = draw();
  const graded = await askJudge(input, completionQuestion(drawn, task, annotation), completionSchema, drawn);
  const completion = { score: graded.score, rationale: graded.rationale, missing: graded.missing };
  if (isSuspect(graded)) return { ...none, legitimacy, completion, orders: orderIn([graded.rationale]) ?? '' };
  return { ...none, legitimacy, completion, orders: null, score: boosted(graded.score, boost) };
}

function boosted(completion: number, { factor, beyondOne }: Boost): number {
  return beyondOne ? completion * factor : Math.min(1, completion * factor);
}

/** It saw orders, or repeats one as its reason. */
function isSuspect({ orders, rationale }: { orders: boolean; rationale: string }): boolean {
  return orders || orderIn([rationale]) !== undefined;
}

function only({ applications, steps, description }: Annotation): Annotation {
  return { applications, steps, description };
}
