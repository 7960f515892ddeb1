import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { type OpenAiEndpoint, RequestScope, requestJson } from '../../inference/remote/openai-request.ts';
import { jpegPart, plainAnswer } from '../../inference/remote/picture-questions.ts';
import type { Judge, JudgePart, JudgeQuestion } from '../../subnets/omega/focus/model/judge.ts';

/** Milliseconds for one answer: a large model on a small computer looks at 24 pictures for minutes. */
const DEADLINE_MS = 600_000;
const MOST_ANSWER_BYTES = 1024 * 1024;
/** Tokens of an answer, with what a model thinks before it. */
const MOST_TOKENS = 8_192;
const MOST_REFUSAL_CHARS = 300;

/** What goes to a model, and where. */
export interface Sent {
  what: 'pictures' | 'text';
  /** How many pictures, and bytes of the request as a whole. */
  pictures: number;
  bytes: number;
  /** Host and port. */
  to: string;
  /** Unix milliseconds. */
  at: number;
}

export interface ModelJudgeOptions {
  /** Ends in a slash. Its owner has agreed that pictures go there. */
  baseUrl: URL;
  apiKey: string | undefined;
  model: string;
  /** Told before anything is sent; where it fails, nothing is. */
  onSent: (sent: Sent) => void | Promise<void>;
  closing: AbortSignal;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/** Asks a model on a server that speaks the OpenAI API and takes pictures as data addresses. */
export class ModelJudge implements Judge {
  readonly #options: ModelJudgeOptions;
  readonly #endpoint: OpenAiEndpoint;

  constructor(options: ModelJudgeOptions) {
    this.#options = options;
    const { baseUrl, apiKey } = options;
    this.#endpoint = { baseUrl, apiKey, idleTimeoutMs: DEADLINE_MS, mostBytes: MOST_ANSWER_BYTES };
  }

  get model(): string {
    return this.#options.model;
  }

  get host(): string {
    return this.#endpoint.baseUrl.host;
  }

  /** @throws QuarryError: of the connection and the server; PROTOCOL for an answer in another form; BAD_REQUEST for a refusal */
  async ask(question: JudgeQuestion, signal: AbortSignal): Promise<string> {
    const body = this.#body(question);
    const pictures = question.parts.filter(({ type }) => type === 'picture').length;
    const bytes = Buffer.byteLength(JSON.stringify(body));
    const at = (this.#options.now ?? Date.now)();
    await this.#options.onSent({ what: pictures > 0 ? 'pictures' : 'text', pictures, bytes, to: this.host, at });
    const scope = new RequestScope({ signal, deadlineMs: DEADLINE_MS }, this.#options.closing, DEADLINE_MS);
    try {
      return answerOf(await requestJson(this.#endpoint, 'chat/completions', scope, body));
    } finally {
      scope.end();
    }
  }

  #body({ name, system, parts, schema }: JudgeQuestion): object {
    return {
      model: this.model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: parts.every(isText) ? parts.map(({ text }) => text).join('\n') : parts.map(partOf) },
      ],
      max_tokens: MOST_TOKENS,
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
    };
  }
}

/** A refusal is none that passes: the same would be refused again. */
function answerOf(body: unknown): string {
  const answer = plainAnswer(body);
  if (!answer) {
    throw new QuarryError({
      code: 'PROTOCOL',
      message: say('remote.unlikeApi', { what: say('focusScore.answer') }),
      retryable: true,
    });
  }
  if (answer.refusal !== null) {
    const why = foreignLine(answer.refusal).slice(0, MOST_REFUSAL_CHARS);
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('focusScore.unscored.refused', { why }) });
  }
  if (answer.isCut) throw new QuarryError({ code: 'BAD_REQUEST', message: say('focusScore.unscored.cut') });
  return answer.text;
}

const isText = (part: JudgePart): part is Extract<JudgePart, { type: 'text' }> => part.type === 'text';

const partOf = (part: JudgePart): object => (isText(part) ? part : jpegPart(part.jpeg));
