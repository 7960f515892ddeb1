import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Turns } from '../../base/turns.ts';
import { unforeseen } from '../../base/unforeseen.ts';
import type { AuditingBackend } from '../../inference/verified/read-again.ts';
import { type AuditFinding, findingOf } from '../../inference/verified/thresholds.ts';
import type { InferenceAuditStore } from '../../store/mesh/inference-audits.ts';
import type { ClaimedAnswer } from '../asking/claimed-answer.ts';
import { auditAnswer } from './audit-answer.ts';
import { validThresholds } from './valid-thresholds.ts';

/** Of all tokens of questions and answers that come, so many are read again in the long run (QUASAR, A8: a share of all answers). */
const SHARE = 0.02;
/** Tokens that may be read beyond that: with these, workers are looked at when they are new. */
const AHEAD = 4_096;
/** How likely an answer of a worker is audited while fewer than {@link NEW_TOKENS} of it were, and afterwards. */
const NEW_CHANCE = 0.5;
const NEW_TOKENS = 256;
/** Bytes of a question that are about a token: whoever audits an answer reads its question, too. */
const BYTES_PER_TOKEN = 4;
/** Above this temperature nobody has looked how honest answers differ. */
const HOTTEST = 1;
/** Answers that wait. One is computed at a time. */
const MOST_WAITING = 8;
/** Milliseconds that one may take. */
const PATIENCE_MS = 120_000;
/** Bytes of memory of answers that are kept, all workers together, so that others could repeat a finding; and of a token's evidence. */
const MOST_KEPT = 32 << 20;
const TOKEN_BYTES = 600;
/** Workers and files of which this process remembers how much was audited. */
const MOST_REMEMBERED = 5_000;

/** A model that this node has in memory. */
export interface Auditor {
  /** SHA-256 of its file, 64 hex. */
  sha256: string;
  /** What it runs on: `cpu`, `cuda`, … */
  device: string;
  backend: AuditingBackend;
}

/** What a worker was found out by, with what proves it. */
export interface Found {
  worker: string;
  /** SHA-256 of the file that it says it has used. */
  model: string;
  finding: AuditFinding;
  /** The signed answers, for whoever wants to look himself. */
  answers: readonly ClaimedAnswer[];
}

export interface AuditDeskOptions {
  store: InferenceAuditStore;
  /** The model that is loaded now; undefined: none, or nobody may use it now. */
  auditor: () => Auditor | undefined;
  /** Told once of each worker and file. */
  onFound: (found: Found) => void;
  /** 0 ≤ x < 1. Which answers are looked at is nobody else's to know. Default {@link unforeseen}. */
  random?: () => number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/**
 * Looks whether workers compute with the file that they declare: some of their answers, chosen when they have come, are read again by this node's own model. What
 * is found is added up for each worker and file. A resource.
 */
export class AuditDesk {
  readonly #options: AuditDeskOptions;
  readonly #random: () => number;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  readonly #turns = new Turns();
  /** By their requests. */
  readonly #kept = new LRUCache<string, ClaimedAnswer>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ prompt, text, tokens }) =>
      JSON.stringify(prompt).length + text.length + TOKEN_BYTES * tokens.length,
  });
  /** Tokens that were audited of each worker and file, as far as is remembered. */
  readonly #looked = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  #waiting = 0;
  #allowance = AHEAD;

  constructor(options: AuditDeskOptions) {
    this.#options = options;
    this.#random = options.random ?? unforeseen;
    this.#now = options.now ?? Date.now;
  }

  /** An answer came. Never throws, and returns at once. */
  take(answer: ClaimedAnswer): void {
    const tokens = tokensOf(answer);
    this.#allowance = Math.min(AHEAD, this.#allowance + SHARE * tokens);
    const isOurs = this.#options.auditor()?.sha256 === answer.claim.body.model;
    if (
      !isOurs ||
      (answer.prompt.params.temperature ?? 0) > HOTTEST ||
      this.#closing.signal.aborted ||
      this.#waiting >= MOST_WAITING
    )
      return;
    const looked = this.#looked.get(keyOf(answer)) ?? 0;
    // A long answer may take more than is left, and those after it wait: else nobody would look at answers that are longer than that.
    if (this.#random() >= (looked < NEW_TOKENS ? NEW_CHANCE : SHARE) || this.#allowance <= 0) return;
    this.#allowance -= tokens;
    this.#waiting++;
    void this.#turns.take(() => this.#look(answer));
  }

  /** Waits for what is under way; what waits is forgotten. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turns.ended();
  }

  /** Never throws. */
  async #look(answer: ClaimedAnswer): Promise<void> {
    this.#waiting--;
    const { signal } = this.#closing;
    const { requestId, worker } = answer.claim.body;
    try {
      if (!signal.aborted) await this.#audit(answer);
    } catch (err) {
      if (!signal.aborted) this.#options.log.warn({ err, requestId, worker }, 'an answer was not audited');
    }
  }

  async #audit(answer: ClaimedAnswer): Promise<void> {
    const { auditor, store } = this.#options;
    const { worker, model } = answer.claim.body;
    const now = auditor();
    if (now?.sha256 !== model) return;
    const sums = await auditAnswer(now.backend, answer, { signal: this.#closing.signal, deadlineMs: PATIENCE_MS });
    const all = await store.add({ worker, model, ...sums, at: this.#now() });
    this.#remember(answer, all.tokens);
    const thresholds = validThresholds(await store.calibration(model), now.device);
    if (!thresholds || all.finding !== null) return;
    const finding = findingOf(all, thresholds);
    if (finding) await this.#found({ worker, model, finding, answers: this.#of(keyOf(answer)) });
  }

  async #found(found: Found): Promise<void> {
    const { store, onFound, log } = this.#options;
    const { worker, model, finding, answers } = found;
    const at = this.#now();
    const rows = answers.map((answer) => ({
      ...{ request_id: answer.claim.body.requestId, worker, model, at },
      ...{ tokens: answer.tokens.length, answer: JSON.stringify(answer) },
    }));
    await store.found(worker, model, JSON.stringify(finding), rows);
    log.warn({ worker, model, ...finding }, 'a worker does not compute with the model that it declares');
    onFound(found);
  }

  #remember(answer: ClaimedAnswer, tokens: number): void {
    this.#looked.set(keyOf(answer), tokens);
    this.#kept.set(answer.claim.body.requestId, answer);
  }

  /** The oldest first. */
  #of(key: string): ClaimedAnswer[] {
    return [...this.#kept.rvalues()].flatMap((answer) => (answer && keyOf(answer) === key ? [answer] : []));
  }
}

/** About so many are read to audit it. */
const tokensOf = ({ prompt, tokens }: ClaimedAnswer) =>
  tokens.length + Math.ceil(Buffer.byteLength(JSON.stringify(prompt.input)) / BYTES_PER_TOKEN);

const keyOf = ({ claim: { body } }: ClaimedAnswer) => `${body.worker}/${body.model}`;
