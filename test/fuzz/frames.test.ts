import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import type { HostileCaller } from '../../src-main/bench/hostile/hostile-caller.ts';
import { damaged } from '../../src-main/bench/hostile/mutations.ts';
import { oneOf, type Pick } from '../../src-main/bench/hostile/schema-values.ts';
import type { Tongue } from '../../src-main/bench/hostile/speech.ts';
import { NETWORKS } from '../../src-main/mesh/networks.ts';
import { helloSchema, pingSchema, pongSchema } from '../../src-main/mesh/transport/messages.ts';
import { FrameDecoder } from '../../src-main/mesh/transport/wire.ts';
import { fuzz } from '../support/fuzz/fuzz.ts';
import { anyAddress, Victim } from '../support/fuzz/victim.ts';

vi.mock('hyperswarm', async () => ({ default: (await import('../support/memory-swarm.ts')).MemorySwarm }));
vi.mock('hyperdht', async () => ({ default: (await import('../support/memory-swarm.ts')).MemoryDht }));

let victim: Victim;
let asking: Promise<void>;
let closing = false;

beforeAll(async () => {
  victim = await Victim.open({
    handshakesPerSecond: 1e9,
    handshakeBurst: 1e9,
    unprovenPerSecond: 1e9,
    unprovenBurst: 1e9,
  });
  asking = askOn();
});
afterAll(async () => {
  closing = true;
  await victim.close();
  await asking;
});

/** The node itself asks again and again: what its peers say as workers meets a request that waits. */
async function askOn(): Promise<void> {
  while (!closing) {
    try {
      for await (const _ of victim.client.generate({ input: { prompt: 'x' }, maxTokens: 600 }, { deadlineMs: 500 }));
    } catch {
      await turn(); // nobody there is honest
    }
  }
}

/** Types of which what nobody awaits is passed over, whatever is in it: see mesh/asking/worker-directory.ts. */
const PASSED_OVER = [
  ...['status', 'terms', 'queue-status', 'chunk', 'inference_result', 'inference_error'],
  ...['clip-piece', 'clip-end'],
];

/** What must come of bytes: `broken` ends the connection, and of what is not whole nobody knows yet. */
function judge({ schema, maxFrame }: Tongue, bytes: Uint8Array): 'taken' | 'broken' | 'open' {
  const decoder = new FrameDecoder(maxFrame);
  try {
    for (const { value } of decoder.push(bytes)) if (!isMessage(schema, value)) return 'broken';
  } catch {
    return 'broken'; // which is the verdict
  }
  return decoder.buffered > 0 ? 'open' : 'taken';
}

function isMessage(schema: Tongue['schema'], value: unknown): boolean {
  const type = (value as { type?: unknown } | null)?.type;
  if (type === 'ping') return pingSchema.safeParse(value).success;
  if (type === 'pong') return pongSchema.safeParse(value).success;
  return PASSED_OVER.includes(String(type)) || (schema as z.ZodType).safeParse(value).success;
}

const maxFrameOf = (name: string) => Object.values(NETWORKS).find((network) => network.name === name)?.maxFrame ?? 0;

/** Whether there is more than one frame in it. */
const isSeveral = (bytes: Buffer) => bytes.length > 4 && bytes.length > 4 + bytes.readUInt32BE(0);

let callers = 0;
const inside = new Map<string, HostileCaller>();

/** Somebody who has said hello on the network, now or in an earlier input. */
async function callerOn(network: string, pick: Pick): Promise<HostileCaller | undefined> {
  const known = inside.get(network);
  if (known && !known.closed) return known;
  const from = anyAddress(++callers);
  // Nobody else is heard there.
  const caller = network === NETWORKS.calls.name ? victim.pairedCaller(from) : victim.caller(from);
  if (!caller) return undefined;
  if (pick(8) === 7) caller.lyingHello(network, pick);
  else caller.hello(network);
  await settled();
  inside.set(network, caller);
  return caller;
}

async function settled(): Promise<void> {
  for (let count = 0; count < 4; count++) await turn();
}

/** Whether somebody who has just come is still there when what it said was read. */
async function endsSoon(caller: HostileCaller): Promise<boolean> {
  for (let count = 0; count < 100 && !caller.closed; count++) await turn();
  return caller.closed;
}

describe('somebody new', () => {
  const frame = async (pick: Pick) => {
    const caller = victim.caller(anyAddress(++callers));
    const network = oneOf(Object.values(NETWORKS), pick).name;
    await settled(); // the channels are open
    return { caller, network, bytes: caller?.nextHello(network, pick) ?? Buffer.alloc(0) };
  };

  fuzz(
    'is greeted, or ended for what it says first',
    { inputs: 60, msEach: 400 },
    frame,
    async ({ caller, network, bytes }) => {
      if (!caller) return;
      caller.send(network, bytes);
      await settled();
      const verdict = judge({ name: network, schema: helloSchema, maxFrame: maxFrameOf(network) }, bytes);
      // Of several frames only the first is a hello: what comes of the others is their network's matter.
      if (verdict === 'broken' && !isSeveral(bytes))
        expect(await endsSoon(caller), bytes.toString('latin1', 0, 500)).toBe(true);
      caller.close();
      expect(victim.faults).toEqual([]);
    },
  );

  /** What Protomux writes for a peer that says hello and something on every network, and then something else. */
  const muxed = async (pick: Pick) => {
    const caller = victim.caller(anyAddress(++callers));
    if (!caller) return undefined;
    const written: Uint8Array[] = [];
    const { stream } = caller;
    const write = stream.write.bind(stream) as (bytes: Uint8Array) => boolean;
    stream.write = ((bytes: Uint8Array) => {
      written.push(Buffer.from(bytes));
      return write(bytes);
    }) as typeof stream.write;
    await settled();
    for (const { name } of Object.values(NETWORKS)) caller.hello(name);
    await settled();
    return { caller, write, bytes: damaged(oneOf(written, pick) ?? Buffer.alloc(0), pick) };
  };

  fuzz('may send what is no channel and no message of any', { inputs: 60, msEach: 400 }, muxed, async (input) => {
    if (!input || input.caller.closed) return;
    input.write(input.bytes);
    await settled();
    input.caller.close();
    expect(victim.faults).toEqual([]);
  });
});

describe.each(Object.values(NETWORKS))('frames of $name', (network) => {
  const verdicts = { taken: 0, broken: 0, open: 0 };

  async function next(pick: Pick) {
    const caller = await callerOn(network.name, pick);
    if (!caller || caller.closed) return undefined; // its hello was refused
    return { bytes: caller.next(network.name, pick), caller };
  }

  fuzz('are taken, or end the connection as an offence', { inputs: 150, msEach: 400 }, next, async (input) => {
    if (!input) return;
    const { caller, bytes } = input;
    const verdict = judge(network, bytes);
    const refused = victim.refused;
    verdicts[verdict]++;
    caller.send(network.name, bytes);
    await settled();
    if (verdict === 'broken') {
      await endsSoon(caller);
      const met = { closed: caller.closed, counted: victim.refused > refused };
      expect(met, bytes.toString('latin1', 0, 1_000)).toEqual({ closed: true, counted: true });
    }
    if (verdict === 'open') caller.close();
    expect(victim.faults).toEqual([]);
  });

  it('are of all kinds', () => {
    expect(verdicts).toEqual({ taken: expect.any(Number), broken: expect.any(Number), open: expect.any(Number) });
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(0);
  });
});
