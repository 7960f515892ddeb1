import dgram from 'node:dgram';
import dns from 'node:dns';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import type { PythonReply, PythonTask } from './python-messages.ts';
import { PythonRealm } from './python-realm.ts';

/**
 * Entry of the process that runs strangers' Python, in WebAssembly (Pyodide), in a realm without Node, behind Node's permissions. In case that somebody finds a way out of that realm,
 * whatever the permissions leave open is taken away here: sockets, for which Node has no permission yet, and Node's own inside. What is left is shown in
 * `test/integration/python-sandbox.test.ts`.
 *
 * Arguments: Pyodide's folder; `from` and a snapshot to begin with, `to` and one to be made, or neither.
 */
const [, , folder = '', way, snapshot = ''] = process.argv;
const send = process.send?.bind(process) as (reply: PythonReply) => void;
const exit = process.exit.bind(process);

// Whoever throws out of everything has ended. What he has thrown is not looked at: it may be his.
process.on('uncaughtException', () => exit(1));
process.on('unhandledRejection', () => exit(1));

if (way === 'to') {
  const realm = await PythonRealm.open({ folder, makesSnapshot: true });
  writeFileSync(snapshot, realm.snapshot(), { mode: 0o600 });
  send({ type: 'ready' });
} else {
  takeNetworkAway();
  const realm = await PythonRealm.open({ folder, snapshot: way === 'from' ? snapshot : undefined });
  takeNodeAway();
  process.on('message', (task) => send(ran(realm, task as PythonTask)));
  send({ type: 'ready' });
}

/** A process runs one program, though perhaps several times: what it has changed is changed for nobody else. */
function ran(realm: PythonRealm, { program, stdin }: PythonTask): PythonReply {
  const said = realm.run(program, stdin);
  if (typeof said !== 'string') exit(1);
  return { ...JSON.parse(said as string), type: 'ran' }; // main looks whether it is that
}

function takeNetworkAway(): void {
  const refused = () => {
    throw new Error('there is no network here');
  };
  Object.assign(net.Socket.prototype, { connect: refused });
  Object.assign(net.Server.prototype, { listen: refused });
  Object.assign(dgram, { createSocket: refused });
  Object.assign(dns, { lookup: refused, resolve: refused });
  syncBuiltinESMExports(); // for those who import them by name, too
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'BroadcastChannel', 'Worker'])
    delete (globalThis as Record<string, unknown>)[name];
}

function takeNodeAway(): void {
  const inside = process as unknown as Record<string, unknown>;
  for (const name of [
    'binding',
    '_linkedBinding',
    'getBuiltinModule',
    'dlopen',
    'kill',
    '_kill',
    '_debugProcess',
    'mainModule',
  ])
    Object.defineProperty(inside, name, { value: undefined, configurable: false, writable: false });
}
