import childProcess, { type ForkOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Goes before what starts processes of Quarry's own, of which tests start hundreds. They find compiled what another has compiled; those that
 * hold keys remember which key a password comes to. To reckon it takes seconds and half a GiB, each time the same for the few passwords of the tests.
 */
const [REMEMBERS, KEEPS] = ['remembered-passwords.ts', 'keep-compiled.ts'].map(
  (name) => `--import=${new URL(name, import.meta.url).href}`,
) as [string, string];
const { fork } = childProcess;

childProcess.fork = (
  module: string | URL,
  ...rest: [args?: readonly string[] | ForkOptions, options?: ForkOptions]
) => {
  const [args = [], options = {}] = rest;
  const { NODE_COMPILE_CACHE } = process.env;
  // One behind walls may read neither the cache nor a file of the tests.
  const isWalled = options.execArgv?.includes('--permission') ?? false;
  if (!Array.isArray(args) || isWalled || NODE_COMPILE_CACHE === undefined) {
    return fork(module, ...(rest as [readonly string[], ForkOptions]));
  }
  const holdsKey = args.some((argument) => argument.includes('key-child'));
  const execArgv = [...(options.execArgv ?? []), KEEPS, ...(holdsKey ? [REMEMBERS] : [])];
  return fork(module, args, { ...options, env: { ...(options.env ?? process.env), NODE_COMPILE_CACHE }, execArgv });
};
syncBuiltinESMExports();
