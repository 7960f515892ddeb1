import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ParentPort } from 'electron';
import { endWithParent } from '../../process/process-tree.ts';
import { bindingTestNewsSchema, RemoteTests } from './remote-tests.ts';

/**
 * Entry of Electron's utility processes: gives the module named by the last argument the channel and the arguments that a
 * child of `child_process.fork` has, so that modules need not know what started them.
 */
const { parentPort } = process as unknown as { parentPort: ParentPort };
const entry = JSON.parse(process.argv.at(-1) ?? '') as { module: string; args: string[]; parent: number };
const { module, args, parent } = entry;
// Elsewhere Chromium sees to that, by a thread of its own.
if (process.platform === 'win32') endWithParent(parent);
process.argv = [process.argv0, fileURLToPath(module), ...args];

const tests = new RemoteTests((order) => parentPort.postMessage(order));
Object.assign(globalThis, { quarryUtilityProcess: tests });
const ELECTRON = 'data:text/javascript,export const utilityProcess = globalThis.quarryUtilityProcess;';
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: ELECTRON, format: 'module', shortCircuit: true } : next(specifier, context),
});

process.send = (message: unknown) => {
  parentPort.postMessage(message);
  return true;
};
await import(module);
// Only now: what came before waits in the port.
parentPort.on('message', ({ data, ports: [port] }) => {
  if (port) return void (process as NodeJS.EventEmitter).emit(data, port);
  const news = bindingTestNewsSchema.safeParse(data);
  if (news.success) tests.hear(news.data);
  else process.emit('message', data, undefined);
});
