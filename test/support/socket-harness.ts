import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { os, type RouterClient } from '@orpc/server';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { z } from 'zod';
import type { Caller } from '../../src-preload/contract/caller.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { enteredCookie } from './server-harness.ts';

/** A contract whose streams tell how they ended. */
export function smallContract() {
  const open = { streams: 0, calls: 0 };
  const flooded = { events: 0 };
  /** Calls of `echo`. */
  const calls = { count: 0 };
  const router = {
    echo: os.input(z.object({ text: z.string() })).handler(({ input }) => {
      calls.count++;
      return input.text;
    }),
    /** Whether nobody could listen on the way. */
    unheard: os.$context<Caller>().handler(({ context }) => context.confidential ?? false),
    large: os.input(z.object({ bytes: z.int() })).handler(({ input }) => 'x'.repeat(input.bytes)),
    fail: os.handler(() => {
      throw new QuarryError({ code: 'OVERLOADED', message: 'Too much.' });
    }),
    /** Answers when it is aborted. */
    wait: os.handler(async ({ signal }) => {
      open.calls++;
      await aborted(signal);
      open.calls--;
    }),
    /** One event, then nothing until it is aborted. */
    watch: os.handler(async function* ({ signal }) {
      open.streams++;
      try {
        yield 'first';
        await aborted(signal);
      } finally {
        open.streams--;
      }
    }),
    /** Events of 64 KiB without end, whatever the signal says. */
    flood: os.handler(async function* () {
      open.streams++;
      try {
        for (;;) {
          flooded.events++;
          yield 'x'.repeat(65_536);
        }
      } finally {
        open.streams--;
      }
    }),
  };
  return { router, open, flooded, calls };
}

export type SmallClient = RouterClient<ReturnType<typeof smallContract>['router']>;

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
}

/** A WebSocket to the server's contract, as a page of that server opens it whose browser came in by a link. */
async function pageSocket(url: string, { path = '/rpc/ws', ...options }: ClientOptions & { path?: string } = {}) {
  const headers = options.headers ?? { cookie: await enteredCookie(url) };
  const socket = new WebSocket(url.replace(/^http/, 'ws') + path, { origin: url, ...options, headers });
  onTestFinished(() => socket.terminate());
  return socket;
}

export async function openPage(url: string, options: ClientOptions = {}): Promise<WebSocket> {
  const socket = await pageSocket(url, options);
  await once(socket, 'open');
  return socket;
}

/** The status with which the server refuses a WebSocket. */
export async function refusal(url: string, options: ClientOptions & { path?: string } = {}): Promise<number> {
  const socket = await pageSocket(url, options);
  const opened = once(socket, 'open').then(() => 101);
  const refused = once(socket, 'unexpected-response').then(([request, response]) => {
    request.destroy();
    return response.statusCode as number;
  });
  return await Promise.race([opened, refused]);
}

/** The code with which a WebSocket ends. */
export async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = await once(socket, 'close');
  return code;
}

export function rpcClient(socket: WebSocket): SmallClient {
  return createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
}
