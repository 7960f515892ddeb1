import childProcess, { type ForkOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Goes before what starts processes that hold keys: these remember which key a password comes to. To reckon it takes seconds and half a GiB, each time
 * the same for the few passwords of the tests.
 */
const REMEMBERS = `--import=${new URL('remembered-passwords.ts', import.meta.url).href}`;
const { fork } = childProcess;

childProcess.fork = (
  module: string | URL,
  ...rest: [args?: readonly string[] | ForkOptions, options?: ForkOptions]
) => {
  const [args = [], options = {}] = rest;
  if (!Array.isArray(args) || !args.some((argument) => argument.includes('key-child'))) {
    return fork(module, ...(rest as [readonly string[], ForkOptions]));
  }
  const { NODE_COMPILE_CACHE } = process.env;
  const env = { ...(options.env ?? process.env), ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
  return fork(module, args, { ...options, env, execArgv: [...(options.execArgv ?? []), REMEMBERS] });
};
syncBuiltinESMExports();
