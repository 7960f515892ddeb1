import type { AnyRouter } from '@orpc/server';
import type { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { TlsPaths } from '../http/tls-files.ts';
import type {
  EmbedResult,
  GenerateEvent,
  GenerateOptions,
  GenerateRequest,
  ScoreRequest,
  ScoreResult,
} from '../inference/backend.ts';

/** What a generator tells while it answers: what every backend tells, and what only the mesh has to tell. */
export type AnswerEvent =
  | GenerateEvent
  /** The request waits in a worker's queue. */
  | { type: 'queued'; position: number; etaMs: number; worker: string }
  /** A worker was chosen. */
  | { type: 'worker'; worker: string }
  /** The worker failed; what it has said is void and another one begins anew. */
  | { type: 'restart'; worker: string; reason: string };

/** Whatever answers the requests of a model name: a backend of this machine, or the mesh. */
export interface Generator {
  generate(request: GenerateRequest, options?: GenerateOptions): AsyncIterable<AnswerEvent>;
  /** Absent where it cannot be done. */
  score?(request: ScoreRequest, options?: GenerateOptions): Promise<ScoreResult>;
  /** Absent where it cannot be done. */
  embed?(inputs: string[], options?: GenerateOptions): Promise<EmbedResult>;
}

export interface ServedModel {
  /** Name that requests use. */
  name: string;
  kind: 'mesh' | 'local' | 'remote';
  /** Tokens of one request, prompt and answer together; absent where it is not known. */
  contextSize?: number;
}

/** How long the mesh's requests of one tier waited since the start. */
export interface TierWaitReading {
  tier: string;
  meanMs: number;
  maxMs: number;
  /** Absent where the tier has no target. */
  targetMs?: number;
  /** Share of the requests that waited no longer than the target, 0–1; absent without a target. */
  withinTarget?: number;
}

/** State of the node at this moment, for `/metrics`. */
export interface NodeReading {
  queue: { waiting: number; active: number };
  /** Tiers of which a request was served. */
  waits: TierWaitReading[];
  /** 0–100; absent where nothing is measured. */
  healthScore?: number;
  peers: number;
  engine: { state: string; restarts: number };
  /** Totals since the start, of what was served to the mesh. */
  served: { requests: number; tokens: number; refused: number };
}

export interface ServerOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 7070; 0 takes a free one. */
  port?: number;
  /**
   * Programs have to bring it with every request but `/healthz`, as `Authorization: Bearer`; people log in with it. Needed for a
   * host that is not loopback, and for a `publicUrl`.
   */
  token?: string;
  /** Works for programs as `token` does: made at each start, for commands of the same user. Without `token`, nobody needs it. */
  localToken?: string;
  /** Serve HTTPS with this certificate and key. Default: HTTP. */
  tls?: TlsPaths;
  /** Where a proxy on this machine serves the node, as in `https://quarry.example.org`; the root of a host. */
  publicUrl?: string;
  /** Folder of the built screens. Without it, `/` says how to build them. */
  pages?: string;
  /** Implementation of the contract: served under `/rpc`, and over a WebSocket at `/rpc/ws`. Default: none. */
  contract?: AnyRouter;
  log: Logger;
  /** What `/v1/models` lists. */
  models: () => ServedModel[];
  /**
   * The generator of a model name (`mesh`, `local` or a model's own); undefined when there is none. May throw a QuarryError
   * that says why a known name cannot be served now.
   */
  route: (model: string) => Generator | undefined;
  /** What `/healthz` says; status 200 when `ok`, else 503. Only the state is shown to those without the token. */
  health: () => { ok: boolean; [detail: string]: unknown };
  collect: () => NodeReading;
  /** Where metrics are kept. Default: a registry of its own. */
  registry?: Registry;
  /** Adds more routes; they are behind the same access rules. */
  extend?: (app: FastifyInstance) => void | Promise<void>;
  limits?: Partial<ServerLimits>;
}

export interface ServerLimits {
  /** Most bytes of a request's body. Default 4 MiB. */
  bodyBytes: number;
  /** Most connections at a time. Default 512. */
  connections: number;
  /** Milliseconds for a request to arrive whole. Default 30,000. */
  requestTimeoutMs: number;
  /** Milliseconds after which a silent stream gets a comment, so that nobody thinks it dead. Default 15,000. */
  keepAliveMs: number;
  /** Milliseconds that a client may take to read what was sent to it. Default 60,000. */
  stallMs: number;
  /** Most WebSockets at a time. Default 64. */
  sockets: number;
  /** Most bytes of a message that a WebSocket brings. Default 1 MiB. */
  socketMessageBytes: number;
  /** Most calls and streams of a WebSocket at a time. Default 256. */
  socketCalls: number;
  /** Most bytes that wait for the reader of a WebSocket; more, and it is cut off. Default 16 MiB. */
  socketBufferBytes: number;
  /** Milliseconds between two pings; a WebSocket that lets one pass without a sign of life is cut off. Default 30,000. */
  pingMs: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  bodyBytes: 4 << 20,
  connections: 512,
  requestTimeoutMs: 30_000,
  keepAliveMs: 15_000,
  stallMs: 60_000,
  sockets: 64,
  socketMessageBytes: 1 << 20,
  socketCalls: 256,
  socketBufferBytes: 16 << 20,
  pingMs: 30_000,
};
