import { fileURLToPath } from 'node:url';
import { type UtilityProcess, utilityProcess } from 'electron';
import { entryModule } from '../../base/installation.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { BindingTests } from './binding-tests.ts';

/** The child's last words may still be in the pipe when it is gone: wait this long for them. */
const DRAIN_MS = 200;

/**
 * Starts child processes as Electron's utility processes: the build's fuses forbid Electron to act as plain Node. The child
 * enters through `utility-child.js`, which gives it the channel that `child_process.fork` would.
 */
export const engineSpawner: ProcessSpawner = {
  spawn(entry, env, listeners) {
    const child = utilityProcess.fork(fileURLToPath(entryModule('desktop/child/utility-child')), [entry.href], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      serviceName: 'Quarry engine',
    });
    const tests = new BindingTests((message) => child.postMessage(message));
    let ended = false;
    let killed = false;
    child.on('message', (message: unknown) => {
      if (!ended && !tests.take(message)) listeners.onMessage(message);
    });
    child.stderr?.setEncoding('utf8' as BufferEncoding);
    child.stderr?.on('data', (text: string | Buffer) => ended || listeners.onStderr(String(text)));
    child.once('spawn', () => killed && end(child));
    const finish = (code: number) => {
      if (ended) return;
      ended = true;
      listeners.onExit({ code, signal: null });
    };
    child.once('exit', (code) => {
      tests.close();
      const timer = setTimeout(finish, DRAIN_MS, code);
      child.stderr?.once('close', () => {
        clearTimeout(timer);
        finish(code);
      });
    });
    return {
      get pid() {
        return child.pid;
      },
      send: (message) => child.postMessage(message),
      kill: () => {
        killed = true;
        end(child);
      },
    };
  },
};

/** Electron's own way lets the child finish what it is at, and llama.cpp can be at it for long. */
function end(child: UtilityProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch {
    // it is gone already
  }
}
