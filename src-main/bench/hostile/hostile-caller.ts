import type { NoiseStream } from '@hyperswarm/secret-stream';
import c from 'compact-encoding';
import Protomux, { type Message } from 'protomux';
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

/** Longest hello that is made. */
const MAX_HELLO = 65_536;

/** Says whatever a generator makes, on every network of one connection. It listens only to learn what it can lie about. */
export class HostileCaller {
  readonly stream: NoiseStream;
  readonly identity: Identity;
  readonly #speaker: Speaker;
  readonly #channels = new Map<string, { channel: Channel; bytes: Message<Uint8Array> | undefined }>();

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

  /** Says what an honest node would say first. */
  hello(network: string, sides: Hello['sides'] = ['client', 'worker']): void {
    const nonce = this.identity.id.slice(0, 32);
    const rest = { models: [{ name: 'tiny', contextSize: 4_096 }], caps: [], client: 'quarry/0', nonce };
    const hello: Hello = { v: PROTOCOL_VERSION, type: 'hello', ts: Date.now(), sides, ...rest };
    this.send(network, frameOf(Buffer.from(JSON.stringify(hello))));
  }

  /** A hello that the schema takes and that is true in nothing. */
  lyingHello(network: string, pick: Pick): void {
    this.send(network, frameOf(Buffer.from(JSON.stringify(lie(helloSchema, this.#speaker, pick)))));
  }

  /** A first frame that is anything: a message of the network, a hello that was twisted, or none of all. */
  nextHello(pick: Pick): Buffer {
    return utterance({ name: 'hello', schema: helloSchema, maxFrame: MAX_HELLO }, this.#speaker, pick);
  }

  /** Something bad, as bytes for {@link send}. */
  next(network: string, pick: Pick): Buffer {
    const known = this.#channels.get(network);
    if (!known) throw new Error(`There is no network ${network}.`);
    return utterance(known.channel, this.#speaker, pick);
  }

  send(network: string, bytes: Uint8Array): void {
    if (!this.closed) this.#channels.get(network)?.bytes?.send(bytes);
  }

  close(): void {
    this.stream.destroy();
  }

  #open(mux: Protomux, channel: Channel): void {
    const decoder = new FrameDecoder(channel.maxFrame);
    const opened = mux.createChannel({ protocol: channel.name, id: channel.topic });
    const bytes = opened?.addMessage({ encoding: c.raw, onmessage: (piece) => this.#listen(decoder, piece) });
    this.#channels.set(channel.name, { channel, bytes });
    opened?.open();
  }

  #listen(decoder: FrameDecoder, piece: Uint8Array): void {
    for (const { value } of decoder.push(piece)) {
      const { requestId } = (value ?? {}) as { requestId?: unknown };
      if (typeof requestId !== 'string') continue;
      remember(this.#speaker, requestId);
    }
  }
}
