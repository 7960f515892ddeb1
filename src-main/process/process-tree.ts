import { type ChildProcess, execFile } from 'node:child_process';

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
 * For a module that a spawner starts: ends it, with all that it has started, when its parent is gone, however that ended.
 * (Not while it computes without a pause: nobody hears anything then.)
 */
export function endWithParent(): void {
  process.on('disconnect', () => {
    endGroup(process.pid);
    process.kill(process.pid, 'SIGKILL');
  });
}

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
