import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { AskEvent } from '../../../src-preload/contract/inference.ts';
import { MAX_ASKED_TEMPERATURE } from '../../../src-preload/contract/limits.ts';
import { TINY_MODEL_NAME } from '../../models/model-name.ts';
import type { DemoNode } from './demo-node.ts';
import { pause } from './pace.ts';
import type { AnswerScene, DemoScene } from './scenes.ts';
import type { Booked, Stage } from './stage.ts';

const QUESTIONS = [
  'What is a computer network?',
  'What is the capital of Japan?',
  'Why is the sky blue?',
  'How does a seed become a tree, and what does it need for that?',
  'What is photosynthesis?',
  'Which planet is the largest?',
  'Why do we have leap years, and how often do they come?',
  'What does a bee do all day?',
  'How do I boil an egg?',
  'What is a good name for a cat, and why do you think so?',
  'Why does ice float on water?',
];
const LONG = 'Tell me a long story about a lighthouse.';
/** Without one, a small model rambles. */
const SYSTEM = 'You are a helpful assistant. Answer in one sentence.';
const MAX_TOKENS = 64;
/** Of many questions of one node, so many are told. */
const TOLD = 3;
/** Milliseconds in which the worker should have booked the receipt. */
const BOOKING_MS = 5_000;

/** Asks the mesh as one of its nodes. */
export function question(
  client: DemoNode,
  text: string,
  wanted: { maxTokens: number; temperature?: number; model?: string },
  signal: AbortSignal,
): AsyncGenerator<AskEvent> {
  const messages = [
    { role: 'system' as const, content: SYSTEM },
    { role: 'user' as const, content: text },
  ];
  return client.app.inference.ask({ target: 'mesh', messages, ...wanted }, signal);
}

/** Asks for a long answer. The built-in model soon comes to an end, unless every word is as good as another to it. */
export function longQuestion(
  stage: Stage,
  client: DemoNode,
  maxTokens: number,
  signal: AbortSignal,
): AsyncGenerator<AskEvent> {
  const temperature = stage.model.second === TINY_MODEL_NAME ? MAX_ASKED_TEMPERATURE : undefined;
  return question(client, LONG, { maxTokens, ...(temperature && { temperature }) }, signal);
}

/** One question, its answer, and what the worker has of it. */
export async function* askOnce(stage: Stage, client: DemoNode, signal: AbortSignal): AsyncGenerator<DemoScene> {
  const booked = Promise.withResolvers<Booked>();
  const stop = stage.onBooked((news) => news.receipt.body.client === client.id && booked.resolve(news));
  try {
    const answer = await answerTo(stage, client, QUESTIONS[stage.turn++ % QUESTIONS.length] ?? '', signal);
    const news = await Promise.race([booked.promise, pause(BOOKING_MS, signal)]);
    const worker = news?.worker ?? stage.main;
    const { points: total, tier: workerTier } = await worker.app.credits.summary();
    yield { ...answer, points: news?.booking.points, total, workerTier };
  } finally {
    stop();
  }
}

/** Ordinary times: one after the other asks. Who can give the main worker no more points today goes, and another one comes. */
export async function* ordinaryTimes(stage: Stage, signal: AbortSignal): AsyncGenerator<DemoScene> {
  for (let asked = 0; asked < stage.pace.questions && !signal.aborted; asked++) {
    yield* renew(stage);
    const client = stage.nextAsker();
    if (client) yield* askOnce(stage, client, signal);
    await pause(stage.pace.questionMs, signal);
  }
  yield await standing(stage);
}

/** The main worker asks who serves beside it, and owes that one something from then on. Not every answer is worth telling. */
export async function* workForIt(stage: Stage, questions: number, signal: AbortSignal): AsyncGenerator<DemoScene> {
  const { main, second } = stage;
  if (!second) return;
  for (let asked = 0; asked < questions && !signal.aborted; asked++) {
    for await (const answer of askOnce(stage, main, signal)) if (asked < TOLD) yield answer;
    if (asked < TOLD) await pause(stage.pace.questionMs / 2, signal);
  }
  const { owed: credits } = main.app.credits.between(second.id);
  yield { type: 'owed', to: second.name, answers: questions, credits, tier: stage.tierAt(main, second) };
}

async function answerTo(
  stage: Stage,
  client: DemoNode,
  text: string,
  signal: AbortSignal,
): Promise<Omit<AnswerScene, 'points' | 'total' | 'workerTier'>> {
  const tiers = new Map(stage.workers.map((worker) => [worker.id, stage.tierAt(worker, client)]));
  let [worker, credits, from]: [string, number, AnswerScene['from']] = ['', 0, undefined];
  for await (const event of question(client, text, { maxTokens: MAX_TOKENS, ...sense(stage, client) }, signal)) {
    if (event.type === 'worker') worker = event.worker;
    if (event.type === 'paid') [worker, credits, from] = [event.worker, event.credits, event.from];
    if (event.type !== 'done') continue;
    const { text: answer, completionTokens: tokens, totalMs: ms } = event.result;
    const names = { client: client.name, worker: stage.nameOf(worker) };
    const tier = tiers.get(worker) ?? 'newcomer';
    return { type: 'answer', ...names, tier, question: text, text: answer, tokens, ms, credits, from };
  }
  throw new QuarryError({ code: 'INTERNAL', message: 'An answer had no end.' });
}

/** Where only the main worker has real weights, two of three questions want those. */
function sense({ model, main, turn }: Stage, client: DemoNode): { model?: string } {
  const name = main.app.engine?.slot.status().model?.name;
  const onlyMain = model.real && model.second === TINY_MODEL_NAME;
  return onlyMain && name && client !== main && turn % 3 > 0 ? { model: name } : {};
}

async function* renew(stage: Stage): AsyncGenerator<DemoScene> {
  for (const node of stage.askers.filter((node) => stage.isUsedUp(node))) {
    const receipts = stage.receiptsOf(node);
    const next = await stage.replace(node);
    yield { type: 'leaving', name: node.name, receipts, next: next.name };
  }
}

async function standing({ main, everybody }: Stage): Promise<DemoScene> {
  const { points, tier } = await main.app.credits.summary();
  const others = everybody.filter((node) => node !== main);
  const seenBy = others.map(({ name, app }) => ({ name, ...app.standings.of(main.id) }));
  return { type: 'standing', points, tier, seenBy };
}
