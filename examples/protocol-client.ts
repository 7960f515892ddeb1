/**
 * A client of the mesh that imports nothing of Quarry: docs/protocol.md, Hyperswarm and the cryptography of Node. It finds a
 * worker, asks it one question, checks the worker's bill against what it saw, and signs the receipt that pays for the answer.
 * Numbers in brackets are sections of docs/protocol.md. Its key is thrown away, and the credits of a newcomer with it.
 * Usage: node examples/protocol-client.ts BOOTSTRAP[,BOOTSTRAP …] [name of the mesh] [question]
 */
import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import type { NoiseStream } from '@hyperswarm/secret-stream';
import c from 'compact-encoding';
import crypto from 'hypercore-crypto';
import HyperDHT from 'hyperdht';
import Hyperswarm from 'hyperswarm';
import Protomux from 'protomux';

type Json = Record<string, unknown>;

const NETWORK = 'qmesh-inference-v2';
const MAX_FRAME = 1_048_576;
const MAX_TOKENS = 32;

const [nodes = '127.0.0.1:49737', mesh = '', question = 'What is a mesh?'] = process.argv.slice(2);

// [1] A node is an ed25519 key. Node's own cryptography takes a seed in the wrapping of PKCS #8.
const seed = randomBytes(32);
const keyPair = crypto.keyPair(seed);
const me = keyPair.publicKey.toString('hex');
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
  format: 'der',
  type: 'pkcs8',
});

// [5] Whatever is signed is signed as its kind, a newline, and canonical JSON.
const signedBytes = (kind: string, body: Json) => Buffer.from(`quarry-${kind}/v2\n${canonical(body)}`);
const signature = (kind: string, body: Json) => sign(null, signedBytes(kind, body), privateKey).toString('hex');

function isSignedBy(id: string, kind: string, body: Json, hex: string): boolean {
  const key = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(id, 'hex')]);
  const publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
  return verify(null, signedBytes(kind, body), publicKey, Buffer.from(hex, 'hex'));
}

/** RFC 8785: keys sorted by UTF-16 code units, no spaces, numbers and texts as JSON.stringify writes them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** [3] Frames on one channel of a connection: four bytes of length, then one JSON value. */
function openChannel(
  stream: NoiseStream,
  topic: Buffer,
  onOpen: (challenge: Uint8Array) => void,
  onFrame: (frame: Json) => void,
) {
  let pending = Buffer.alloc(0);
  const onmessage = (bytes: Uint8Array) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE()) {
      const end = 4 + pending.readUInt32BE();
      onFrame(JSON.parse(pending.subarray(4, end).toString('utf8')));
      pending = pending.subarray(end);
    }
    if (pending.length >= 4 && pending.readUInt32BE() > MAX_FRAME) stream.destroy();
  };
  const options = { protocol: NETWORK, id: topic, handshake: c.raw, onopen: onOpen };
  const channel = new Protomux(stream).createChannel(options);
  const message = channel?.addMessage({ encoding: c.raw, onmessage });
  channel?.open(randomBytes(16));
  return (frame: Json) => {
    const body = Buffer.from(JSON.stringify({ v: 2, ...frame }));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    message?.send(Buffer.concat([length, body]));
  };
}

/** One conversation with one worker, from hello to the receipt. */
class Conversation {
  readonly #worker: string;
  readonly #send: (frame: Json) => void;
  readonly #onEnd: () => void;
  #prompt: Json | undefined;
  #promptHash = '';
  #answer = '';
  #tokens = 0;
  #pledged = 0;
  #sentAt = 0;
  #firstAt = 0;

  constructor(stream: NoiseStream, topic: Buffer, onEnd: () => void) {
    this.#worker = stream.remotePublicKey.toString('hex');
    this.#onEnd = onEnd;
    this.#send = openChannel(
      stream,
      topic,
      (challenge) => this.#greet(challenge),
      (frame) => this.#take(frame),
    );
  }

  // [4] What the worker opened the channel with shows it that this client is where it says.
  #greet(challenge: Uint8Array): void {
    const echo = Buffer.from(challenge).toString('hex');
    const about = { sides: ['client'], models: [], caps: [], client: 'example/1' };
    this.#send({ type: 'hello', ts: Date.now(), echo, ...about });
  }

  #take(frame: Json): void {
    if (frame.type === 'ping') this.#send({ type: 'pong', nonce: frame.nonce });
    else if (frame.type === 'status' && frame.ready) this.#ask();
    else if (frame.requestId !== this.#prompt?.requestId) return;
    else if (frame.type === 'queue-status') this.#wait(frame);
    else if (frame.type === 'chunk') this.#hear(String(frame.text), Number(frame.tokens));
    else if (frame.type === 'inference_result')
      this.#pay(frame.receipt as { body: Json; workerSig: string }, frame.completionTokens);
    else if (frame.type === 'inference_error') this.#end(`refused: ${frame.code}, ${frame.message}`, 1);
    else if (frame.type === 'receipt') this.#end(`receipt: ${frame.status}`, frame.status === 'booked' ? 0 : 1);
  }

  #end(news: string, exitCode: number): void {
    console.log(news);
    process.exitCode = exitCode;
    this.#onEnd();
  }

  // [6]
  #ask(): void {
    if (this.#prompt) return;
    const fields: Json = {
      v: 2,
      type: 'prompt',
      id: randomBytes(16).toString('hex'),
      ts: Date.now(),
      from: me,
      requestId: randomBytes(16).toString('hex'),
      worker: this.#worker,
      input: { messages: [{ role: 'user', content: question }] },
      params: { temperature: 0.7 },
      maxTokens: MAX_TOKENS,
      deadlineMs: 60_000,
    };
    this.#prompt = fields;
    this.#promptHash = sha256(signedBytes('prompt', fields));
    this.#sentAt = Date.now();
    console.log(`asking: ${this.#worker.slice(0, 8)}`);
    this.#send({ ...fields, sig: signature('prompt', fields) });
  }

  #wait({ position, etaMs }: Json): void {
    console.log(`accepted: ${position} ahead, about ${etaMs} ms`);
    this.#pledge(1);
  }

  #hear(text: string, tokens: number): void {
    this.#firstAt ||= Date.now();
    this.#answer += text;
    this.#tokens += tokens;
    if (this.#answer !== '') this.#pledge(1 + Math.ceil(Math.min(this.#tokens, this.#mostTokens) / 256));
  }

  /** The tokens that may be in what has come, whatever the worker counts. */
  get #mostTokens(): number {
    return Math.min(MAX_TOKENS, Buffer.byteLength(this.#answer) + 16);
  }

  /** The worker goes no further than one credit ahead of this. */
  #pledge(credits: number): void {
    if (credits <= this.#pledged) return;
    this.#pledged = credits;
    const requestId = this.#prompt?.requestId;
    const pledge = { requestId, worker: this.#worker, client: me, promptHash: this.#promptHash, credits };
    this.#send({ type: 'pledge', requestId, credits, sig: signature('pledge', pledge) });
  }

  // [7]
  #pay({ body, workerSig }: { body: Json; workerSig: string }, counted: unknown): void {
    console.log(`answer: ${this.#answer}`);
    const fault = this.#faultOf(body, workerSig, counted);
    if (fault) {
      this.#end(`not paid: the bill has ${fault}`, 1);
      return;
    }
    console.log(`bill: ${body.completionTokens} tokens, ${body.cost} credits, ${body.points} points`);
    const receipt = { body, workerSig, clientSig: signature('receipt', body) };
    this.#send({ type: 'receipt', status: 'signed', receipt });
  }

  #faultOf(body: Json, workerSig: string, counted: unknown): string | undefined {
    const now = Date.now();
    const streamed = now - (this.#firstAt || now);
    const [tokens, took] = [Number(body.completionTokens), Number(body.processingMs)];
    const speed = [500, 1_000, 2_000, 3_000, 5_000].filter((limit) => took < limit).length;
    const complexity = Math.min(3, Math.floor(question.length / 50));
    const checks: Record<string, boolean> = {
      'other nodes': body.worker === this.#worker && body.client === me,
      'another request': body.requestId === this.#prompt?.requestId && body.promptHash === this.#promptHash,
      'another answer': body.resultHash === sha256(this.#answer) && body.resultChars === this.#answer.length,
      'another length of the question': body.promptChars === question.length,
      'other tokens': body.completionTokens === counted && tokens <= this.#mostTokens,
      'a wrong price': body.cost === 1 + Math.ceil(tokens / 256),
      'wrong points': body.points === speed + complexity + (this.#answer.length > 100 ? 2 : 1),
      'too little time': took >= streamed * 0.75 - 1_000,
      'too much time': took <= now - this.#sentAt + 1_000,
      'another moment': Math.abs(Number(body.servedAt) - now) <= 600_000,
      'a false signature': isSignedBy(this.#worker, 'receipt', body, workerSig),
    };
    return Object.keys(checks).find((name) => !checks[name]);
  }
}

// [2] On the loopback interface a node has to know its own address, and that nothing stands between it and the others.
const bootstrap = nodes
  .split(',')
  .map((node) => ({ host: node.split(':')[0] ?? '', port: Number(node.split(':')[1]) }));
const isLocal = bootstrap.every(({ host }) => host.startsWith('127.'));
const dht = new HyperDHT({ bootstrap, ...(isLocal && { host: '127.0.0.1', firewalled: false }) });
const swarm = new Hyperswarm({ keyPair, dht });
const topic = createHash('sha256')
  .update(mesh ? `${NETWORK}/${mesh}` : NETWORK)
  .digest();

let met = false;
swarm.on('connection', (stream) => {
  stream.on('error', () => {}); // the other side may leave at any time
  const isFirst = !met;
  met = true;
  if (isFirst) new Conversation(stream, topic, () => void swarm.destroy());
  else stream.destroy();
});
await dht.ready();
const search = swarm.join(topic, { server: false, client: true });
while (!met) {
  await search.refresh();
  await new Promise((resolve) => setTimeout(resolve, 500));
}
