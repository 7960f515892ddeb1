import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../base/foreign-text.ts';
import { ignoring } from '../../../base/swallowed.ts';
import { CheckedChild } from '../../../process/checked-child.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../../process/child-environment.ts';
import { nodeSpawner, type ProcessSpawner } from '../../../process/process-spawner.ts';
import { invalidAdapter } from '../../formats/adapter-error.ts';
import { endIfHanging, type Patience } from '../hanging.ts';
import {
  type Done,
  type Failure,
  type Hello,
  PROTOCOL,
  type Task,
  type TorchMessage,
  torchMessageSchema,
} from './torch-messages.ts';

/** Where a driver's libraries are, and which GPUs may be used. */
const ENVIRONMENT = [...BASIC_ENVIRONMENT, 'LD_LIBRARY_PATH', 'CUDA_VISIBLE_DEVICES', 'NVIDIA_VISIBLE_DEVICES'];
/** Until it has said hello: PyTorch takes some seconds to load, from a slow disk many. */
const START_MS = 300_000;

export interface TorchProcessOptions {
  /** The environment's own Python. */
  python: string;
  /** Folder with the program. */
  program: string;
  /** Resident memory above which it is ended. */
  memoryMiB?: number | undefined;
  /** Default: a process of Node. */
  spawner?: ProcessSpawner | undefined;
  log?: Logger | undefined;
}

/** The child, from its start to its end: asked one thing after the other. */
export class TorchProcess {
  readonly #child: CheckedChild<TorchMessage>;
  readonly #hello = Promise.withResolvers<Hello>();
  readonly #log: Logger | undefined;
  #waiting: (PromiseWithResolvers<Done> & { id: number }) | undefined;
  #lastId = 0;
  #end: QuarryError | undefined;

  private constructor({ python, program, memoryMiB, spawner = nodeSpawner, log }: TorchProcessOptions) {
    this.#log = log;
    this.#child = new CheckedChild<TorchMessage>({
      spawner,
      log,
      launch: {
        name: 'the trainer in PyTorch',
        run: python,
        args: ['-I', program], // nothing of the user's own Python
        env: { ...allowedEnvironment(ENVIRONMENT), PYTHONUTF8: '1' },
        limits: { priority: 10, ...(memoryMiB !== undefined && { memoryMiB }) },
      },
      messages: torchMessageSchema,
      onMessage: (message) => this.#onMessage(message),
      onDeath: (reason) => this.#fail(died(reason)),
    });
  }

  /**
   * Starts it, and waits until it is there.
   * @throws INTERNAL where it cannot start; the signal's reason
   */
  static async start(
    options: TorchProcessOptions,
    signal?: AbortSignal,
  ): Promise<{ process: TorchProcess; hello: Hello }> {
    signal?.throwIfAborted();
    const process = new TorchProcess(options);
    const timer = setTimeout(() => process.#fail(died(say('torch.silent'))), START_MS);
    try {
      const hello = await process.#until(process.#hello.promise, signal);
      if (hello.protocol !== PROTOCOL) throw died(say('child.nonsense'));
      return { process, hello };
    } catch (error) {
      await process.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether nothing more can be asked of it. */
  get ended(): boolean {
    return this.#end !== undefined;
  }

  /**
   * Has it do one thing. Where the signal ends it, the process ends, too: it does not look up while it computes.
   * @throws what the child says; INTERNAL where it dies or hangs; the signal's reason
   */
  async ask(task: Task, patience: Patience = {}): Promise<Done> {
    const { signal } = patience;
    signal?.throwIfAborted();
    if (this.#end) throw this.#end;
    if (this.#waiting) throw new Error('The child is asked one thing at a time.');
    const waiting = { ...Promise.withResolvers<Done>(), id: ++this.#lastId };
    this.#waiting = waiting;
    const deadline = endIfHanging(this.#child, patience);
    try {
      this.#child.send({ id: waiting.id, ...task });
      return await this.#until(waiting.promise, signal);
    } finally {
      clearTimeout(deadline);
      this.#waiting = undefined;
    }
  }

  /** Ends it at once. Idempotent. */
  async close(): Promise<void> {
    this.#fail(new QuarryError({ code: 'CANCELLED', message: say('training.notOpen') }));
    await this.#child.close();
  }

  async #until<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      return await Promise.race([promise, aborted.promise]);
    } catch (error) {
      if (signal?.aborted) await this.close();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  #onMessage(message: TorchMessage): void {
    if (message.say === 'hello') {
      this.#hello.resolve(message);
      return;
    }
    const waiting = this.#waiting;
    if (message.id !== waiting?.id) return; // nobody waits for it any more
    if (message.say === 'done') {
      waiting.resolve(message);
      return;
    }
    this.#log?.error({ detail: message.detail }, 'the trainer in PyTorch refused');
    waiting.reject(refusal(message.code, message.detail));
  }

  #fail(error: QuarryError): void {
    this.#end ??= error;
    this.#hello.promise.catch(ignoring('whoever starts it waits for this, and nobody later'));
    this.#hello.reject(error);
    this.#waiting?.reject(error);
  }
}

/** @param reason goes on a sentence that begins with the child's name */
export function died(reason: Words): QuarryError {
  const message = say('child.died', { name: say('torch.trainer'), reason });
  return new QuarryError({ code: 'INTERNAL', message, hint: say('training.again'), retryable: true });
}

function refusal(code: Failure, detail: string): QuarryError {
  const words = foreignLine(detail);
  switch (code) {
    case 'ADAPTER_INVALID':
      return invalidAdapter(say('training.otherOptimizer'));
    case 'NOT_FINITE':
      return new QuarryError({
        code: 'BAD_REQUEST',
        message: say('training.noNumber'),
        hint: say('training.lowerRate'),
      });
    case 'OUT_OF_MEMORY':
      return new QuarryError({ code, message: say('torch.memory', { words }), hint: say('training.smallerModel') });
    default:
      return new QuarryError({ code, message: say('torch.refused', { words }) });
  }
}
