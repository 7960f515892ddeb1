import { type ChildProcess, fork, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { entryModule } from '../base/installation.ts';
import { ignoring } from '../base/swallowed.ts';
import type { ChildLimits } from './child-limits.ts';
import { endTree, OWN_GROUP, watchTree } from './process-tree.ts';

/** What to start, and with what. */
export interface Launch {
  /** «the inference engine»: for the log, for error sentences and for the system's list of processes. */
  name: string;
  /**
   * A module of ours, by its URL; or a program, by its path or its name on PATH. A module has the channel of
   * `child_process.fork`; a program speaks in lines of JSON, on its standard input and output.
   */
  run: URL | string;
  args?: readonly string[];
  /** Default: this process's. */
  cwd?: string;
  /** The whole environment: the child gets nothing else. See {@link allowedEnvironment}. */
  env: Readonly<Record<string, string>>;
  limits?: ChildLimits;
  /** A module that runs what strangers wrote. Electron's utility processes have no such walls, and do not start it. */
  walls?: Walls;
  /** It loads llama.cpp, which wants to try its GPU builds in processes of their own. Default false. */
  triesGpuBuilds?: boolean;
  /** It computes in a page with WebGPU, which is opened beside it and ends with it. Node has no pages, and does not start it. Default false. */
  gpuPage?: boolean | undefined;
}

/** What a module cannot do, whatever is run in it: Node's permissions, V8's, and the system's. It starts no process. */
export interface Walls {
  /** Files and folders that it may read. */
  reads: readonly string[];
  /** Files that it may write. Default: none. */
  writes?: readonly string[];
  /** Of WebAssembly's memory. */
  webAssemblyMiB: number;
  /** Of all memory that is its own, Node's included, which takes some 700. Held by Linux; macOS and Windows have no such limit. */
  dataMiB: number;
  /** What runs there adds to JavaScript's own objects, which are frozen otherwise. */
  hasOpenIntrinsics?: boolean;
}

/** How a child process ended. Both are null when it could not be started at all. */
export interface ChildExit {
  code: number | null;
  signal: string | null;
}

/** What a spawner tells about its child, each from the event loop, never from within `spawn`. */
export interface ChildListeners {
  onMessage: (message: unknown) => void;
  /** Pieces of what the child wrote to its standard error. */
  onStderr: (text: string) => void;
  /** Called once; nothing else is called after it. */
  onExit: (exit: ChildExit) => void;
}

export interface SpawnedChild {
  /** Undefined before it runs, and when it could not be started. */
  readonly pid: number | undefined;
  /**
   * A message to a child that is gone is lost, and `onExit` tells so.
   * @param onTaken called when it waits no longer in this process
   * @throws for what cannot be written (too deep, a circle); nothing was sent, and `onTaken` is not called
   */
  send: (message: object, onTaken?: () => void) => void;
  /** Ends the child at once, without asking it, and what it has started. */
  kill: () => void;
}

/** Starts a process. Node's is {@link nodeSpawner}; Electron has another for modules. */
export interface ProcessSpawner {
  spawn: (launch: Launch, listeners: ChildListeners) => SpawnedChild;
}

const MODULE_ENTRY = entryModule('process/module-child');
/** The child's last words may still be in the pipe when it is gone: wait this long for them. */
export const DRAIN_MS = 200;
/** Characters in one line of a program. One that writes more without an end is ended. */
const MAX_LINE = 8 * 1024 * 1024;

/** Options of Node for the module's own Node. */
export function nodeOptions({ limits, walls }: Launch): string[] {
  const heap = limits?.heapMiB === undefined ? [] : [`--max-old-space-size=${limits.heapMiB}`];
  const young = limits?.youngMiB === undefined ? [] : [`--max-semi-space-size=${limits.youngMiB}`];
  return [...heap, ...young, ...(walls ? wallOptions(walls) : [])];
}

/** Pages of WebAssembly's memory in a MiB. */
const PAGES = 16;

/**
 * A thread is allowed for {@link endWithParent}. No text becomes code: what reaches JavaScript finds no way to write some. Modules may be brought into a realm without Node.
 */
const wallOptions = ({ reads, writes = [], webAssemblyMiB, hasOpenIntrinsics = false }: Walls): string[] => [
  '--permission',
  '--allow-worker',
  '--experimental-vm-modules',
  ...(hasOpenIntrinsics ? [] : ['--frozen-intrinsics']),
  '--no-warnings', // that a thread may be more than one thinks: it is ours alone
  ...reads.map((path) => `--allow-fs-read=${path}`),
  ...writes.map((path) => `--allow-fs-write=${path}`),
  '--disallow-code-generation-from-strings',
  `--wasm-max-mem-pages=${webAssemblyMiB * PAGES}`,
];

/**
 * `child_process`. When this process ends, however it ends, a module ends too ({@link endWithParent}), and a program sees the
 * end of its input. What a child has started ends with the child, see {@link watchTree}.
 */
export const nodeSpawner: ProcessSpawner = {
  spawn(launch, listeners) {
    const { run, gpuPage } = launch;
    if (gpuPage) return stillborn(new Error('there are no pages beside Node'), listeners);
    try {
      return run instanceof URL ? forkModule(launch, run, listeners) : startProgram(launch, run, listeners);
    } catch (error) {
      // Some faults Node tells by an event, others, such as a folder that is a file, by throwing.
      return stillborn(error as Error, listeners);
    }
  },
};

/** A child that could not be started, and why. */
export function stillborn({ message }: Error, { onStderr, onExit }: ChildListeners): SpawnedChild {
  setImmediate(() => {
    onStderr(message);
    onExit({ code: null, signal: null });
  });
  return { pid: undefined, send: () => undefined, kill: () => undefined };
}

function forkModule(launch: Launch, module: URL, listeners: ChildListeners): SpawnedChild {
  const child = fork(fileURLToPath(MODULE_ENTRY), [String(process.pid), module.href, ...(launch.args ?? [])], {
    cwd: launch.cwd,
    env: { ...launch.env },
    ...inBounds(launch.walls, nodeOptions(launch)),
    ...OWN_GROUP,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const open = follow(child, listeners);
  child.on('message', (message) => open() && listeners.onMessage(message));
  return {
    pid: child.pid,
    send: (message, onTaken) => {
      if (child.connected) child.send(message, () => onTaken?.());
    },
    kill: () => endTree(child),
  };
}

/** The system's own limits are set by its shell, which then becomes Node: the process stays the same. */
function inBounds(walls: Walls | undefined, execArgv: string[]): { execPath?: string; execArgv: string[] } {
  if (!walls || process.platform === 'win32') return { execArgv };
  const limits = [`ulimit -d ${walls.dataMiB * 1_024}`, 'ulimit -c 0', ...(walls.writes ? [] : ['ulimit -f 0'])];
  // Where memory runs short, Linux ends this one before others.
  const script = `${limits.join('; ')}; (echo 1000 > /proc/self/oom_score_adj) 2>/dev/null; exec "$0" "$@"`;
  return { execPath: '/bin/sh', execArgv: ['-c', script, process.execPath, ...execArgv] };
}

function startProgram(launch: Launch, program: string, listeners: ChildListeners): SpawnedChild {
  const child = spawn(program, launch.args ?? [], {
    cwd: launch.cwd,
    env: { ...launch.env },
    ...OWN_GROUP,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const open = follow(child, listeners);
  const kill = () => endTree(child);
  readLines(child, kill, (line) => open() && listeners.onMessage(fromJson(line)));
  child.stdin.on('error', ignoring('a write that fails tells nothing that the exit does not'));
  return {
    pid: child.pid,
    send: (message, onTaken) => {
      if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`, () => onTaken?.());
    },
    kill,
  };
}

/** Watches the child, and passes on its errors and its end. @returns whether the end has not been told yet */
function follow(child: ChildProcess, { onStderr, onExit }: ChildListeners): () => boolean {
  watchTree(child);
  let ended = false;
  const end = (exit: ChildExit) => {
    if (ended) return;
    ended = true;
    child.stdout?.destroy();
    child.stderr?.destroy();
    onExit(exit);
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => ended || onStderr(text));
  child.once('error', ({ message }) => {
    if (!ended) onStderr(message);
    end({ code: null, signal: null });
  });
  child.once('exit', (code, signal) => {
    const timer = setTimeout(end, DRAIN_MS, { code, signal });
    child.once('close', () => {
      clearTimeout(timer);
      end({ code, signal });
    });
  });
  return () => !ended;
}

function readLines({ stdout }: ChildProcess, kill: () => void, onLine: (line: string) => void): void {
  let begun = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...more] = text.split('\n');
    begun += first;
    for (const next of more) {
      if (begun.trim()) onLine(begun);
      begun = next;
    }
    if (begun.length > MAX_LINE) kill();
  });
}

/** What is no JSON stays the text that it is: no schema of ours takes it. */
function fromJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line; // it is no JSON
  }
}
