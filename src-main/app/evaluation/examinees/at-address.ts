import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import { say, wordsOf } from '../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../base/foreign-text.ts';
import { RemoteBackend } from '../../../inference/remote/remote-backend.ts';
import { WithoutKey } from '../../validator/miners/without-key.ts';
import { answerOf, asked, inputOf, roughly } from './answered.ts';
import type { OpenedExaminee } from './opened-examinee.ts';
import { patiently } from './patiently.ts';

export interface AddressNeeds {
  /** What is sent to a server that wants a key; undefined for one that the settings do not name. */
  keyFor(url: string): string | undefined;
  log: Logger;
  /** Milliseconds after a first failure that may pass by itself; doubles with each further one. Default 1,000. */
  firstRetryMs?: number;
}

/** Milliseconds in which a server may say nothing: two million tokens are read for many minutes before the first word comes. */
const IDLE_MS = 1_800_000;
/** Milliseconds for one answer, however slowly it comes. */
const DEADLINE_MS = 3_600_000;
/** Far more than any answer takes, each token with all that a server says beside it; and where it counts, the number of each of two million tokens. */
const MOST_BYTES = 32 << 20;
/** A token that a server counts has at least a byte, but for what is put around a text, and no vocabulary has longer ones. */
const AROUND = 1_000;
const MOST_BYTES_A_TOKEN = 16;

/** A server that speaks the OpenAI API. Nothing that it says is believed further than it can do no harm. @throws as RemoteBackend.open; the signal's reason */
export async function atAddress(
  { keyFor, log, firstRetryMs = 1_000 }: AddressNeeds,
  { url, model }: Extract<EvaluationTarget, { kind: 'address' }>,
  signal: AbortSignal,
): Promise<OpenedExaminee> {
  const apiKey = keyFor(url);
  const clean = new WithoutKey(apiKey ?? '');
  const bounds = { idleTimeoutMs: IDLE_MS, mostBytes: MOST_BYTES };
  const backend = new RemoteBackend({
    ...{ baseUrl: url, ...(model !== undefined && { model }), ...(apiKey !== undefined && { apiKey }) },
    ...{ ...bounds, log: clean.log(log) },
  });
  const close = () => void backend.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    await withoutKey(clean, () => backend.open());
  } catch (error) {
    await backend.close();
    throw error;
  }
  const { contextSize = 0, isContextGuessed = contextSize === 0 } = backend.status().model ?? {};
  return {
    room: isContextGuessed ? null : contextSize,
    ...{ model: clean.text(foreignLine(backend.status().model?.name ?? '?')), sha256: null },
    count: async (text) => credible(await withoutKey(clean, () => backend.countTokens(inputOf(text))), text),
    async ask({ prompt }, { maxTokens, temperature, signal }) {
      const generate = () =>
        answerOf(
          backend.generate(
            { input: inputOf(prompt), ...asked(maxTokens, temperature) },
            { signal, deadlineMs: DEADLINE_MS },
          ),
        );
      const answered = await patiently(() => withoutKey(clean, generate), firstRetryMs, signal);
      return { ...answered, text: clean.text(answered.text) };
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', close);
      await backend.close();
    },
  };
}

/** What a server counts decides how long a text is made: one that lies must not have it grow for ever. */
function credible(count: number, text: string): number {
  const bytes = Buffer.byteLength(text);
  return count <= bytes + AROUND && count >= bytes / MOST_BYTES_A_TOKEN ? count : roughly(text);
}

async function withoutKey<T>(clean: WithoutKey, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withWayOut(clean.error(error));
  }
}

/** A server that the settings do not name gets no key. */
function withWayOut(error: QuarryError): QuarryError {
  if (error.code !== 'UNAUTHORIZED') return error;
  const message = wordsOf(error, 'message');
  return new QuarryError({ code: error.code, message, hint: say('evaluations.key') }, { cause: error });
}
