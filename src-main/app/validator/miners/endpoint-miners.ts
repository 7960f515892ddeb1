import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { ignoring } from '../../../base/swallowed.ts';
import { RemoteBackend } from '../../../inference/remote/remote-backend.ts';
import type { Endpoint } from '../../../store/results/endpoints.ts';
import { probeText } from '../../../subnets/quasar/verification/answer.ts';
import { inferenceBody } from '../../../subnets/quasar/verification/probe.ts';
import { askBy, type Miner, NotReached, type Question } from '../../../validation/run/miner.ts';
import { answerText, asRequest } from './chat-answer.ts';
import { WithoutKey } from './without-key.ts';

/** Far more than what is judged of an answer takes, each token with all that a server says beside it. */
const MOST_BYTES = 16 << 20;
/** Milliseconds until a server that is away is looked for again, beside the challenges. */
const RECHECK_MS = 60_000;

export interface EndpointMinersOptions {
  list: () => Promise<readonly Endpoint[]>;
  log: Logger;
}

/** As results name it. */
export const endpointId = (name: string) => `endpoint/${name}`;

/** Miners at addresses of their own. The connections are kept as long as their addresses are. A resource. */
export class EndpointMiners {
  readonly #options: EndpointMinersOptions;
  readonly #backends = new Map<string, RemoteBackend>();
  #fault: QuarryError | undefined;

  constructor(options: EndpointMinersOptions) {
    this.#options = options;
  }

  async miners(): Promise<Miner[]> {
    const endpoints = await this.#options.list();
    const there = new Set(endpoints.map(keyOf));
    await this.#close((key) => !there.has(key));
    this.#fault = undefined;
    return endpoints.flatMap((endpoint) => this.#miner(endpoint) ?? []);
  }

  /** Why some that are there cannot be asked, the last time. */
  get fault(): QuarryError | undefined {
    return this.#fault;
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#close(() => true);
  }

  /** One that is wrong keeps nobody from asking the others. */
  #miner(endpoint: Endpoint): Miner | undefined {
    const { name } = endpoint;
    try {
      return this.#asMiner(endpoint, this.#backend(endpoint));
    } catch (error) {
      const message = say('validation.endpoint.wrong', { name });
      this.#fault = new QuarryError({ code: 'CONFIG_INVALID', message }, { cause: error });
      return undefined;
    }
  }

  #asMiner({ name, model, apiKey }: Endpoint, backend: RemoteBackend): Miner {
    const clean = new WithoutKey(apiKey);
    return {
      id: endpointId(name),
      kind: 'endpoint',
      /** Which one it has is known once it was asked. */
      get model() {
        return clean.text((model || backend.status().model?.name) ?? '');
      },
      revision: '',
      uid: null,
      block: null,
      ask: (question) => askBy((onSent) => askWithoutKey(clean, () => ask(backend, question, onSent))),
    };
  }

  #backend(endpoint: Endpoint): RemoteBackend {
    const { url: baseUrl, model, apiKey } = endpoint;
    const known = this.#backends.get(keyOf(endpoint));
    if (known) return known;
    const log = new WithoutKey(apiKey).log(this.#options.log);
    const bounds = { mostBytes: MOST_BYTES, recheckMs: RECHECK_MS };
    const backend = new RemoteBackend({ baseUrl, ...(model && { model }), ...(apiKey && { apiKey }), ...bounds, log });
    this.#backends.set(keyOf(endpoint), backend);
    return backend;
  }

  async #close(which: (key: string) => boolean): Promise<void> {
    const over = [...this.#backends].filter(([key]) => which(key));
    for (const [key] of over) this.#backends.delete(key);
    await Promise.all(over.map(([, backend]) => backend.close()));
  }
}

async function askWithoutKey(clean: WithoutKey, asked: () => Promise<string>): Promise<string> {
  try {
    return clean.text(await asked());
  } catch (error) {
    throw clean.error(error);
  }
}

async function ask(backend: RemoteBackend, question: Question, onSent: () => void): Promise<string> {
  const { timeoutMs: deadlineMs, signal, ask: way } = question;
  switch (way.kind) {
    case 'text':
    case 'longText':
      return askInWords(backend, question, onSent);
    case 'tokens':
      return probeText(await backend.inference(inferenceBody(way.probe), { signal, deadlineMs, onSent }));
    case 'clips':
      throw new NotReached({ code: 'BAD_REQUEST', message: say('validation.endpoint.noClips') });
  }
}

async function askInWords(backend: RemoteBackend, question: Question, onSent: () => void): Promise<string> {
  const { timeoutMs, signal, onFirstByte } = question;
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  await Promise.race([backend.open(), aborted(late)]); // which model it has is asked once, with the first challenge
  return answerText(backend.generate(asRequest(question), { signal, deadlineMs: timeoutMs, onSent }), onFirstByte);
}

async function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(ignoring('whoever lost the race is not waited for'));
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  if (signal.aborted) reject(signal.reason);
  return promise;
}

const keyOf = ({ name, url, model, apiKey }: Endpoint) => JSON.stringify([name, url, model, apiKey]);
