/**
 * Does what the screens do: calls the contract of a running node, with types, over a WebSocket, which carries live data too.
 * Single calls may as well go over HTTP, with RPCLink from '@orpc/client/fetch' and the address `<node>/rpc`.
 * Usage: node examples/contract-client.ts [URL of the node] [file with its token]
 */
import { readFileSync } from 'node:fs';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { WebSocket } from 'ws';
import type { contract } from '../src-preload/contract/contract.ts';

const { origin } = new URL(process.argv[2] ?? 'http://127.0.0.1:7070');
// Programs of the account that runs the node find a token in its data folder; all others need the API token.
const tokenFile = process.argv[3];
const token = tokenFile ? readFileSync(tokenFile, 'utf8').trim() : process.env.QUARRY_API_TOKEN;
const headers = { authorization: `Bearer ${token}` };
// A node takes a WebSocket from its own pages only, by their origin; a program says the same. (`http…` becomes `ws…`.)
const websocket = new WebSocket(`${origin.replace(/^http/, 'ws')}/rpc/ws`, { origin, headers });
const node: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ websocket }));

const { id, role, engine, credits } = await node.node.status();
console.log(`node: ${id.slice(0, 8)}, a ${role}, engine ${engine.state}, ${credits.available} credits`);

for await (const status of await node.node.watch()) {
  console.log(`watched: ${status.peers} peers, ${status.served.requests} requests served`);
  break; // leaving the loop ends the call in the node too
}

const messages = [{ role: 'user' as const, content: 'What is a mesh?' }];
for await (const event of await node.inference.ask({ target: 'local', messages, maxTokens: 32 })) {
  if (event.type === 'chunk') process.stdout.write(event.text);
  if (event.type === 'done') console.log(`\nanswer: ${event.result.completionTokens} tokens, «${event.result.finish}»`);
}
websocket.close();
