import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ForkOptions, MessagePortMain, UtilityProcess } from 'electron';

const HOST = fileURLToPath(new URL('utility-host.ts', import.meta.url));

/** What the process says over a port that it was handed, by its number. */
interface FromPort {
  port: number;
  data?: unknown;
  isStarted?: true;
}

/** A utility process as a child of Node, in which utility-host.ts makes things look as they do under Electron. */
class DoubleUtility extends EventEmitter implements Pick<UtilityProcess, 'postMessage' | 'kill'> {
  readonly #child: ChildProcess;
  readonly #ports: MessagePortMain[] = [];

  constructor(modulePath: string, args: string[], { env, stdio, cwd, execArgv }: ForkOptions) {
    super();
    const [, out, err] = Array.isArray(stdio) ? stdio : ['ignore', stdio, stdio];
    this.#child = fork(HOST, [modulePath, ...args], {
      // As the real one: an empty environment counts as none.
      env: (Object.keys(env ?? {}).length > 0 ? env : process.env) as NodeJS.ProcessEnv,
      cwd,
      execArgv: execArgv ?? [],
      serialization: 'advanced',
      stdio: ['ignore', out as 'ignore', err as 'pipe', 'ipc'],
    });
    this.#child.on('message', (message: { electron: unknown } | FromPort) => {
      if ('port' in message) this.#fromPort(message);
      else this.emit('message', message.electron);
    });
    this.#child.once('spawn', () => this.emit('spawn'));
    this.#child.once('exit', (code) => this.emit('exit', code ?? 1));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stderr() {
    return this.#child.stderr;
  }

  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    const ports = transfer.map((port) => this.#ports.push(port) - 1);
    this.#send({ electron: message, ports });
  }

  /** A port that was handed on: what comes out of it goes to the process, and the other way. */
  #fromPort({ port: id, data, isStarted }: FromPort): void {
    const port = this.#ports[id];
    if (isStarted) {
      port?.on('message', (event) => this.#send({ port: id, data: event.data }));
      port?.on('close', () => this.#send({ port: id, isClosed: true }));
      port?.start();
    } else {
      port?.postMessage(data);
    }
  }

  #send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  kill(): boolean {
    return this.#child.kill();
  }
}

export const utilityProcess = {
  fork: (modulePath: string, args: string[] = [], options: ForkOptions = {}) =>
    new DoubleUtility(modulePath, args, options),
};
