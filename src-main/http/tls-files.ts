import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type Server } from 'node:tls';
import type { Logger } from 'pino';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import { ignoring } from '../base/swallowed.ts';

/** Milliseconds between two looks at the files. */
const LOOK_MS = 60 * 60_000;

export interface TlsPaths {
  /** Path of the certificate, with its chain (PEM). */
  cert: string;
  /** Path of its private key (PEM). */
  key: string;
}

export interface TlsPair {
  cert: string;
  key: string;
}

/** The certificate that the server shows. Renewed files are taken over within an hour, without a restart. A resource. */
export class TlsFiles {
  readonly #paths: TlsPaths;
  readonly #log: Logger;
  #writtenAt = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(paths: TlsPaths, log: Logger) {
    this.#paths = paths;
    this.#log = log;
  }

  /** @throws QuarryError CONFIG_INVALID that says which file is wrong, and how */
  async read(): Promise<TlsPair> {
    const writtenAt = await this.#lastWritten();
    // One after the other: where both are missing, it is always the certificate that is told of.
    const cert = await readPem(this.#paths.cert, 'tlsCert');
    const key = await readPem(this.#paths.key, 'tlsKey');
    const { validToDate } = checkPair({ cert, key }, this.#paths);
    if (validToDate.getTime() < Date.now()) this.#log.warn({ validTo: validToDate }, 'the certificate has expired');
    this.#writtenAt = writtenAt;
    return { cert, key };
  }

  /** Looks at the files every hour, and gives the server what is new. */
  watch(server: Server): void {
    this.#timer ??= setInterval(() => void this.refresh(server), LOOK_MS).unref();
  }

  /** Gives the server the files' certificate if they have changed. Files that do not fit (yet) change nothing. */
  async refresh(server: Server): Promise<void> {
    try {
      if ((await this.#lastWritten()) === this.#writtenAt) return;
      server.setSecureContext(await this.read());
      this.#log.info('renewed certificate in use');
    } catch (err) {
      this.#log.warn({ err }, 'the new certificate cannot be used; the old one stays');
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #lastWritten(): Promise<string> {
    const { cert, key } = this.#paths;
    const times = await Promise.all(
      [stat(cert), stat(key)].map((each) =>
        each.catch(ignoring('a file that is just being replaced is looked at again')),
      ),
    );
    return times.map((each) => each?.mtimeMs ?? 'none').join(' ');
  }
}

async function readPem(path: string, field: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalid(say('settings.fileUnread', { path, code: String(code) }), say('settings.correctFile'), field);
  }
}

function checkPair({ cert, key }: TlsPair, paths: TlsPaths): X509Certificate {
  const certificate = parsed(() => new X509Certificate(cert), say('settings.noCert', { cert: paths.cert }), 'tlsCert');
  const privateKey = parsed(() => createPrivateKey(key), say('settings.noKey', { key: paths.key }), 'tlsKey');
  if (!certificate.checkPrivateKey(privateKey)) {
    const message = say('settings.noPair', { key: paths.key, cert: paths.cert });
    throw invalid(message, say('settings.givePair'), 'tlsKey');
  }
  parsed(() => createSecureContext({ cert, key }), say('settings.notForTls', { cert: paths.cert }), 'tlsCert');
  return certificate;
}

function parsed<T>(parse: () => T, message: Words, field: string): T {
  try {
    return parse();
  } catch (error) {
    throw invalid(message, say('settings.givePem'), field, error);
  }
}

function invalid(message: Words, hint: Words, field: string, cause?: unknown): QuarryError {
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint, field }, { cause });
}
