import { randomBytes } from 'node:crypto';
import c from 'compact-encoding';
import type { Logger } from 'pino';
import type { Channel, Message } from 'protomux';
import type { z } from 'zod';
import type { Side } from '../../../src-preload/contract/mesh.ts';
import type { Connection } from './connection.ts';
import { PROTOCOL_VERSION } from './envelope.ts';
import type { Offence } from './guards/ban-list.ts';
import { Link } from './link.ts';
import { type Hello, helloSchema, type ServedModel } from './messages.ts';
import { Peer } from './peer.ts';
import type { MeshSwarm } from './swarm.ts';

/** A difference of clocks, in milliseconds, that a person should know of: signatures are refused at 120 s. */
const SKEW_WARNING_MS = 60_000;
const SKEWED = 'clocks differ';
/** Random bytes with which a channel is opened. */
const CHALLENGE_BYTES = 16;

/** What a frame costs to read beside its bytes, as bytes: one as small as a ping is looked at and answered too. */
const FRAME_COST = 64;

/** What this node says of itself in a hello. */
export interface SelfDescription {
  sides: Side[];
  models?: ServedModel[];
  caps?: string[];
}

/** What a session needs of its network. */
export interface SessionContext<M extends { type: string }> {
  swarm: MeshSwarm;
  name: string;
  topic: Buffer;
  schema: z.ZodType<M>;
  maxFrame: number;
  signed?: boolean;
  describe: () => SelfDescription;
  onPeer: (peer: Peer<M>) => void;
  onLeave: (peer: Peer<M>, reason: string) => void;
  log: Logger;
}

/**
 * One network's channel on one connection: first both sides say hello, then the other side is a {@link Peer}.
 *
 * A hello proves where it comes from. HyperDHT connects to whatever address the other side names: a server to the one in the
 * caller's message, a caller to the one in the server's answer, and that other can then speak from anywhere and need not hear a
 * word, as handshake and acknowledgements go other ways or can be guessed. So each side opens its channel with random bytes, which
 * go to the address alone and are encrypted on the way, and believes only a hello that holds them. It costs no time: a hello
 * is said when the other's opening is there.
 */
export class Session<M extends { type: string }> {
  readonly #context: SessionContext<M>;
  readonly #connection: Connection;
  readonly #link: Link;
  readonly #challenge = randomBytes(CHALLENGE_BYTES);
  #channel: Channel | undefined;
  #bytes: Message<Uint8Array> | undefined;
  #peer: Peer<M> | undefined;
  #ended = false;

  constructor(context: SessionContext<M>, connection: Connection) {
    this.#context = context;
    this.#connection = connection;
    this.#link = new Link({
      maxFrame: context.maxFrame,
      limits: context.swarm.limits,
      budget: connection.budget.on(context.name),
      now: context.swarm.now,
      write: (frame) => this.#bytes?.send(frame) ?? false,
      onFrame: (frame, length) => this.#handle(frame, length),
      onDrain: () => this.#peer?.emit('drain'),
      onOffence: (offence, detail) => this.#offend(offence, detail),
      onSlow: () => this.#dropSlowReader(),
    });
  }

  /** Opens the channel. Nothing happens if this connection already has it. */
  open(): void {
    const { name, topic } = this.#context;
    const channel = this.#connection.mux.createChannel({
      protocol: name,
      id: topic,
      handshake: c.raw,
      onopen: (challenge) => this.#greet(challenge),
      onclose: () => this.#end(this.#connection.reason ?? 'closed by the peer'),
      ondrain: () => this.#link.drain(),
    });
    if (!channel) return;
    this.#channel = channel;
    this.#bytes = channel.addMessage({ encoding: c.raw, onmessage: (bytes) => this.#receive(bytes) });
    this.#connection.joined.add(name);
    channel.open(this.#challenge);
  }

  #receive(bytes: Uint8Array): void {
    this.#connection.heardAt = this.#context.swarm.now();
    if (this.#context.signed) this.#connection.line.spend(bytes.length);
    this.#link.receive(bytes);
  }

  #greet(challenge: Uint8Array): void {
    if (challenge.length === CHALLENGE_BYTES) this.#link.send(this.#hello(Buffer.from(challenge).toString('hex')));
    else this.#offend('protocol error', 'opening');
  }

  #hello(echo: string): Hello {
    const { swarm, describe } = this.#context;
    const { sides, models = [], caps = [] } = describe();
    const proof = swarm.keys.proof(this.#connection.stream.handshakeHash, swarm.identity.id);
    const { client } = swarm;
    return { v: PROTOCOL_VERSION, type: 'hello', ts: swarm.now(), sides, models, caps, client, echo, proof };
  }

  /** A fault of ours while handling a frame costs this connection, never the process. */
  #handle(frame: unknown, length: number): void {
    this.#connection.line.spend(FRAME_COST);
    try {
      if (this.#peer) this.#peer.receive(frame, length);
      else this.#welcome(frame);
    } catch (error) {
      const { log, name } = this.#context;
      log.error({ err: error, peer: this.#connection.id, network: name }, 'a message could not be handled');
      this.#connection.close('internal error');
    }
  }

  #welcome(frame: unknown): void {
    const hello = this.#readHello(frame);
    const { name, schema, swarm, onPeer } = this.#context;
    if (!hello || !swarm.admit(this.#connection)) return;
    const clockOffsetMs = hello.ts - swarm.now();
    const peer = new Peer({
      connection: this.#connection,
      hello,
      clockOffsetMs,
      link: this.#link,
      schema,
      now: swarm.now,
      onOffence: (offence, detail) => this.#offend(offence, detail),
      onFault: (offence, detail) => swarm.blame(this.#connection, offence, { network: name, detail }),
      onUseful: () => swarm.useful(this.#connection.id),
      onClose: (reason) => this.#leave(reason),
    });
    this.#peer = peer;
    this.#connection.greeted.add(name);
    this.#warnOfSkew(clockOffsetMs);
    peer.probe();
    onPeer(peer);
  }

  #readHello(frame: unknown): Hello | undefined {
    const { keys, refusals } = this.#context.swarm;
    const { id, stream } = this.#connection;
    const version = (frame as { v?: unknown } | null)?.v;
    if (typeof version === 'number' && version !== PROTOCOL_VERSION) {
      refusals.note('other protocol version', { peer: id, version, ours: PROTOCOL_VERSION });
      this.#connection.close(`speaks protocol version ${version}, this node ${PROTOCOL_VERSION}`);
      return undefined;
    }
    const hello = helloSchema.safeParse(frame);
    const isHere = hello.data?.echo === this.#challenge.toString('hex');
    if (isHere && keys.admits(hello.data?.proof, stream.handshakeHash, id)) return hello.data;
    this.#offend(isHere ? 'wrong proof' : 'protocol error', 'hello');
    return undefined;
  }

  #warnOfSkew(skewMs: number): void {
    if (Math.abs(skewMs) < SKEW_WARNING_MS) return;
    const { log, swarm } = this.#context;
    const suppressed = swarm.clockLog.due(SKEWED);
    if (suppressed === undefined) return;
    log.warn(
      { peer: this.#connection.id, skewMs, suppressed },
      'clocks differ: signed messages may be refused as stale',
    );
  }

  #offend(offence: Offence, detail: string): void {
    const { swarm, name } = this.#context;
    swarm.offence(this.#connection, offence, { network: name, detail });
    this.#end(offence);
  }

  #dropSlowReader(): void {
    const { swarm, name } = this.#context;
    swarm.refusals.note('slow reader', { peer: this.#connection.id, network: name });
    this.#connection.close('slow reader');
    this.#end('slow reader');
  }

  #leave(reason: string): void {
    this.#end(reason);
    this.#channel?.close();
    this.#connection.closeIfIdle();
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    const { name, onLeave } = this.#context;
    this.#link.close();
    this.#connection.joined.delete(name);
    this.#connection.greeted.delete(name);
    if (!this.#peer) return;
    this.#peer.end(reason);
    onLeave(this.#peer, reason);
  }
}
