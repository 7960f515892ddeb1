import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { sha256Schema } from '../../src-preload/contract/keys.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { writeAtomically } from '../base/atomic-file.ts';
import { makeFolder } from '../base/folder.ts';
import { ifMissing } from '../base/swallowed.ts';

const MAX_BYTES = 1 << 20;
const pinsSchema = z.record(z.string().max(100), sha256Schema);

/**
 * What names without a known SHA-256 stand for: the one that the first complete download had. Kept in one file of the
 * models folder, a JSON object from name to SHA-256, so that a person can read it and take a line out.
 */
export class Pins {
  readonly #path: string;
  #pins = new Map<string, string>();
  #opened: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads the file; idempotent. @throws CONFIG_INVALID when it is damaged: it is never replaced unasked */
  open(): Promise<void> {
    this.#opened ??= this.#read();
    return this.#opened;
  }

  /** 64 hex. Only after {@link open}. */
  of(name: string): string | undefined {
    return this.#pins.get(name);
  }

  /**
   * Holds the name to this SHA-256 from now on, or to the one it is held to already.
   * @throws MODEL_INVALID when that is another one
   */
  async hold(name: string, sha256: string): Promise<void> {
    await this.open();
    const pinned = this.#pins.get(name);
    if (pinned === sha256) return;
    if (pinned !== undefined) throw this.#changed(name, pinned, sha256);
    const pins = new Map(this.#pins).set(name, sha256);
    await makeFolder(dirname(this.#path));
    await writeAtomically(this.#path, `${JSON.stringify(Object.fromEntries(pins), undefined, 2)}\n`);
    this.#pins = pins;
  }

  async #read(): Promise<void> {
    try {
      const info = await stat(this.#path).catch(ifMissing);
      if (!info) return;
      if (info.size > MAX_BYTES) throw new Error(`it has ${info.size} bytes`);
      const pins = pinsSchema.parse(JSON.parse(await readFile(this.#path, 'utf8')));
      this.#pins = new Map(Object.entries(pins));
    } catch (error) {
      throw new QuarryError(
        {
          code: 'CONFIG_INVALID',
          message: say('library.pinsDamaged', { path: this.#path }),
          hint: say('library.mendPins'),
        },
        { cause: error },
      );
    }
  }

  #changed(name: string, pinned: string, found: string): QuarryError {
    return new QuarryError({
      code: 'MODEL_INVALID',
      message: say('library.pinBroken', { name, found, pinned }),
      hint: say('library.unpin', { name, path: this.#path }),
    });
  }
}
