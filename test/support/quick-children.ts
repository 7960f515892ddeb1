import childProcess, { type ForkOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Goes before what starts processes of Quarry's own, of which tests start hundreds. They find compiled what another has compiled; those that
 * hold keys remember which key a password comes to. To reckon it takes seconds and half a GiB, each time the same for the few passwords of the tests.
 */
const [REMEMBERS, KEEPS] = ['remembered-passwords.ts', 'keep-compiled.ts'].map(
  (name) => `--import=${new URL(name, import.meta.url).href}`,
) as [string, string];
/** The files of tests in one process each bring this module anew. */
const DONE = Symbol.for('quarry.tests.quickChildren');
const { fork } = childProcess;

function quickly(module: string | URL, ...rest: [args?: readonly string[] | ForkOptions, options?: ForkOptions]) {
  const [args = [], options = {}] = rest;
  const execArgv = options.execArgv ?? process.execArgv;
  // One behind walls may read neither the cache nor a file of the tests.
  if (!Array.isArray(args) || execArgv.includes('--permission')) {
    return fork(module, ...(rest as [readonly string[], ForkOptions]));
  }
  const holdsKey = args.some((argument) => argument.includes('key-child'));
  return fork(module, args, { ...options, execArgv: [...execArgv, KEEPS, ...(holdsKey ? [REMEMBERS] : [])] });
}

if (!(DONE in fork)) {
  childProcess.fork = Object.assign(quickly, { [DONE]: true });
  syncBuiltinESMExports();
}
