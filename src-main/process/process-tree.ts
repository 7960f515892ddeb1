import { type ChildProcess, execFile } from 'node:child_process';
import { Worker } from 'node:worker_threads';

/**
 * Option of `spawn` and `fork`: on POSIX each child leads a group of processes of its own, and what it starts belongs to
 * that. So ^C in a terminal does not reach it: this process ends its children. Windows finds them by their parents.
 */
export const OWN_GROUP = { detached: process.platform !== 'win32' };

/** Those that run, all of them with {@link OWN_GROUP}. */
const running = new Set<ChildProcess>();

/** What the child starts shall end with it, and the child with this process. Where it was not started nothing is to do. */
export function watchTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (running.size === 0) process.on('exit', endAll);
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
    endGroup(pid);
  });
}

/** Ends a watched child at once, and all that it has started. Of one that is gone nothing is left: its id may be another's. */
export function endTree(child: ChildProcess): void {
  if (!running.has(child)) return;
  if (OWN_GROUP.detached) endGroup(child.pid as number);
  else {
    const args = ['/PID', String(child.pid), '/T', '/F'];
    execFile('taskkill', args, { windowsHide: true }, (error) => error && child.kill('SIGKILL'));
  }
}

/**
 * For the process of a module that a spawner started: ends it, with all that it has started, at most half a second after its
 * parent is gone, however that ended. A thread looks, so that it also ends while it computes without a pause. One that ends
 * by itself before the thread has looked, as an orphan, takes its group with it.
 * @param parent the process that started it; this one may begin only after that has died
 */
export function endWithParent(parent: number): void {
  new Worker(WATCH, { eval: true, workerData: parent }).unref();
  // A parent that dies closes the channel first, and gives its children away after that.
  const isOrphan = () => process.connected === false || process.ppid !== parent;
  if (OWN_GROUP.detached) process.on('exit', () => isOrphan() && endGroup(process.pid));
}

/**
 * As text, not as a module: it starts at once, and needs no file that a package would have to hold. On POSIX an orphan gets
 * another parent; Windows keeps the id of the one that is gone.
 */
const WATCH = `
  const { workerData: parent } = require('node:worker_threads');
  function isThere() {
    if (process.platform !== 'win32') return process.ppid === parent;
    try {
      return process.kill(parent, 0);
    } catch ({ code }) {
      return code !== 'ESRCH';
    }
  }
  setInterval(() => {
    if (isThere()) return;
    try {
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      // it leads no group
    }
    process.kill(process.pid, 'SIGKILL');
  }, 250);
`;

function endAll(): void {
  for (const child of running) endTree(child);
}

/** @param leader the first process of a group, which may be gone itself */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // nobody of it is left, or there are no groups here
  }
}
