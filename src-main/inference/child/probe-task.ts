import { endianness } from 'node:os';
import type { Token } from 'node-llama-cpp';
import type { ProbeRequest } from '../backend.ts';
import type { TokenEvidence } from '../evidence.ts';
import type { Answer } from './answers.ts';
import type { LogitsReader, Sampler } from './loop/addon.ts';
import type { SequenceTask } from './loop/sequence-task.ts';
import type { LogprobReader } from './vocabulary.ts';

export interface ProbeTaskOptions {
  answer: Answer;
  request: ProbeRequest;
  /** Takes the likeliest. */
  greedy: Sampler;
  /** Reads the likeliest, as many as are to be told. Undefined: nobody wants to know. */
  logprobs: LogprobReader | undefined;
  logits: LogitsReader;
}

/** Goes on from bare tokens with the likeliest each time, or reads what somebody says that he went on with. */
export class ProbeTask implements SequenceTask {
  readonly tokens: Token[];
  readonly logitsFrom: number;
  readonly fresh = true;
  readonly #options: ProbeTaskOptions;
  readonly #chosen: Token[] = [];
  readonly #evidence: TokenEvidence[] = [];
  #captured = '';

  constructor(options: ProbeTaskOptions) {
    const { prompt, said = [] } = options.request;
    this.#options = options;
    // What would follow the last token is of no interest.
    this.tokens = [...prompt, ...said.slice(0, -1)] as Token[];
    this.logitsFrom = prompt.length - 1;
  }

  get ended(): boolean {
    return this.#options.answer.over;
  }

  async onLogits(position: number, index: number): Promise<void> {
    const { answer, request, greedy, logprobs, logits } = this.#options;
    const place = position - this.logitsFrom;
    const token = (request.said?.[place] as Token | undefined) ?? (await greedy.sample(index));
    if (logprobs) this.#evidence.push(evidenceOf(await logprobs.read(index, token)));
    if (place + 1 === request.captureAt) this.#captured = base64Of(await logits.read(index));
    if (answer.over) return;
    if (place === 0) answer.token();
    this.#chosen.push(token);
    if (this.#chosen.length === request.length) this.#finish();
    else if (!request.said) this.tokens.push(token);
  }

  fail(error: unknown): void {
    this.#options.answer.fail(error);
  }

  dispose(): void {
    const { greedy, logprobs, logits } = this.#options;
    greedy.dispose();
    logprobs?.dispose();
    logits.dispose();
  }

  #finish(): void {
    const found = { tokens: this.#chosen, logits: this.#captured, evidence: this.#evidence };
    this.#options.answer.done({ kind: 'probe', ...found });
  }
}

function evidenceOf({ id, logprob, top }: Awaited<ReturnType<LogprobReader['read']>>): TokenEvidence {
  if (id === undefined) throw new Error('a token of this engine has a number');
  return { id, logprob, top: top.map((each) => [each.id ?? 0, each.logprob]) };
}

/** Little-endian, wherever it is computed. */
function base64Of(logits: Float32Array): string {
  const bytes = Buffer.from(logits.buffer, logits.byteOffset, logits.byteLength);
  return (endianness() === 'LE' ? bytes : bytes.swap32()).toString('base64');
}
