import { randomBytes } from 'node:crypto';
import type { NoiseStream } from '@hyperswarm/secret-stream';
import c from 'compact-encoding';
import Protomux, { type Message } from 'protomux';
import { z } from 'zod';
import { ignoring } from '../../base/swallowed.ts';
import { PROTOCOL_VERSION } from '../../mesh/transport/envelope.ts';
import type { Identity } from '../../mesh/transport/identity.ts';
import { type Hello, helloSchema } from '../../mesh/transport/messages.ts';
import { FrameDecoder } from '../../mesh/transport/wire.ts';
import type { Pick } from './schema-values.ts';
import { frameOf, lie, remember, type Speaker, type Tongue, utterance } from './speech.ts';

/** A network that a caller speaks on. */
export interface Channel extends Tongue {
  readonly topic: Buffer;
}

/** One of its channels: what it says waits until the other side has opened it too. */
interface OpenChannel {
  channel: Channel;
  bytes: Message<Uint8Array> | undefined;
  /** What the other side opened it with, for the hello. */
  echo: string | undefined;
  waiting: (() => Uint8Array)[];
}

/** Longest hello that is made. */
const MAX_HELLO = 65_536;

/** Says whatever a generator makes, on every network of one connection. It listens only to learn what it can lie about. */
export class HostileCaller {
  readonly stream: NoiseStream;
  readonly identity: Identity;
  readonly #speaker: Speaker;
  readonly #channels = new Map<string, OpenChannel>();

  constructor(options: {
    stream: NoiseStream;
    identity: Identity;
    victim: string;
    others?: readonly string[];
    channels: readonly Channel[];
  }) {
    const { stream, identity, victim, others = [] } = options;
    this.stream = stream;
    this.identity = identity;
    this.#speaker = { identity, victim, others, requests: [] };
    stream.on('error', ignoring('the other side ends what it does not like'));
    const mux = new Protomux(stream);
    for (const channel of options.channels) this.#open(mux, channel);
  }

  get closed(): boolean {
    return this.stream.destroyed || this.stream.destroying;
  }

  /** Says what an honest node would say first. @param ts unix milliseconds */
  hello(network: string, sides: Hello['sides'] = ['client', 'worker'], ts = Date.now()): void {
    const rest = { models: [{ name: 'tiny', contextSize: 4_096 }], caps: [], client: 'quarry/0' };
    this.#say(network, () => {
      const hello: Hello = {
        v: PROTOCOL_VERSION,
        type: 'hello',
        ts,
        sides,
        ...rest,
        echo: this.#echo(network),
      };
      return frameOf(Buffer.from(JSON.stringify(hello)));
    });
  }

  /** A hello that the schema takes and that is true in nothing but the echo, without which nobody reads on. */
  lyingHello(network: string, pick: Pick): void {
    this.#say(network, () => {
      const hello = lie(this.#helloSchema(network), this.#speaker, pick);
      return frameOf(Buffer.from(JSON.stringify(hello)));
    });
  }

  /** A first frame that is anything: a message of the network, a hello that was twisted, or none of all. */
  nextHello(network: string, pick: Pick): Buffer {
    return utterance({ name: 'hello', schema: this.#helloSchema(network), maxFrame: MAX_HELLO }, this.#speaker, pick);
  }

  /** Something bad, as bytes for {@link send}. */
  next(network: string, pick: Pick): Buffer {
    const known = this.#channels.get(network);
    if (!known) throw new Error(`There is no network ${network}.`);
    return utterance(known.channel, this.#speaker, pick);
  }

  send(network: string, bytes: Uint8Array): void {
    this.#say(network, () => bytes);
  }

  close(): void {
    this.stream.destroy();
  }

  #say(network: string, bytes: () => Uint8Array): void {
    const known = this.#channels.get(network);
    if (!known || this.closed) return;
    if (known.echo === undefined) known.waiting.push(bytes);
    else known.bytes?.send(bytes());
  }

  #echo(network: string): string {
    return this.#channels.get(network)?.echo ?? '0'.repeat(32);
  }

  #helloSchema(network: string) {
    return helloSchema.extend({ echo: z.literal(this.#echo(network)) });
  }

  #open(mux: Protomux, channel: Channel): void {
    const decoder = new FrameDecoder(channel.maxFrame);
    const known: OpenChannel = { channel, bytes: undefined, echo: undefined, waiting: [] };
    const onopen = (challenge: Uint8Array) => {
      known.echo = Buffer.from(challenge).toString('hex');
      for (const bytes of known.waiting.splice(0)) known.bytes?.send(bytes());
    };
    const opened = mux.createChannel({ protocol: channel.name, id: channel.topic, handshake: c.raw, onopen });
    known.bytes = opened?.addMessage({ encoding: c.raw, onmessage: (piece) => this.#listen(decoder, piece) });
    this.#channels.set(channel.name, known);
    opened?.open(randomBytes(16));
  }

  #listen(decoder: FrameDecoder, piece: Uint8Array): void {
    for (const { value } of decoder.push(piece)) {
      const { requestId } = (value ?? {}) as { requestId?: unknown };
      if (typeof requestId !== 'string') continue;
      remember(this.#speaker, requestId);
    }
  }
}
