import { randomBytes } from 'node:crypto';
import { walledArguments } from '../../../sandbox/container-arguments.ts';
import { callEngine, type EngineCall } from '../../../sandbox/container-engine.ts';

/** Docker alone: how others give a container a graphics card differs. */
export const ENGINE = 'docker';
/** Who runs a validator builds it himself: resources/gpu-track/Dockerfile. */
export const IMAGE = 'quarry-gpu-track:1';

/** The engine itself answers within this, or does not work, milliseconds. */
const ENGINE_MS = 15_000;
/** What a container may take to begin and to end, beside what it does, milliseconds. */
const BEGIN_MS = 30_000;

export interface Contained {
  /** As the engine knows it, by its id. */
  image: string;
  walls: readonly string[];
  command: readonly string[];
  /** After so many it is ended. */
  seconds: number;
  input?: Buffer;
  /** Bytes that are heard of what it prints. Default a megabyte. */
  mostBytes?: number;
  signal?: AbortSignal | undefined;
}

/** One card, no network, and as much of everything else as PyTorch takes. Compilers of kernels load what they wrote, so its memory for files may be executed. */
export const CARD_WALLS = [
  ...['--gpus', 'device=0'],
  ...['--network', 'none'],
  ...['--ipc', 'private'],
  ...['--shm-size', '256m'],
  ...['--tmpfs', '/tmp:rw,exec,nosuid,nodev,size=1g'],
  ...['--memory', '16g'],
  ...['--memory-swap', '16g'],
  ...['--cpus', '2'],
  ...['--pids-limit', '512'],
  ...['--ulimit', 'nofile=4096:4096'],
];

/** Runs something in a container of its own, which is gone when this is over. @throws the signal’s reason */
export async function contained({ input, mostBytes, seconds, signal, ...how }: Contained): Promise<EngineCall> {
  const name = `quarry-gpu-${randomBytes(8).toString('hex')}`;
  let call: EngineCall | undefined;
  try {
    const args = walledArguments({ name, seconds, ...how });
    call = await callEngine(ENGINE, args, {
      ...(input && { input }),
      mostBytes,
      signal,
      ms: seconds * 1_000 + BEGIN_MS,
    });
    return call;
  } finally {
    if (call?.code == null) await callEngine(ENGINE, ['rm', '--force', name], { ms: ENGINE_MS });
  }
}

/** Asks the engine something that takes no time. */
export const asked = (args: readonly string[], signal?: AbortSignal) =>
  callEngine(ENGINE, args, { ms: ENGINE_MS, signal });
