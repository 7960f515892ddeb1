import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Makes this process look like Electron's utility process, then runs the module that the first argument names. */
const [, , modulePath = '', ...args] = process.argv;
const send = process.send?.bind(process);

interface Envelope {
  electron: unknown;
}

/** Keeps what comes in until somebody listens. */
class ParentPort extends EventEmitter {
  #waiting: unknown[] = [];

  constructor() {
    super();
    this.on('newListener', (event) => event === 'message' && setImmediate(() => this.#flush()));
  }

  deliver(data: unknown): void {
    this.#waiting.push(data);
    this.#flush();
  }

  postMessage(message: unknown): void {
    send?.({ electron: message }, undefined, undefined, () => undefined);
  }

  #flush(): void {
    if (this.listenerCount('message') === 0) return;
    for (const data of this.#waiting.splice(0)) this.emit('message', { data, ports: [] });
  }
}

const parentPort = new ParentPort();
const emit = process.emit.bind(process) as (event: string, ...values: unknown[]) => boolean;
Object.assign(process, {
  parentPort,
  // Under Electron there is no such channel.
  send: undefined,
  emit: (event: string, ...values: unknown[]) => {
    const [message] = values as [Envelope?];
    if (event !== 'message' || typeof message !== 'object' || !('electron' in message)) return emit(event, ...values);
    parentPort.deliver(message.electron);
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
