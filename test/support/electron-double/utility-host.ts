import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Makes this process look like Electron's utility process, then runs the module that the first argument names. */
const [, , modulePath = '', ...args] = process.argv;
const send = process.send?.bind(process);

interface Envelope {
  electron: unknown;
  /** How many ports came along, by number. */
  ports?: number[];
}

/** A port whose other end is beyond this process. */
class HandedPort extends EventEmitter {
  readonly #id: number;

  constructor(id: number) {
    super();
    this.#id = id;
  }

  postMessage(data: unknown): void {
    send?.({ port: this.#id, data }, undefined, undefined, () => undefined);
  }

  /** Nothing comes before somebody listens here: what was handed on is started when it is. */
  start(): void {
    send?.({ port: this.#id, isStarted: true }, undefined, undefined, () => undefined);
  }
}
const handed = new Map<number, HandedPort>();

/** Keeps what comes in until somebody listens. */
class ParentPort extends EventEmitter {
  #waiting: { data: unknown; ports: HandedPort[] }[] = [];

  constructor() {
    super();
    this.on('newListener', (event) => event === 'message' && setImmediate(() => this.#flush()));
  }

  deliver(data: unknown, ids: number[] = []): void {
    const ports = ids.map((id) => new HandedPort(id));
    for (const [at, port] of ports.entries()) handed.set(ids[at] as number, port);
    this.#waiting.push({ data, ports });
    this.#flush();
  }

  postMessage(message: unknown): void {
    send?.({ electron: message }, undefined, undefined, () => undefined);
  }

  #flush(): void {
    if (this.listenerCount('message') === 0) return;
    for (const message of this.#waiting.splice(0)) this.emit('message', message);
  }
}

const parentPort = new ParentPort();
const emit = process.emit.bind(process) as (event: string, ...values: unknown[]) => boolean;
Object.assign(process, {
  parentPort,
  // Under Electron there is no such channel.
  send: undefined,
  emit: (event: string, ...values: unknown[]) => {
    const [message] = values as [(Envelope | { port: number; data?: unknown; isClosed?: true })?];
    if (event !== 'message' || typeof message !== 'object') return emit(event, ...values);
    if ('port' in message) {
      if (message.isClosed) handed.get(message.port)?.emit('close');
      else handed.get(message.port)?.emit('message', { data: message.data, ports: [] });
      return true;
    }
    if (!('electron' in message)) return emit(event, ...values);
    parentPort.deliver(message.electron, message.ports);
    return true;
  },
});
Object.defineProperty(process.versions, 'electron', { value: '0.0.0-double' });
// The fuses of the build forbid Electron to act as Node, so nothing can be forked in the usual way.
childProcess.fork = () => {
  throw new Error('Electron cannot be used as Node.');
};
syncBuiltinESMExports();
process.argv = [process.argv0, modulePath, ...args];
process.on('message', () => undefined); // opens the channel
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

await import(pathToFileURL(modulePath).href);
