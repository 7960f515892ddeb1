import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import { type GenerateRequest, requestSchema } from '../../../src-preload/contract/request.ts';
import { type Asked, PROMPTING, STREAM_PROMPTING } from '../synapse/prompting.ts';
import { InvalidBody } from './answering.ts';
import type { Caller } from './gate.ts';
import { type ServedSynapse, serve } from './served-synapse.ts';

/** A piece of an answer, and after the last one how it went and which model gave it. */
export type TextEvent =
  | { type: 'chunk'; text: string }
  | { type: 'done'; model: string; result: Pick<GenerateResult, 'finish' | 'promptTokens' | 'completionTokens'> };

/** Whoever writes the answers. */
export interface TextWorker {
  /** @param options.model the one that is wanted. Default: whichever is loaded @throws QuarryError why there is no answer */
  generate(
    request: GenerateRequest,
    caller: Caller,
    options: { model?: string; signal: AbortSignal },
  ): AsyncIterable<TextEvent>;
}

/** What an axon answers with a language model: in one piece, and as it is written. */
export function serveText(worker: TextWorker): ServedSynapse[] {
  const ask = (asked: Asked, caller: Caller, signal: AbortSignal) => {
    const { model } = asked;
    return worker.generate(requestOf(asked), caller, { signal, ...(model !== '' && { model }) });
  };
  return [
    serve(PROMPTING, (asked, caller, signal) => whole(ask(asked, caller, signal))),
    serve(STREAM_PROMPTING, (asked, caller, signal) => pieces(ask(asked, caller, signal))),
  ];
}

async function whole(events: AsyncIterable<TextEvent>) {
  let completion = '';
  for await (const event of events) {
    if (event.type === 'chunk') {
      completion += event.text;
      continue;
    }
    const { model, result } = event;
    const { finish, promptTokens, completionTokens } = result;
    const counts = { prompt_tokens: promptTokens, completion_tokens: completionTokens };
    return { completion, model, finish_reason: finish === 'length' ? 'length' : 'stop', ...counts };
  }
  throw new Error('An answer had no end.');
}

async function* pieces(events: AsyncIterable<TextEvent>) {
  for await (const event of events) if (event.type === 'chunk' && event.text !== '') yield event.text;
}

/** @throws InvalidBody where roles and messages do not belong together */
function requestOf({ roles, messages, max_tokens, temperature, top_p, seed }: Asked): GenerateRequest {
  if (roles.length !== messages.length) throw new InvalidBody(['roles'], 'Each message has one role.');
  const said = messages.map((content, at) => ({ role: roles[at] ?? 'user', content }));
  const read = requestSchema.safeParse({
    input: { messages: said },
    ...(max_tokens > 0 && { maxTokens: max_tokens }),
    ...(temperature !== null && { temperature }),
    ...(top_p !== null && { topP: top_p }),
    ...(seed !== null && { seed }),
  });
  if (read.success) return read.data;
  throw new InvalidBody(['messages'], read.error.issues[0]?.message ?? '');
}
