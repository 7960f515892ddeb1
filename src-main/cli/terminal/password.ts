import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../../src-preload/contract/limits.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { nothingDone } from './interruption.ts';
import { errorText } from './output.ts';

/** What a password may have in bytes, wherever it comes from. */
const MAX_BYTES = 4 * MAX_PASSWORD_CHARS + 2;
const INTERRUPT = '\u0003';
const END = '\u0004';
const ERASE = /[\b\u007f]/;

export interface PasswordSource {
  /** A file descriptor that holds it, in one line. */
  fd?: number | undefined;
  /** What the environment says. */
  environment?: string | undefined;
  /** What it is of, as in «Password of the backup». */
  of: string;
  /** How else it may be given, as a hint where there is none. */
  how: Saying;
}

/**
 * A password: from a file descriptor, else from the environment, else from whoever sits at the terminal, who does not see it, else in one
 * line of standard input. It stands in no list of processes and no history.
 * @param twice for a new one, which must not be short and is typed twice, until that is so
 * @throws BAD_REQUEST where there is none, or what was not typed is too short; CANCELLED by Ctrl+C
 */
export async function askPassword(source: PasswordSource, { twice }: { twice: boolean }): Promise<string> {
  const { fd, environment, of, how } = source;
  if (fd !== undefined) return checked(await lineOf(fd), twice, how);
  if (environment) return checked(environment, twice, how);
  if (twice && process.stdin.isTTY) return askNew(of);
  return checked(await askHidden(`Password of ${of}: `), twice, how);
}

/** Whether a password of this source is typed by somebody, who may mistype it. */
export function isTyped({ fd, environment }: PasswordSource): boolean {
  return fd === undefined && !environment && process.stdin.isTTY === true;
}

/** Asks until it is long enough and twice the same: whoever wrote down the words of a new key has not done so for nothing. */
async function askNew(of: string): Promise<string> {
  for (;;) {
    const password = await prompt(`New password for ${of}, at least ${MIN_PASSWORD_CHARS} characters: `);
    if (password.length < MIN_PASSWORD_CHARS) tell(tooShort());
    else if ((await prompt('The same again: ')) !== password) tell(refused(say('password.differs')));
    else return password.slice(0, MAX_PASSWORD_CHARS);
  }
}

const tell = (error: QuarryError) => process.stderr.write(`${errorText(error)}\n`);

/** What whoever sits at the terminal types without seeing it, else one line of standard input. @throws CANCELLED by Ctrl+C */
export function askHidden(question: string): Promise<string> {
  return process.stdin.isTTY ? prompt(question) : readLine(process.stdin);
}

function checked(password: string, isNew: boolean, how: Saying): string {
  if (password === '') {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('password.missing'), hint: how });
  }
  if (isNew && password.length < MIN_PASSWORD_CHARS) throw tooShort();
  return password.slice(0, MAX_PASSWORD_CHARS);
}

const refused = (message: Saying) => new QuarryError({ code: 'BAD_REQUEST', message, field: 'password' });

const tooShort = () => refused(say('password.short', { least: MIN_PASSWORD_CHARS }));

/** @throws BAD_REQUEST where nothing can be read from there: the shell has opened no such descriptor */
async function lineOf(fd: number): Promise<string> {
  try {
    return await readLine(createReadStream('', { fd, end: MAX_BYTES }));
  } catch {
    const hint = say('password.openDescriptor', { fd: String(fd) });
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('password.noDescriptor', { fd: String(fd) }), hint });
  }
}

async function readLine(stream: NodeJS.ReadableStream): Promise<string> {
  const [line = ''] = (await text(stream as NodeJS.ReadStream)).split(/\r?\n/);
  return line;
}

/** One line from the terminal, without an echo. @throws CANCELLED by Ctrl+C */
function prompt(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = () => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const take = (keys: string) => {
      for (const key of keys) {
        if (key === '\r' || key === '\n' || key === END) {
          end();
          return resolve(typed);
        }
        if (key === INTERRUPT) {
          end();
          return reject(nothingDone());
        }
        typed = ERASE.test(key) ? [...typed].slice(0, -1).join('') : typed + key;
      }
    };
    stdin.on('data', take);
  });
}
