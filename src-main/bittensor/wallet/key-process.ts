import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { entryModule } from '../../base/installation.ts';
import { CheckedChild } from '../../process/checked-child.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';
import { revived } from '../../process/failure.ts';
import { nodeSpawner, type ProcessSpawner } from '../../process/process-spawner.ts';
import { publicKeyOf } from '../address.ts';
import type { Signer } from '../signer.ts';
import { type KeyReply, type KeyResult, type KeySource, type KeyTask, keyReplySchema } from './key-tasks.ts';

const ENTRY = entryModule('bittensor/wallet/key-child');
/** Argon2i takes half a GiB, WebAssembly and Node the rest. */
const MEMORY = { memoryMiB: 2_048 };

/**
 * A process that holds one key, for as long as it is needed: nothing of the key is in this one.
 */
export class KeyProcess {
  readonly #child: CheckedChild<KeyReply>;
  readonly #waiting: PromiseWithResolvers<KeyResult>[] = [];
  #dead: QuarryError | undefined;

  constructor(spawner: ProcessSpawner = nodeSpawner) {
    this.#child = new CheckedChild<KeyReply>({
      spawner,
      launch: { name: 'the wallet', run: ENTRY, env: allowedEnvironment(BASIC_ENVIRONMENT), limits: MEMORY },
      messages: keyReplySchema,
      onMessage: (reply) => this.#take(reply),
      onDeath: (reason) =>
        this.#end(new QuarryError({ code: 'INTERNAL', message: say('bittensor.wallet.died', { reason }) })),
    });
  }

  /** Takes a key in hand that is not written yet: its address, and of a new one its words. @throws BAD_REQUEST */
  async draft(source: KeySource): Promise<{ address: string; phrase?: string | undefined }> {
    const { address = '', phrase } = await this.#ask({ task: 'draft', source });
    return { address, phrase };
  }

  /** Writes the key in hand. @throws BAD_REQUEST where there is a file */
  async keep(to: { file: string; publicFile: string; password: string | null }): Promise<void> {
    await this.#ask({ task: 'keep', ...to });
  }

  /** Opens a keyfile; what it signs afterwards, it signs until it is closed. @throws BAD_REQUEST, UNAUTHORIZED with the field `password` */
  async open(file: string, password: string | null): Promise<Signer> {
    const { address = '' } = await this.#ask({ task: 'open', file, password });
    return { address, publicKey: publicKeyOf(address), sign: (message) => this.#sign(message) };
  }

  /** Why nothing more is done here; undefined while the process lives. */
  get ended(): QuarryError | undefined {
    return this.#dead;
  }

  /** The address of the key that is open, as the process says it. */
  async held(): Promise<string> {
    return (await this.#ask({ task: 'held' })).address ?? '';
  }

  /** @throws BAD_REQUEST with the field `password` where the old one is wrong */
  async reseal(file: string, from: string | null, to: string | null): Promise<void> {
    await this.#ask({ task: 'reseal', file, from, to });
  }

  /** The addresses that plain keyfiles have; null for one that cannot be read. */
  async addresses(files: string[]): Promise<(string | null)[]> {
    return (await this.#ask({ task: 'addresses', files })).addresses ?? [];
  }

  /** Ends the process, and with it all that it knows. */
  async close(): Promise<void> {
    this.#end(new QuarryError({ code: 'CANCELLED', message: say('bittensor.wallet.closed') }));
    await this.#child.close();
  }

  async #sign(message: Uint8Array): Promise<Uint8Array> {
    const { signature = '' } = await this.#ask({ task: 'sign', message: Buffer.from(message).toString('base64') });
    return Buffer.from(signature, 'base64');
  }

  #ask(task: KeyTask): Promise<KeyResult> {
    if (this.#dead) return Promise.reject(this.#dead);
    const waiting = Promise.withResolvers<KeyResult>();
    this.#waiting.push(waiting);
    this.#child.send(task);
    return waiting.promise;
  }

  #take(reply: KeyReply): void {
    const waiting = this.#waiting.shift();
    if ('result' in reply) waiting?.resolve(reply.result);
    else waiting?.reject(revived(reply.failed));
  }

  #end(error: QuarryError): void {
    this.#dead ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
  }
}
