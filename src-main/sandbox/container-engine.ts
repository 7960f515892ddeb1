import { spawn } from 'node:child_process';
import { foreignLine } from '../base/foreign-text.ts';
import { ignoring } from '../base/swallowed.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../process/child-environment.ts';
import { endTree, OWN_GROUP, watchTree } from '../process/process-tree.ts';
import { KeptOutput } from './kept-output.ts';

/** Names of engines, which are the names of their programs. */
export type EngineName = 'docker' | 'podman';

/** How one call of the engine's program ended. */
export interface EngineCall {
  /** Null where it could not be started, or was ended by us. */
  code: number | null;
  late: boolean;
  stdout: string;
  /** The same, as it came. */
  bytes: Buffer;
  stderr: string;
  truncated: boolean;
}

/** Where the engine is, and who asks: what its programs need to find that. */
const ENVIRONMENT = [
  ...BASIC_ENVIRONMENT,
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
  'CONTAINER_HOST',
  'CONTAINERS_CONF',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
];

export interface EngineCallOptions {
  input?: Buffer;
  /** After so many milliseconds it is ended. */
  ms: number;
  /** Bytes that are heard of each stream. Default a megabyte. */
  mostBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Calls the engine's program, and hears what it says.
 * @throws the signal's reason
 */
export async function callEngine(
  engine: EngineName,
  args: readonly string[],
  { input, ms, mostBytes, signal }: EngineCallOptions,
): Promise<EngineCall> {
  signal?.throwIfAborted();
  const env = allowedEnvironment(ENVIRONMENT);
  const child = spawn(engine, args, { env, ...OWN_GROUP, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  watchTree(child);
  const [stdout, stderr] = [new KeptOutput(mostBytes), new KeptOutput(mostBytes)];
  child.stdout.on('data', (bytes: Buffer) => stdout.add(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.add(bytes));
  child.stdin.on('error', ignoring('a program need not read all that it is given'));
  child.stdin.end(input);
  const ended = Promise.withResolvers<Pick<EngineCall, 'code' | 'late'>>();
  child.once('error', ({ message }) => {
    stderr.add(Buffer.from(message));
    ended.resolve({ code: null, late: false });
  });
  child.once('close', (code) => ended.resolve({ code, late: false }));
  const timer = setTimeout(() => ended.resolve({ code: null, late: true }), ms);
  const abort = () => ended.reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    const how = await ended.promise;
    const truncated = stdout.truncated || stderr.truncated;
    return { ...how, stdout: stdout.text, bytes: stdout.bytes, stderr: stderr.text, truncated };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    endTree(child);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }
}

/** The engine's last words, for a person. */
export function lastWords({ stderr }: Pick<EngineCall, 'stderr'>): string {
  return foreignLine(stderr.trim().split('\n').at(-1) ?? '').slice(0, 300);
}
