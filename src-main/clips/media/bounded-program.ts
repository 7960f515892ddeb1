import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { onPath } from '../../base/on-path.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';
import { LimitWatch, type ProcessUsage, processUsage } from '../../process/child-limits.ts';
import { endTree, OWN_GROUP, watchTree } from '../../process/process-tree.ts';

/** What a program may use until it is ended. */
export interface Bounds {
  /** Of the processor. */
  cpuSeconds: number;
  /** However little it computes. */
  wallSeconds: number;
  /** Resident. Where there is `prlimit` (Linux), it also gets no more than twice as much and {@link SHARED_MIB} of addresses. */
  memoryMiB: number;
  /** Of its output: what is beyond is not kept, and ends it. */
  outputBytes: number;
  /** Of a file that it writes, where there is `prlimit`. */
  fileBytes: number;
}

export interface ProgramRun {
  program: string;
  args: readonly string[];
  bounds: Bounds;
  signal: AbortSignal;
  /** Its output, as it comes. */
  onOutput?: (bytes: Buffer) => void;
  /** What it uses. Default: as the system says, four times a second. */
  measure?: ((pid: number) => Promise<ProcessUsage>) | undefined;
}

/** How it ended. */
export interface ProgramEnd {
  /** Null where a signal ended it. */
  code: number | null;
  /** Of what it wanted more than it may have. */
  exceeded: 'time' | 'memory' | 'output' | null;
  /** The end of what it complained of. */
  complaint: string;
}

const [COMPLAINT_CHARS, LOOK_MS] = [4_000, 250];
/** Addresses of libraries and stacks, which are no memory. */
const SHARED_MIB = 1_024;

/**
 * Runs a program until it ends, or takes more than it may: then it is ended with all that it has started. It gets no input, and of the environment what every
 * program needs.
 * @throws the signal's reason; what keeps the program from being started
 */
export async function runBounded({
  program,
  args,
  bounds,
  signal,
  onOutput,
  measure,
}: ProgramRun): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const child = start(program, args, bounds);
  watchTree(child);
  const ended = Promise.withResolvers<Pick<ProgramEnd, 'code' | 'exceeded'>>();
  const exceed = (exceeded: NonNullable<ProgramEnd['exceeded']>) => ended.resolve({ code: null, exceeded });
  child.once('error', ended.reject);
  child.once('close', (code, by) => ended.resolve({ code, exceeded: by === 'SIGXCPU' ? 'time' : null }));
  child.stdout.on(
    'data',
    counted(
      bounds.outputBytes,
      (bytes) => onOutput?.(bytes),
      () => exceed('output'),
    ),
  );
  const complaint = lastOf(child.stderr);
  const watch = watched(child, bounds, exceed, measure);
  const timer = setTimeout(exceed, bounds.wallSeconds * 1_000, 'time');
  const abort = () => ended.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return { ...(await ended.promise), complaint: complaint() };
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(timer);
    watch.close();
    endTree(child);
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function start(program: string, args: readonly string[], bounds: Bounds): Child {
  const [first = program, ...rest] = [...limiter(bounds), program, ...args];
  // Its words are looked at for what went wrong: they are to be English.
  const env = { ...allowedEnvironment(BASIC_ENVIRONMENT), LC_ALL: 'C', AV_LOG_FORCE_NOCOLOR: '1' };
  return spawn(first, rest, { env, ...OWN_GROUP, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
}

/** Linux's own bounds, which hold at once and not at the next look. Each starts the next in its own place. */
function limiter({ cpuSeconds, memoryMiB, fileBytes }: Bounds): string[] {
  const prlimit = process.platform === 'linux' ? onPath('prlimit') : undefined;
  if (!prlimit) return [];
  const addresses = (2 * memoryMiB + SHARED_MIB) * 1_048_576;
  // Where nobody looks any more: a second after that the program is asked to end, and another one later it is ended.
  const cpu = `--cpu=${Math.ceil(cpuSeconds) + 1}:${Math.ceil(cpuSeconds) + 2}`;
  // Of the same package: the program ends with this process, however that ended.
  const setpriv = onPath('setpriv');
  const ends = setpriv ? [setpriv, '--pdeathsig', 'KILL'] : [];
  return [prlimit, `--as=${addresses}`, cpu, `--fsize=${fileBytes}`, '--core=0', '--nofile=256', ...ends];
}

function watched(
  child: Child,
  bounds: Bounds,
  exceed: (by: 'time' | 'memory') => void,
  measure = processUsage,
): LimitWatch {
  const { cpuSeconds, memoryMiB } = bounds;
  let memory: number | undefined = 0;
  return new LimitWatch({
    limits: { cpuSeconds, memoryMiB, priority: 10 },
    pid: () => child.pid,
    onExceeded: () => exceed((memory ?? 0) > memoryMiB ? 'memory' : 'time'),
    log: undefined,
    measure: async (pid) => {
      const usage = await measure(pid);
      memory = usage.memoryMiB;
      return usage;
    },
    everyMs: LOOK_MS,
  });
}

/** Counts before anything is kept. */
function counted(most: number, take: (bytes: Buffer) => void, tooMuch: () => void): (bytes: Buffer) => void {
  let seen = 0;
  return (bytes) => {
    seen += bytes.length;
    if (seen <= most) take(bytes);
    else tooMuch();
  };
}

function lastOf(stream: Readable): () => string {
  let kept = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    kept = (kept + text).slice(-COMPLAINT_CHARS);
  });
  return () => kept;
}
