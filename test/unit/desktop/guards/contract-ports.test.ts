import { EventEmitter, once } from 'node:events';
import { createORPCClient, type ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { os } from '@orpc/server';
import type { IpcMainEvent, MessagePortMain } from 'electron';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractPorts, type ServedNode } from '../../../../src-main/desktop/guards/contract-ports.ts';
import type { Caller } from '../../../../src-preload/contract/caller.ts';

type Port = InstanceType<typeof MessagePort>;

/** Main's end of a channel, as Electron gives it out, over a real one. */
class FakePort extends EventEmitter {
  readonly #port: Port;
  started = false;

  constructor(port: Port) {
    super();
    this.#port = port;
    port.addEventListener('close', () => this.emit('close'));
  }

  start(): void {
    this.started = true;
    this.#port.addEventListener('message', (event) =>
      this.emit('message', { data: (event as MessageEvent).data, ports: [] }),
    );
    this.#port.start();
  }

  postMessage(data: unknown): void {
    this.#port.postMessage(data);
  }

  close(): void {
    this.#port.close();
  }
}

const open: Port[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

function channel() {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  return { page: port1, main: new FakePort(port2) };
}

function message(ports: FakePort[], { origin = 'quarry-app://app', sub = false } = {}): IpcMainEvent {
  const mainFrame = { origin };
  const senderFrame = sub ? { origin } : mainFrame;
  return { ports: ports as unknown as MessagePortMain[], sender: { mainFrame }, senderFrame } as IpcMainEvent;
}

class Host extends EventEmitter {
  app: ServedNode | undefined;

  constructor(app?: ServedNode) {
    super();
    this.app = app;
  }
}

const host = (app?: ServedNode) => new Host(app);

/** A node whose contract tells its name. */
const node = (name: string): ServedNode => ({
  contract: {
    whoami: os.handler(() => name),
    unheard: os.$context<Caller>().handler(({ context }) => context.confidential ?? false),
    forever: os.handler(({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', reject))),
  },
  log: pino({ level: 'silent' }),
});

function opened(nodeHost: Host): ContractPorts {
  const ports = new ContractPorts(nodeHost);
  ports.open();
  return ports;
}

interface Client {
  whoami: () => Promise<string>;
  unheard: () => Promise<boolean>;
  forever: () => Promise<unknown>;
}

function clientOn(port: Port): Client {
  port.start();
  return createORPCClient(new RPCLink({ port })) as unknown as Client;
}

const closed = (port: Port) => new Promise((resolve) => port.addEventListener('close', resolve, { once: true }));

describe('ContractPorts', () => {
  it('speaks the contract on the port of its own page', async () => {
    const { page, main } = channel();
    opened(host(node('first'))).accept(message([main]));
    expect(await clientOn(page).whoami()).toBe('first');
  });

  it('is a way on which nobody listens: words and passwords of wallets may go it', async () => {
    const { page, main } = channel();
    opened(host(node('first'))).accept(message([main]));
    expect(await clientOn(page).unheard()).toBe(true);
  });

  it.each([
    ['another origin', message([], { origin: 'https://evil.example' })],
    ['a file', message([], { origin: 'file://' })],
    ['a frame within the page', message([], { sub: true })],
  ])('closes the port that %s sends', async (_who, event) => {
    const { page, main } = channel();
    event.ports.push(main as unknown as MessagePortMain);
    const end = closed(page);
    opened(host(node('first'))).accept(event);
    await end;
    expect(main.started).toBe(false);
  });

  it('closes the port of a frame that is gone, and a message with two ports', async () => {
    const ports = opened(host(node('first')));
    const [one, two, three] = [channel(), channel(), channel()];
    const ends = Promise.all([one, two, three].map(({ page }) => closed(page)));
    ports.accept({ ...message([one.main]), senderFrame: null });
    ports.accept(message([two.main, three.main]));
    await ends;
  });

  it('lets a port wait for the node, with what was asked on it', async () => {
    const nodeHost = host();
    const { page, main } = channel();
    opened(nodeHost).accept(message([main]));
    const answer = clientOn(page).whoami();
    expect(main.started).toBe(false);
    nodeHost.app = node('late');
    nodeHost.emit('open', nodeHost.app);
    expect(await answer).toBe('late');
  });

  it('closes its ports with the node, and takes new ones for the next', async () => {
    const nodeHost = host(node('first'));
    const ports = opened(nodeHost);
    const before = channel();
    ports.accept(message([before.main]));
    const end = closed(before.page);
    const hanging = clientOn(before.page).forever();
    nodeHost.app = undefined;
    nodeHost.emit('close');
    await end;
    await expect(hanging).rejects.toThrow();

    const after = channel();
    ports.accept(message([after.main]));
    nodeHost.app = node('second');
    nodeHost.emit('open', nodeHost.app);
    expect(await clientOn(after.page).whoami()).toBe('second');
  });

  it('keeps no more than eight ports', async () => {
    const ports = opened(host(node('first')));
    const channels = Array.from({ length: 9 }, channel);
    const end = closed(channels[8]!.page);
    for (const { main } of channels) ports.accept(message([main]));
    await end;
    expect(channels.filter(({ main }) => main.started)).toHaveLength(8);
  });

  it('makes room when pages are gone', async () => {
    const ports = opened(host(node('first')));
    const pages = Array.from({ length: 8 }, channel);
    for (const { main } of pages) ports.accept(message([main]));
    const gone = Promise.all(pages.map(({ main }) => once(main, 'close')));
    for (const { page } of pages) page.close();
    await gone;
    const { page, main } = channel();
    ports.accept(message([main]));
    expect(await clientOn(page).whoami()).toBe('first');
  });

  it.each([
    ['no JSON', 'hello'],
    ['no call', '{"i":1}'],
    ['an object', { i: '1', p: { u: '/whoami' } }],
    ['bytes', new Uint8Array([123, 125])],
  ])('closes the port on %s', async (_what, data) => {
    const { page, main } = channel();
    opened(host(node('first'))).accept(message([main]));
    const end = closed(page);
    page.postMessage(data);
    await end;
  });

  it('refuses what the contract does not have', async () => {
    const { page, main } = channel();
    opened(host(node('first'))).accept(message([main]));
    const client = clientOn(page) as unknown as { secret(): Promise<unknown> };
    const error = await client.secret().catch((cause: ORPCError<string, unknown>) => cause);
    expect(error).toMatchObject({ status: 404 });
  });
});
