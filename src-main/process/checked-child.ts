import type { Logger } from 'pino';
import type { z } from 'zod';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import { foreignLine } from '../base/foreign-text.ts';
import { LimitWatch } from './child-limits.ts';
import { Heartbeat, type HeartbeatOptions } from './heartbeat.ts';
import type { ChildExit, Launch, ProcessSpawner, SpawnedChild } from './process-spawner.ts';
import { Unread } from './unread.ts';

export interface CheckedChildOptions<Message> {
  spawner: ProcessSpawner;
  launch: Launch;
  /** What the child may say. */
  messages: z.ZodType<Message>;
  /** Default: it may be silent for as long as it likes. */
  heartbeat?: HeartbeatOptions | undefined;
  log?: Logger | undefined;
  onMessage: (message: Message) => void;
  /** The child is gone, and `close` was not called. The reason goes on a sentence that begins with the child's name. */
  onDeath: (reason: Words) => void;
}

const KEPT_STDERR = 2_000;

/** One child, from its start to its end. What it says is checked; one that talks nonsense or takes too much is ended. */
export class CheckedChild<Message> {
  readonly #options: CheckedChildOptions<Message>;
  readonly #child: SpawnedChild;
  readonly #limits: LimitWatch;
  readonly #unread: Unread;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #exited = Promise.withResolvers<void>();
  #closing = false;
  #stderr = '';
  /** Why it was ended by us. */
  #verdict: Words | undefined;

  constructor(options: CheckedChildOptions<Message>) {
    const { spawner, launch, heartbeat, log } = options;
    this.#options = options;
    this.#child = spawner.spawn(launch, {
      onMessage: (message) => this.#onMessage(message),
      onStderr: (text) => this.#onStderr(text),
      onExit: (exit) => this.#onExit(exit),
    });
    const { limits = {} } = launch;
    const pid = () => this.#child.pid;
    const end = (why: Words) => this.end(why);
    this.#limits = new LimitWatch({ limits, pid, onExceeded: end, log });
    this.#unread = new Unread(limits, end);
    this.#heartbeat = heartbeat && new Heartbeat({ ...heartbeat, send: (ping) => this.send(ping), onHang: end });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws OVERLOADED while too much waits to be read by the child, and for what cannot be written; only this message is lost */
  send(message: object): void {
    const taken = this.#unread.add(message);
    try {
      this.#child.send(message, taken);
    } catch (error) {
      taken(); // nothing of it waits
      throw error;
    }
  }

  /** Ends the child at once; resolves when it is gone. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#child.kill();
    await this.#exited.promise;
  }

  /** Ends the child at once; `onDeath` is told this reason when it is gone. */
  end(verdict: Words): void {
    this.#verdict ??= verdict;
    this.#child.kill();
  }

  #onMessage(message: unknown): void {
    if (this.#closing || this.#verdict) return;
    const { launch, log, messages, onMessage } = this.#options;
    const { data, issues } = read(messages, message);
    if (!issues) {
      this.#heartbeat?.heard();
      onMessage(data as Message);
      return;
    }
    log?.error({ issues }, `${launch.name} said something that it should not`);
    this.end(say('child.nonsense'));
  }

  #onStderr(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
    this.#options.log?.debug({ stderr: text.trimEnd() }, this.#options.launch.name);
  }

  #onExit(exit: ChildExit): void {
    this.#limits.close();
    this.#unread.close();
    this.#heartbeat?.close();
    this.#exited.resolve();
    if (!this.#closing) this.#options.onDeath(this.#verdict ?? this.#reason(exit));
  }

  #reason({ code, signal }: ChildExit): Words {
    const how = signal
      ? say('child.signal', { signal })
      : code === null
        ? say('child.notStarted')
        : say('child.code', { code: String(code) });
    const lines = this.#stderr.trim().split('\n');
    const lastWords = lines.findLast((line) => /error|assert|abort|failed/i.test(line)) ?? lines.at(-1);
    return lastWords ? say('child.lastWords', { how, words: foreignLine(lastWords) }) : how;
  }
}

/** A schema may fail by itself, too: one that goes down into a message finds no ground where that is deep enough. */
function read<Message>(messages: z.ZodType<Message>, message: unknown): { data?: Message; issues?: unknown } {
  try {
    const { data, error } = messages.safeParse(message);
    return { data, issues: error?.issues };
  } catch (error) {
    return { issues: String(error) };
  }
}
