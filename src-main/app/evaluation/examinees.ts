import { performance } from 'node:perf_hooks';
import type { EvaluationTarget } from '../../../src-preload/contract/evaluation.ts';
import type { AskEvent, AskRequest } from '../../../src-preload/contract/inference.ts';
import { PLAIN_MODEL } from '../../learning/adapters/learnt-models.ts';
import type { Answered } from '../../subnets/quasar/evaluation/evaluation-run.ts';
import { withoutThoughts } from '../../validation/answer-text.ts';
import type { EnginePart } from '../parts/engine.ts';
import { NO_ENGINE } from '../parts/engine.ts';
import { need } from '../parts/need.ts';
import type { OpenedExaminee } from './evaluation-desk.ts';

export interface ExamineeNeeds {
  inference: { ask(request: AskRequest, signal?: AbortSignal): AsyncIterable<AskEvent> };
  engine: EnginePart | undefined;
}

/** Whoever is to be asked. This node's model is loaded, and stays so until it is let go. @throws what loading throws; the signal's reason */
export async function openExaminee(
  needs: ExamineeNeeds,
  target: EvaluationTarget,
  signal: AbortSignal,
): Promise<OpenedExaminee> {
  return target.kind === 'local' ? await ownModel(needs, signal) : onMesh(needs, target);
}

async function ownModel({ inference, engine }: ExamineeNeeds, signal: AbortSignal): Promise<OpenedExaminee> {
  const { slot, localUse } = need(engine, NO_ENGINE);
  const loaded = await localUse.begin(signal);
  const { name = '?', sha256 = null } = slot.status().model ?? {};
  return {
    ...{ model: name, sha256 },
    count: async (text) => (await slot.need().countTokens?.(inputOf(text))) ?? roughly(text),
    ask: (prompt, { maxTokens, signal }) =>
      answerOf(inference.ask({ target: 'local', model: PLAIN_MODEL, ...asked(prompt, maxTokens) }, signal)),
    async [Symbol.asyncDispose]() {
      loaded[Symbol.dispose]();
    },
  };
}

/** Who answers may be another one each time; its tokenizer is elsewhere. */
function onMesh({ inference }: ExamineeNeeds, { model }: Extract<EvaluationTarget, { kind: 'mesh' }>): OpenedExaminee {
  return {
    ...{ model: model ?? 'mesh', sha256: null },
    count: async (text) => roughly(text),
    ask: (prompt, { maxTokens, signal }) =>
      answerOf(inference.ask({ target: 'mesh', ...(model && { model }), ...asked(prompt, maxTokens) }, signal)),
    async [Symbol.asyncDispose]() {},
  };
}

const inputOf = (prompt: string) => ({ messages: [{ role: 'user' as const, content: prompt }] });

/** Without chance, so that the same question gets the same answer. */
const asked = (prompt: string, maxTokens: number) => ({ ...inputOf(prompt), maxTokens, temperature: 0 });

/** A figure for English, where nobody counts: four bytes a token. */
const roughly = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

/** Times are this node's own: whoever answers may say anything of its speed. */
async function answerOf(events: AsyncIterable<AskEvent>): Promise<Answered> {
  const began = performance.now();
  let firstMs: number | undefined;
  for await (const event of events) {
    if (event.type === 'chunk') firstMs ??= performance.now() - began;
    if (event.type === 'restart') firstMs = undefined;
    if (event.type !== 'done') continue;
    const totalMs = performance.now() - began;
    const { text, promptTokens, cachedTokens, completionTokens: answerTokens } = event.result;
    return {
      text: withoutThoughts(text),
      firstMs: firstMs ?? totalMs,
      totalMs,
      promptTokens,
      cachedTokens,
      answerTokens,
    };
  }
  throw new Error('an answer that has no end');
}
