import { fileURLToPath } from 'node:url';
import { type UtilityProcess, utilityProcess } from 'electron';
import { entryModule } from '../../base/installation.ts';
import {
  type ChildListeners,
  DRAIN_MS,
  type Launch,
  nodeOptions,
  nodeSpawner,
  type ProcessSpawner,
  type SpawnedChild,
  stillborn,
} from '../../process/process-spawner.ts';
import { BindingTests } from './binding-tests.ts';
import { TrainerWindow } from './trainer-window.ts';

/**
 * Starts modules as Electron's utility processes: the build's fuses forbid Electron to act as plain Node. The child enters
 * through `utility-child.js`, which gives it the channel that `child_process.fork` would. Programs are Node's business.
 */
export const utilitySpawner: ProcessSpawner = {
  spawn: (launch, listeners) =>
    launch.run instanceof URL ? startUtility(launch, launch.run, listeners) : nodeSpawner.spawn(launch, listeners),
};

function startUtility(launch: Launch, module: URL, listeners: ChildListeners): SpawnedChild {
  if (launch.walls) return stillborn(new Error('the desktop app cannot wall it in'), listeners);
  // Electron takes an empty environment for none, and gives the child all of ours.
  const env = { ...launch.env, QUARRY_CHILD: '1' };
  const entry = JSON.stringify({ module: module.href, args: launch.args ?? [], parent: process.pid });
  const child = utilityProcess.fork(fileURLToPath(entryModule('desktop/child/utility-child')), [entry], {
    env,
    execArgv: nodeOptions(launch),
    stdio: ['ignore', 'ignore', 'pipe'],
    serviceName: launch.name.replace(/^the /, 'Quarry '),
    ...(launch.cwd !== undefined && { cwd: launch.cwd }),
  });
  const tests = launch.triesGpuBuilds ? new BindingTests((message) => child.postMessage(message), env) : undefined;
  const page = launch.gpuPage ? pageBeside(child, listeners) : undefined;
  let ended = false;
  let killed = false;
  child.on('message', (message: unknown) => {
    if (!ended && !tests?.take(message)) listeners.onMessage(message);
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
    tests?.close();
    page?.close();
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
    send: (message, onTaken) => {
      child.postMessage(message);
      onTaken?.(); // Electron does not tell when
    },
    kill: () => {
      killed = true;
      end(child);
    },
  };
}

/** A page for a child, which ends where the page does: without it there is nothing that it could do. */
function pageBeside(child: UtilityProcess, { onStderr }: ChildListeners): TrainerWindow {
  return new TrainerWindow({
    onPort: (port) => child.postMessage('quarry:page', [port]),
    onGone(why) {
      onStderr(`The page that trains on the GPU failed: ${why}\n`);
      end(child);
    },
  });
}

/**
 * Electron's own way lets the child finish what it is at, and llama.cpp can be at it for long. What the child has started
 * stays: Electron gives a utility process no group of its own. (The engine starts nothing: its tests of GPU builds run here.)
 */
function end(child: UtilityProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch {
    // it is gone already
  }
}
