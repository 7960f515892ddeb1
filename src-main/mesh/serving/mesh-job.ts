import type { ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Funding, Served, WorkerCredits } from '../../credits/credits.ts';
import { type Claim, EVIDENCE_PIECE, evidenceHash, signClaim, toldTokens } from '../inference/claim.ts';
import { hashText, type InferenceMessage, inputLength, MAX_MS, type Prompt } from '../inference/messages.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import type { Peer } from '../transport/peer.ts';
import { ChunkSender } from './chunk-sender.ts';
import { PaymentWindow, PledgeLine } from './payment-window.ts';
import { type Answer, Job, type Piece, type Place } from './queue/job.ts';

/** What the mesh's door does for its jobs. */
export interface MeshCounter {
  readonly credits: Pick<WorkerCredits, 'bill' | 'release'>;
  /** Of this node: signs what answers came about by. */
  readonly identity: Identity;
  /** Sets the price aside. @throws NO_CREDIT, BAD_REQUEST */
  fund(job: MeshJob): Promise<Funding>;
  refuse(peer: Peer<InferenceMessage>, requestId: string, error: QuarryError): void;
  /** A request has ended. @param code how it failed; undefined when it was answered */
  ended(job: MeshJob, code: ErrorCode | undefined): void;
  now: () => number;
}

export interface MeshJobOptions extends Pick<Job, 'tier' | 'deadlineMs'> {
  prompt: Prompt;
  /** Of what its client has signed. */
  promptHash: string;
  peer: Peer<InferenceMessage>;
  counter: MeshCounter;
}

/** A request of a client of the mesh: paid for by credits as it streams, answered in signed messages. */
export class MeshJob extends Job {
  readonly prompt: Prompt;
  readonly promptHash: string;
  readonly peer: Peer<InferenceMessage>;
  /** How far the answer may go. */
  readonly window: PaymentWindow;
  /** What its client has signed for and is not kept yet. */
  readonly pledges: PledgeLine;
  readonly #counter: MeshCounter;
  #funding: Funding | undefined;
  #sender: ChunkSender | undefined;

  constructor({ prompt, promptHash, peer, tier, deadlineMs, counter }: MeshJobOptions) {
    const { requestId, input, params, maxTokens, model, ts: askedAt } = prompt;
    const { verified = false, ...sampling } = params;
    const request = { ...sampling, input, maxTokens };
    const { now } = counter;
    const key = jobKey(peer, requestId);
    super({ key, client: peer.id, tier, request, model, deadlineMs, verified, askedAt, now });
    this.prompt = prompt;
    this.promptHash = promptHash;
    this.peer = peer;
    this.window = new PaymentWindow(counter.now);
    this.pledges = new PledgeLine(this.window);
    this.#counter = counter;
  }

  get requestId(): string {
    return this.prompt.requestId;
  }

  async fund(): Promise<Place> {
    this.#funding = await this.#counter.fund(this);
    const { client, prefix, tier, funds } = this.#funding;
    return { client, prefix, tier, isNewcomer: funds === 'gift' };
  }

  waits(position: number, expectedMs: number): void {
    if (!this.#funding) return;
    const { tier, funds } = this.#funding;
    const etaMs = Math.min(MAX_MS, expectedMs);
    const { requestId } = this;
    this.peer.send({ v: PROTOCOL_VERSION, type: 'queue-status', requestId, position, etaMs, tier, funds });
  }

  /** @throws NO_CREDIT when its client does not sign for it */
  room(tokens: number, signal: AbortSignal): Promise<void> {
    return this.window.room(tokens, signal);
  }

  send(piece: Piece): void {
    this.#sender ??= new ChunkSender(this.peer, this.requestId, this.#counter.now);
    this.#sender.push(piece);
  }

  /** With the receipt that the worker has signed. */
  deliver(answer: Answer): void {
    this.#sender?.end();
    const claim = this.#claim(answer);
    const receipt = this.#counter.credits.bill(this.#served(answer));
    // Calls of tools are part of the text: who asked reads them there.
    const { text: _, toolCalls: __, finish, ...figures } = answer.result;
    this.peer.send({
      v: PROTOCOL_VERSION,
      type: 'inference_result',
      requestId: this.requestId,
      finish: finish === 'length' ? 'length' : 'stop',
      ...figures,
      receipt,
      claim,
    });
    this.#counter.ended(this, undefined);
  }

  refuse(error: QuarryError): void {
    this.#sender?.end();
    this.#counter.ended(this, error.code);
    this.#counter.refuse(this.peer, this.requestId, error);
  }

  release(code: ErrorCode, asked: { streamed: number } | undefined): Promise<void> {
    return this.#counter.credits.release({ client: this.prompt.from, requestId: this.requestId }, code, asked);
  }

  /** Sends what the answer came about by. @returns what is signed of it */
  #claim({ text, proof }: Answer): Claim | undefined {
    if (!proof) return undefined;
    const { requestId, promptHash, peer } = this;
    const tokens = toldTokens(proof.evidence);
    for (let start = 0; start < tokens.length; start += EVIDENCE_PIECE) {
      const piece = tokens.slice(start, start + EVIDENCE_PIECE);
      peer.pace.spend(1, this.#counter.now());
      peer.send({ v: PROTOCOL_VERSION, type: 'evidence', requestId, start, tokens: piece });
    }
    const about = { requestId, promptHash, worker: this.prompt.worker, client: this.prompt.from };
    const hashes = { resultHash: hashText(text), model: proof.sha256, evidenceHash: evidenceHash(tokens) };
    return signClaim({ ...about, ...hashes }, this.#counter.identity);
  }

  #served({ result, model, text, firstTokenMs, processingMs, endedAt }: Answer): Served {
    const { input, params, from: client } = this.prompt;
    return {
      requestId: this.requestId,
      client,
      model,
      promptHash: this.promptHash,
      resultHash: hashText(text),
      promptTokens: result.promptTokens,
      completionTokens: result.completionTokens,
      promptChars: inputLength({ input, tools: params.tools }),
      resultChars: text.length,
      firstTokenMs,
      processingMs,
      servedAt: Math.round(endedAt),
    };
  }
}

/** Two clients may choose the same request id. */
export function jobKey(peer: { id: string }, requestId: string): string {
  return `${peer.id}/${requestId}`;
}
