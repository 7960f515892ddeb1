import { readFile } from 'node:fs/promises';
import { ignoring } from '../../base/swallowed.ts';

const LOOK_MS = 250;

/** Most memory that processes had: Linux tells it of each while it is there; elsewhere nothing is known. A resource. */
export class PeakMemory {
  readonly #bytes: Record<string, number> = {};
  readonly #timer: NodeJS.Timeout;
  readonly #pids: () => Record<string, number | undefined>;

  /** @param pids of the processes as they are now, by what they are called */
  constructor(pids: () => Record<string, number | undefined>) {
    this.#pids = pids;
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  /** Bytes, by name; 0 where it is not known. */
  get bytes(): Readonly<Record<string, number>> {
    return this.#bytes;
  }

  /** Never throws. */
  async look(): Promise<void> {
    for (const [name, pid] of Object.entries(this.#pids())) {
      this.#bytes[name] = Math.max(this.#bytes[name] ?? 0, pid === undefined ? 0 : await peakOf(pid));
    }
  }

  /** Idempotent. */
  close(): void {
    clearInterval(this.#timer);
  }
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(ignoring('it has ended, or this is no Linux'));
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status ?? '')?.[1] ?? 0) * 1_024;
}
