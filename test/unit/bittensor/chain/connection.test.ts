import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ChainConnection, type ConnectionOptions } from '../../../../src-main/bittensor/chain/connection.ts';
import { networkOf } from '../../../../src-main/bittensor/chain/networks.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';
import { resourceContract } from '../../../support/resource-contract.ts';
import { BLOCK_HASH, Refused, ScriptedChain, SILENCE } from '../../../support/scripted-chain.ts';
import { until } from '../../../support/until.ts';

const log = pino({ level: 'silent' });
const FINNEY = networkOf('finney');

async function node(): Promise<ScriptedChain> {
  const chain = await new ScriptedChain().open();
  onTestFinished(() => chain.close());
  return chain;
}

function connect(nodes: readonly ScriptedChain[], options: Partial<ConnectionOptions> = {}): ChainConnection {
  const network = { ...FINNEY, endpoints: nodes.map(({ url }) => url) };
  const waits = { lookMs: 20, firstWaitMs: 10 };
  const connection = new ChainConnection({ network, log, ...waits, ...options });
  connection.open();
  onTestFinished(() => connection.close());
  return connection;
}

const reason = (connection: ChainConnection) => sentence(connection.state.reason ?? '');
const stands = (connection: ChainConnection, status: string) =>
  until(() => expect(connection.state.status).toBe(status));

describe('a connection to a chain', () => {
  it('says where it is, and how far the chain', async () => {
    const chain = await node();
    const connection = connect([chain]);
    expect(connection.state).toMatchObject({ status: 'connecting', network: 'finney' });
    await stands(connection, 'connected');
    expect(connection.state).toMatchObject({ endpoint: chain.url, specVersion: 381, finalised: 5 });
    chain.finalise(9);
    await until(() => expect(connection.state.finalised).toBe(9));
    const reader = await connection.at();
    expect(reader.block).toBe(BLOCK_HASH);
  });

  it.each(['chain_getBlockHash', 'state_getRuntimeVersion', 'chain_getHeader'])(
    'ends while it is being made, whoever waits for it: at once, and when %s gets no answer',
    async (method) => {
      for (const silent of [false, true]) {
        const chain = await node();
        if (silent) chain.answers[method] = () => SILENCE;
        const connection = connect([chain]);
        const waiting = expect(connection.session()).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
        if (silent) await until(() => expect(chain.asked).toContain(method));
        await connection.close();
        await waiting;
        expect(connection.state.status).toBe('closed');
      }
    },
  );

  it('ends, and says so to whoever asks then', async () => {
    const connection = connect([await node()]);
    await stands(connection, 'connected');
    await connection.close();
    expect(connection.state.status).toBe('closed');
    await expect(connection.session()).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
  });

  it('comes back to an endpoint that was gone for a while', async () => {
    const chain = await node();
    const connection = connect([chain]);
    await stands(connection, 'connected');
    chain.cut();
    await until(() => expect(chain.connections).toBe(2));
    await stands(connection, 'connected');
    expect((await connection.at()).block).toBe(BLOCK_HASH);
  });

  it('comes back later and later to an endpoint that is always gone at once: metadata is large', async () => {
    const chain = await node();
    const now = Date.now();
    const connection = connect([chain], { lookMs: 60_000, now: () => now });
    const waits: number[] = [];
    while (waits.length < 4) {
      const { changes, state } = connection;
      const { count } = changes;
      if (state.status === 'connected') chain.cut();
      if (state.retryAt !== undefined) waits.push(state.retryAt - now);
      await changes.after(count, new AbortController().signal);
    }
    expect(waits).toEqual([10, 20, 40, 80]);
  });

  it.each([
    ['state_getRuntimeVersion', 'Client error: Api called for an unknown Block: State already discarded for 0x12'],
    ['state_getStorage', 'Client error: UnknownBlock: State already discarded for 0x12'],
  ])('that no longer keeps an old block says which ones do: %s', async (method, words) => {
    const chain = await node();
    const connection = connect([chain]);
    await stands(connection, 'connected');
    chain.answers[method] = () => {
      throw new Refused(4_003, words);
    };
    const old = async () => (await connection.at(BLOCK_HASH)).events();
    await expect(old()).rejects.toMatchObject({
      code: 'CHAIN_REFUSED',
      hint: expect.stringMatching(/wss:\/\/archive\.chain\.opentensor\.ai:443.*--endpoint/),
    });
  });

  it('is left when it tells of one new runtime after another: each takes a while to read', async () => {
    const chain = await node();
    await stands(connect([chain]), 'connected');
    const read = () => chain.asked.filter((method) => method === 'state_getMetadata').length;
    for (let specVersion = 1_000; specVersion < 1_100; specVersion++) {
      const params = { subscription: 'versions', result: { specVersion, transactionVersion: 1 } };
      chain.say(JSON.stringify({ jsonrpc: '2.0', method: 'versions', params }));
    }
    await until(() => expect(chain.connections).toBeGreaterThan(1));
    expect(read()).toBeLessThan(20);
  });

  it('loads a new runtime when the chain has one', async () => {
    const chain = await node();
    const connection = connect([chain]);
    await stands(connection, 'connected');
    const result = { specVersion: 425, transactionVersion: 1 };
    chain.say(JSON.stringify({ jsonrpc: '2.0', params: { subscription: 'versions', result } }));
    await until(() => expect(connection.state.specVersion).toBe(425));
    expect((await connection.session()).runtime.version).toEqual(result);
  });
});

describe('of an endpoint that', () => {
  const maxBytes = 1_000_000;
  const limits = { requestMs: 500, maxBytes };

  const bad: Record<string, (chain: ScriptedChain) => void> = {
    'does not answer': (chain) => {
      chain.answers.chain_getBlockHash = () => SILENCE;
    },
    'stops to answer': (chain) => {
      let asked = 0;
      chain.answers.chain_getHeader = () => (++asked > 3 ? SILENCE : { number: '0x05', parentHash: BLOCK_HASH });
    },
    'has another chain': (chain) => {
      chain.answers.chain_getBlockHash = () => BLOCK_HASH;
    },
    'has no metadata': (chain) => {
      chain.answers.state_getMetadata = () => '0x';
    },
    'refuses in words of its own': (chain) => {
      chain.answers.chain_getHeader = () => {
        throw new Refused('no' as never, 'no');
      };
    },
    'has metadata of nothing': (chain) => {
      chain.answers.state_getMetadata = () => `0x6d6574610e${'00'.repeat(40)}`;
    },
    'tells hashes that are none': (chain) => {
      chain.answers.chain_getFinalizedHead = () => 'finalised';
    },
    'has blocks without a number': (chain) => {
      chain.answers.chain_getHeader = () => ({ number: -1 });
    },
    'sends more than fits': (chain) => {
      chain.answers.state_getMetadata = () => `0x${'00'.repeat(600_000)}`;
    },
    'leaves out what was asked for': (chain) => {
      chain.answers.state_queryStorageAt = () => [{ changes: [] }];
    },
    'stands still': (chain) => {
      chain.madeAt = Date.now() - 120_000;
    },
    'says things of very many parts, whoever asked for them': (chain) => {
      const talk = setInterval(() => chain.say(`[${'[],'.repeat(150_000)}0]`), 5);
      onTestFinished(() => clearInterval(talk));
    },
    'tells of blocks that are none': (chain) => {
      const talk = setInterval(() => chain.say(JSON.stringify({ params: { subscription: 'heads', result: 'x' } })), 5);
      onTestFinished(() => clearInterval(talk));
    },
  };

  it.each(Object.entries(bad))('%s it makes nothing, and takes the next', async (_, spoil) => {
    const [first, second] = [await node(), await node()];
    spoil(first);
    const connection = connect([first, second], { limits });
    await until(() => expect(connection.state).toMatchObject({ status: 'connected', endpoint: second.url }));
  });

  it.each([
    ['does not answer', 'The chain did not answer in time.'],
    ['has another chain', 'This endpoint belongs to another chain than finney.'],
    ['has no metadata', 'The chain answered something that makes no sense.'],
    [
      'sends more than fits',
      'Its endpoint gives no connection (Max payload size exceeded). Is this computer online, and does a firewall let WebSockets out?',
    ],
  ])('%s it says, when there is no other, that it does', async (name, words) => {
    const chain = await node();
    bad[name]?.(chain);
    // A busy machine is late itself: whoever answers has the usual time for it.
    const given = name === 'does not answer' ? limits : { maxBytes };
    const connection = connect([chain], { firstWaitMs: 60_000, limits: given });
    await stands(connection, 'lost');
    expect(reason(connection)).toBe(words);
    const error: QuarryError = await connection.session().catch((failure) => failure);
    expect(error).toMatchObject({ code: 'CHAIN_UNREACHABLE', hint: words, retryable: true });
    expect(error.retryAfterMs).toBeGreaterThan(50_000);
  });

  it('is behind it says so, when all the others are, too', async () => {
    const nodes = [await node(), await node()];
    for (const chain of nodes) chain.madeAt = Date.now() - 120_000;
    const connection = connect(nodes);
    await stands(connection, 'behind');
    for (const chain of nodes) chain.madeAt = Date.now();
    await stands(connection, 'connected');
  });

  it('is not there it is not asked all the time', async () => {
    const chain = await node();
    chain.answers.chain_getBlockHash = () => BLOCK_HASH;
    const waits: number[] = [];
    const now = vi.fn(() => 0);
    const connection = connect([chain], { now, firstWaitMs: 5 });
    while (waits.length < 5) {
      const { count } = connection.changes;
      if (connection.state.retryAt !== undefined && waits.at(-1) !== connection.state.retryAt)
        waits.push(connection.state.retryAt);
      await connection.changes.after(count, new AbortController().signal);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80]);
  });

  it('says nonsense between its answers nothing is made', async () => {
    const chain = await node();
    const connection = connect([chain]);
    await stands(connection, 'connected');
    for (const noise of ['', '{', '[]', 'null', '{"id":1e9,"result":1}', '{"id":"1"}', '{"params":{}}', '"x"'])
      chain.say(noise);
    chain.finalise(7);
    await until(() => expect(connection.state.finalised).toBe(7));
    expect(chain.connections).toBe(1);
  });
});

resourceContract('a connection to a chain', {
  make: async (undo) => {
    const chain = await new ScriptedChain().open();
    undo(() => chain.close());
    const connection = new ChainConnection({ network: { ...FINNEY, endpoints: [chain.url] }, log, lookMs: 20 });
    return {
      open: async () => {
        connection.open();
        await connection.session();
      },
      close: () => connection.close(),
    };
  },
});

describe('networks', () => {
  it('are reached at somebody’s own node alone, where one is named', () =>
    expect(networkOf('test', 'wss://node.example:443')).toMatchObject({
      name: 'test',
      endpoints: ['wss://node.example:443'],
      genesis: networkOf('test').genesis,
    }));

  it.each(['http://node.example', 'node.example', '', 'ws:', `wss://${'a'.repeat(400)}`])(
    'are not reached at «%s»',
    (own) => expect(() => networkOf('finney', own)).toThrow(expect.objectContaining({ field: 'endpoint' })),
  );
});
