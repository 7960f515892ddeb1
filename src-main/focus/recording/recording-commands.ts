import type { RecordingCommand } from '../../../src-preload/contract/focus.ts';
import { EventQueue } from '../../base/event-queue.ts';
import { ListenerSet } from '../../base/listener-set.ts';

/** What somebody wants of the page that records, from outside of it: from the tray, by a key. */
export class RecordingCommands {
  readonly #listeners = new ListenerSet<[RecordingCommand]>();

  /** Tells whoever records now; lost where nobody does. */
  send(command: RecordingCommand): void {
    this.#listeners.tell(command);
  }

  /** What comes from now on. Ends with the signal. */
  async *follow(signal: AbortSignal): AsyncGenerator<RecordingCommand, void, undefined> {
    const queue = new EventQueue<RecordingCommand>();
    const leave = this.#listeners.subscribe((command) => queue.push(command));
    const end = () => queue.end();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      yield* queue;
    } finally {
      leave();
      signal.removeEventListener('abort', end);
    }
  }
}
