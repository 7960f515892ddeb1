import { randomBytes } from 'node:crypto';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest } from '../../../src-preload/contract/inference.ts';
import { say, told, type Words } from '../../../src-preload/contract/saying.ts';
import type { PracticeEvent, PracticeRequest } from '../../../src-preload/contract/validator.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import { PLAIN_MODEL } from '../../learning/adapters/learnt-models.ts';
import { probeText } from '../../subnets/quasar/verification/answer.ts';
import { answerProbe, takesProbes } from '../../subnets/quasar/verification/answering.ts';
import { noModel } from '../../subnets/quasar/verification/inference-environment.ts';
import type { TokenProbe } from '../../validation/environment.ts';
import { judgedOf } from '../../validation/judged.ts';
import { type PracticeOptions, type Practised, practise, type Said } from '../../validation/practice.ts';
import { PracticeTallies } from '../../validation/practice-tally.ts';
import type { Answerer, Judged } from '../../validation/result.ts';

/** Of an answer, what is shown, UTF-16 units. */
const SHOWN_ANSWER = 8_000;

export interface PracticeNeeds {
  inference: { ask(request: AskRequest, signal?: AbortSignal): AsyncIterable<AskEvent> };
  engine: { slot: Pick<EngineSlot, 'status' | 'need'> } | undefined;
}

/** Asks this machine’s own model. @param keep whatever is judged @throws what asking the model throws, if it goes on doing so */
export async function* practised(
  { inference, engine }: PracticeNeeds,
  {
    samples,
    maxTokens,
    seed = randomBytes(16).toString('hex'),
    environments,
  }: Omit<PracticeRequest, 'environments'> & Pick<PracticeOptions, 'environments'>,
  keep: (judged: Practised) => Promise<void>,
  signal?: AbortSignal,
): AsyncGenerator<PracticeEvent, void, undefined> {
  const tallies = new PracticeTallies();
  yield { type: 'begins', seed, challenges: samples * environments.length };
  const ask: PracticeOptions['ask'] = async ({ prompt, ask: way }) => {
    switch (way.kind) {
      case 'text':
      case 'longText':
        return answerOf(inference, { prompt, maxTokens }, signal);
      case 'tokens':
        return ownProbe(engine, way.probe, signal);
      case 'clips':
        throw new QuarryError({ code: 'BAD_REQUEST', message: say('validation.practice.noClips') });
    }
  };
  let done = 0;
  for await (const judged of practise({ environments, samples, seed, ask, signal })) {
    await keep(judged);
    tallies.add(judged);
    const { challenge, said, score, reason } = judged;
    const { environment, level, id, prompt } = challenge;
    const answer = said ? said.text.slice(0, SHOWN_ANSWER) : null;
    const { model } = answerer(engine);
    const about = { model, environment, level, id, prompt, answer, score, ...told({ reason }), ms: said?.ms ?? null };
    yield { type: 'judged', ...about, done: ++done, tallies: tallies.read() };
  }
}

/** Without chance, so that the same question gets the same answer. */
async function answerOf(
  inference: PracticeNeeds['inference'],
  { prompt, maxTokens }: { prompt: string; maxTokens: number },
  signal?: AbortSignal,
): Promise<Said> {
  const messages = [{ role: 'user' as const, content: prompt }];
  for await (const event of inference.ask(
    { target: 'local', model: PLAIN_MODEL, messages, maxTokens, temperature: 0 },
    signal,
  )) {
    if (event.type !== 'done') continue;
    const { text, totalMs: ms, firstTokenMs: firstMs } = event.result;
    return { text, ms, firstMs };
  }
  throw new Error('an answer that has no end');
}

/** As a miner with this model says it. The environment has loaded it. */
async function ownProbe(engine: PracticeNeeds['engine'], probe: TokenProbe, signal?: AbortSignal): Promise<Said> {
  const model = engine?.slot.need();
  if (!model || !takesProbes(model)) throw noModel();
  const begun = performance.now();
  const said = await answerProbe(model, probe, signal);
  return { text: probeText(said), ms: performance.now() - begun };
}

/** This machine's model, as results name it: each model counts as a miner of its own. */
export function answerer(engine: PracticeNeeds['engine']): Answerer {
  const model = engine?.slot.status().model;
  const name = model?.name ?? '?';
  return { miner: `local/${name}`, model: name, revision: model?.sha256 ?? '' };
}

/** What is signed of it. */
export function kept({ challenge, said, score, accuracy, keeps, reason }: Practised, answerer: Answerer): Judged {
  const { environment, version: environmentVersion, level, seed, id: challengeId } = challenge;
  const posed = { environment, environmentVersion, level, seed, challengeId };
  const outcome = {
    answer: said?.text ?? null,
    ...{ score, keeps },
    ...(accuracy !== undefined && { accuracy }),
    reason: typeof reason === 'string' ? null : reason,
    error: said ? null : (sentence(reason) ?? null),
    attempts: 1,
    latencyMs: Math.round(said?.ms ?? 0),
    ...(said?.firstMs !== undefined && { firstByteMs: Math.round(said.firstMs) }),
  };
  return judgedOf(posed, { ...answerer, uid: null, block: null }, outcome, Date.now());
}

const sentence = (reason: Words) => (typeof reason === 'string' ? reason : told({ reason }).reason);
