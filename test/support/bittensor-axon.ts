import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Axon, type AxonOptions, openAxon } from '../../src-main/bittensor/axon/axon.ts';
import type { NonceMarkStore } from '../../src-main/bittensor/axon/nonces.ts';
import { type Chunk, type SynapseHandler, serve } from '../../src-main/bittensor/axon/served-synapse.ts';
import { type AxonPlace, Dendrite } from '../../src-main/bittensor/dendrite/dendrite.ts';
import type { Signer } from '../../src-main/bittensor/signer.ts';
import { type RequestHead, requestHeaders, signedText } from '../../src-main/bittensor/synapse/headers.ts';
import { defineSynapse, type SynapseType } from '../../src-main/bittensor/synapse/synapse.ts';
import { testSigner } from './bittensor-signer.ts';

export const ECHO = defineSynapse({
  name: 'Echo',
  fields: { prompt: z.string(), said: z.string().default('') },
  hashed: ['prompt'],
});
export const WORDS = defineSynapse({
  name: 'Words',
  fields: { prompt: z.string() },
  hashed: ['prompt'],
  streams: true,
});

/** Marks that end with the test. */
export class MemoryMarks implements NonceMarkStore {
  readonly marks = new Map<string, number>();
  writes = 0;

  async load(hotkey: string): Promise<number> {
    return this.marks.get(hotkey) ?? 0;
  }

  async raise(hotkey: string, until: number): Promise<void> {
    this.writes++;
    this.marks.set(hotkey, Math.max(until, this.marks.get(hotkey) ?? 0));
  }
}

export const echo: SynapseHandler<{ prompt: string; said: string }> = ({ prompt }) => ({ said: prompt.toUpperCase() });

export async function* words({ prompt }: { prompt: string }): AsyncGenerator<Chunk> {
  for (const word of prompt.split(' ')) yield `${word} `;
}

/** An axon of `//Axon` that says {@link ECHO} louder and {@link WORDS} word by word; it closes with the test. */
export async function testAxon(options: Partial<AxonOptions> = {}): Promise<{ axon: Axon; place: AxonPlace }> {
  const { address: hotkey } = await testSigner('//Axon');
  const axon = await openAxon({
    hotkey,
    host: '127.0.0.1',
    port: 0,
    portSetting: { name: 'axon.port', flag: '--axon-port' },
    synapses: [serve(ECHO, echo), serve(WORDS, words)],
    nonces: new MemoryMarks(),
    log: pino({ level: 'silent' }),
    ...options,
  });
  onTestFinished(() => axon.close());
  return { axon, place: { ip: '127.0.0.1', port: Number(new URL(axon.url).port), hotkey } };
}

/** A dendrite of a key of development; it closes with the test. */
export async function testDendrite(uri = '//Dendrite', now?: () => number): Promise<Dendrite> {
  const dendrite = new Dendrite({ signer: await testSigner(uri), allowInside: true, now });
  onTestFinished(() => dendrite.close());
  return dendrite;
}

export interface Request {
  place: AxonPlace;
  signer: Signer;
  type?: SynapseType;
  fields?: object;
  /** What is signed. */
  head?: Partial<RequestHead>;
  /** Over what was signed. */
  headers?: Record<string, string | undefined>;
  body?: string;
}

/** A request made by hand, so that something may be wrong with it. */
export async function signedRequest(request: Request): Promise<RequestInit> {
  const { place, signer, type = ECHO as SynapseType, fields = { prompt: 'hello', said: '' }, body } = request;
  const signed = {
    ...{ timeout: 12, hotkey: signer.address, uuid: 'one', nonce: BigInt(Date.now()) * 1_000_000n },
    ...{ bodyHash: type.hash(fields), ...request.head },
  };
  const signature = await signer.sign(Buffer.from(signedText(signed, place.hotkey)));
  const head = { signature, ...signed };
  const all = { ...requestHeaders(type, head, { axon: place, ip: '0.0.0.0', bodyBytes: 0 }), ...request.headers };
  const headers = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]));
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body ?? JSON.stringify(fields),
  };
}

/** Sends {@link signedRequest}. @returns status and message */
export async function send(request: Request): Promise<{ status: number; message: string }> {
  const { place, type = ECHO } = request;
  const answer = await fetch(`http://${place.ip}:${place.port}/${type.name}`, await signedRequest(request));
  const { message, detail, axon } = (await answer.json()) as Record<string, unknown> & {
    axon?: { status_message: string };
  };
  return { status: answer.status, message: String(message ?? axon?.status_message ?? JSON.stringify(detail)) };
}
