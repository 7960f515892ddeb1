import { failureOf, failureSchema, revived } from '../../../process/failure.ts';

/** One end of a channel between the trainer's process and its page; what is said is cloned, arrays of numbers and maps included. */
export interface Port {
  send(message: unknown): void;
  /** Each is attached once, before anything is said. */
  onMessage(listener: (message: unknown) => void): void;
  /** The other end is gone. */
  onClose(listener: () => void): void;
}

/** What one side answers when it is asked, by name. @throws whatever the other side is to be told */
export type Answers = Readonly<Record<string, (value: unknown) => Promise<unknown>>>;

type Failure = ReturnType<typeof failureOf>;
type Message =
  | { type: 'ask'; id: number; name: string; value: unknown }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'failure'; id: number; failure: Failure };

/** Questions and answers over a port, both ways at once. */
export class Calls {
  readonly #port: Port;
  readonly #answers: Answers;
  readonly #gone: () => Error;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #isOver = false;

  /** @param gone what questions fail with to which no answer comes any more */
  constructor(port: Port, answers: Answers, gone: () => Error) {
    this.#port = port;
    this.#answers = answers;
    this.#gone = gone;
    port.onMessage((message) => this.#take(message));
    port.onClose(() => this.#end());
  }

  /** @returns unchecked @throws what the other side failed with */
  async ask(name: string, value?: unknown): Promise<unknown> {
    if (this.#isOver) throw this.#gone();
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    try {
      this.#port.send({ type: 'ask', id, name, value } satisfies Message);
      return await answer.promise;
    } finally {
      this.#waiting.delete(id);
    }
  }

  #take(raw: unknown): void {
    const message = raw as Partial<Message> | null;
    if (typeof message !== 'object' || message === null || typeof message.id !== 'number') return;
    if (message.type === 'ask') void this.#answer(message as Extract<Message, { type: 'ask' }>);
    if (message.type === 'answer') this.#waiting.get(message.id)?.resolve(message.value);
    if (message.type !== 'failure') return;
    const { data, error } = failureSchema.safeParse(message.failure);
    this.#waiting.get(message.id)?.reject(data ? revived(data) : error);
  }

  async #answer({ id, name, value }: Extract<Message, { type: 'ask' }>): Promise<void> {
    try {
      if (!Object.hasOwn(this.#answers, name)) throw new Error('Nobody answers that here.');
      this.#send({ type: 'answer', id, value: await this.#answers[name]?.(value) });
    } catch (error) {
      this.#send({ type: 'failure', id, failure: failureOf(error) });
    }
  }

  #send(message: Message): void {
    if (!this.#isOver) this.#port.send(message);
  }

  #end(): void {
    this.#isOver = true;
    for (const { reject } of this.#waiting.values()) reject(this.#gone());
  }
}
