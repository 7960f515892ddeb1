import { randomInt, randomUUID } from 'node:crypto';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { KeyProcess } from './key-process.ts';
import type { KeySource } from './key-tasks.ts';

/** How many of a new key's words are asked for again. */
const ASKED_WORDS = 3;
/** Keys that were shown and are not kept yet; each is a process. */
const MOST_DRAFTS = 4;
/** Milliseconds for which such a key waits. */
const DRAFT_MS = 30 * 60_000;

export interface Draft {
  id: string;
  address: string;
  /** Only of a new key: shown once, asked for never. */
  phrase?: string | undefined;
  /** Which of its words have to be told again, from 1 on. Empty for a key that was brought. */
  ask: number[];
}

interface Waiting {
  key: KeyProcess;
  draft: Draft;
  timer: NodeJS.Timeout;
}

interface Processes {
  start: () => KeyProcess;
  end: (key: KeyProcess) => Promise<void>;
}

/** Keys that are not written yet, each in a process of its own. */
export class KeyDrafts {
  readonly #processes: Processes;
  readonly #waiting = new Map<string, Waiting>();

  constructor(processes: Processes) {
    this.#processes = processes;
  }

  /** @throws BAD_REQUEST, OVERLOADED where too many wait */
  async make(source: KeySource): Promise<Draft> {
    if (this.#waiting.size >= MOST_DRAFTS) {
      throw new QuarryError({
        code: 'OVERLOADED',
        message: say('bittensor.wallet.drafts'),
        hint: say('bittensor.wallet.endDrafts'),
      });
    }
    const key = this.#processes.start();
    const id = randomUUID();
    const timer = setTimeout(() => void this.discard(id), DRAFT_MS).unref();
    const waiting: Waiting = { key, timer, draft: { id, address: '', ask: [] } };
    this.#waiting.set(id, waiting);
    try {
      const { address, phrase } = await key.draft(source);
      waiting.draft = { id, address, phrase, ask: phrase === undefined ? [] : positions(phrase.split(' ').length) };
      return waiting.draft;
    } catch (error) {
      await this.discard(id);
      throw error;
    }
  }

  /** The process of a draft, for whoever knows the words that were asked for. @throws BAD_REQUEST, with the field `words` for wrong ones */
  told(id: string, told: readonly string[]): KeyProcess {
    const waiting = this.#waiting.get(id);
    if (!waiting) throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.noDraft') });
    if (knows(waiting.draft, told)) return waiting.key;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.wrongWords'), field: 'words' });
  }

  async discard(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    await this.#processes.end(waiting.key);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#waiting.keys()].map((id) => this.discard(id)));
  }
}

function positions(words: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < ASKED_WORDS) chosen.add(randomInt(words) + 1);
  return [...chosen].sort((a, b) => a - b);
}

function knows({ phrase = '', ask }: Draft, told: readonly string[]): boolean {
  const words = phrase.split(' ');
  return ask.every((position, at) => words[position - 1] === told[at]?.trim().toLowerCase());
}
