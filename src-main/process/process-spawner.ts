import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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
  readonly pid: number | undefined;
  /** Never throws: a message to a child that is gone is lost, and `onExit` tells so. */
  send: (message: object) => void;
  /** Ends the child at once, without asking it. */
  kill: () => void;
}

/** Starts a module of ours in a process of its own. Node's is {@link nodeSpawner}; Electron has another. */
export interface ProcessSpawner {
  /** @param env added to this process's environment */
  spawn: (entry: URL, env: Readonly<Record<string, string>>, listeners: ChildListeners) => SpawnedChild;
}

/** The child's last words may still be in the pipe when it is gone: wait this long for them. */
const DRAIN_MS = 200;

/** `child_process.fork`. The child sees `disconnect` when this process ends, however it ends. */
export const nodeSpawner: ProcessSpawner = {
  spawn(entry, env, listeners) {
    const child = fork(fileURLToPath(entry), [], {
      env: { ...process.env, ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let ended = false;
    const end = (exit: ChildExit) => {
      if (ended) return;
      ended = true;
      child.stderr?.destroy();
      listeners.onExit(exit);
    };
    child.on('message', (message) => ended || listeners.onMessage(message));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => ended || listeners.onStderr(text));
    child.once('error', () => end({ code: null, signal: null }));
    child.once('exit', (code, signal) => {
      const timer = setTimeout(end, DRAIN_MS, { code, signal });
      child.once('close', () => {
        clearTimeout(timer);
        end({ code, signal });
      });
    });
    return {
      pid: child.pid,
      send: (message) => {
        if (child.connected) child.send(message, () => undefined);
      },
      kill: () => child.kill('SIGKILL'),
    };
  },
};
