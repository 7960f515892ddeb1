import type { ChildExit, ChildListeners, Launch, ProcessSpawner } from '../../src-main/process/process-spawner.ts';

/** A child that does what a test says. */
export interface ScriptedChild extends ChildListeners {
  launch: Launch;
  pid: number;
  sent: object[];
  killed: boolean;
  /** Ends it. */
  die: (exit?: Partial<ChildExit>) => void;
}

export interface Scripted {
  /** Milliseconds until a killed child is gone. Default: it is in the next turn of the event loop. */
  lingerMs?: number;
}

/** Starts nothing, and keeps what it was asked to start. */
export function scriptedSpawner({
  lingerMs,
}: Scripted = {}): ProcessSpawner & { children: ScriptedChild[]; living: () => number } {
  const children: ScriptedChild[] = [];
  const gone = new Set<ScriptedChild>();
  return {
    children,
    living: () => children.length - gone.size,
    spawn(launch, listeners) {
      const die = (exit: Partial<ChildExit> = {}) => {
        if (gone.has(child)) return;
        gone.add(child);
        listeners.onExit({ code: null, signal: null, ...exit });
      };
      const child: ScriptedChild = { ...listeners, launch, pid: 1_000 + children.length, sent: [], killed: false, die };
      children.push(child);
      return {
        pid: child.pid,
        send: (message, onTaken) => {
          if (!gone.has(child)) child.sent.push(message);
          onTaken?.();
        },
        kill: () => {
          child.killed = true;
          const end = () => die({ signal: 'SIGKILL' });
          if (lingerMs === undefined) queueMicrotask(end);
          else setTimeout(end, lingerMs);
        },
      };
    },
  };
}
