import type { AnyRouter } from '@orpc/server';
import type { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../http/http-listener.ts';
import type { TlsPaths } from '../http/tls-files.ts';
import type { SessionsOptions } from './access/sessions.ts';
import type { Figure } from './figures.ts';
import type { LearningDoor } from './learning/learning-door.ts';
import { DEFAULT_STREAM_LIMITS, type EventStreamLimits } from './openai/event-stream.ts';
import type { OpenAiRoutes } from './openai/routes.ts';
import type { ProbeDoor } from './probing/probe-door.ts';
import { DEFAULT_RPC_LIMITS, type RpcLimits } from './rpc/rpc-sockets.ts';
import type { TranscriptionDoor } from './transcription/transcription-door.ts';

export interface ServerOptions extends Pick<OpenAiRoutes, 'models' | 'route'> {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 7070; 0 takes a free one. */
  port?: number;
  /**
   * Programs have to bring it with every request but `/healthz`, as `Authorization: Bearer`; people log in with it. Needed for a
   * host that is not loopback, and for a `publicUrl`.
   */
  token?: string;
  /** Works for programs as `token` does, whether or not that is set: for commands of the same user. At least 256 random bits. */
  localToken: string;
  /** Opens `/metrics` for programs, and nothing else; `token` does so, too. Another one than `token`. */
  metricsToken?: string;
  /** Whether `/v1` and `/metrics` want no token on loopback as long as `token` is not set. Default true. */
  localApiOpen?: boolean;
  /** Where logins outlive the server. Default: nowhere. */
  sessionStore?: SessionsOptions['store'];
  /** Serve HTTPS with this certificate and key. Default: HTTP. */
  tls?: TlsPaths;
  /** Where a proxy on this machine serves the node, as in `https://quarry.example.org`; the root of a host. */
  publicUrl?: string;
  /** Folder of the built screens. Without it, `/` says how to build them. */
  pages?: string;
  /** Implementation of the contract: served under `/rpc`, and over a WebSocket at `/rpc/ws`. Default: none. */
  contract?: AnyRouter;
  log: Logger;
  /** What `/healthz` says; status 200 when `ok`, else 503. Only the state is shown to those without the token. */
  health: () => { ok: boolean; [detail: string]: unknown };
  /** What `/metrics` tells of the node, besides its requests and its process. Default: nothing. */
  figures?: readonly Figure[];
  /** Where metrics are kept. Default: a registry of its own. */
  registry?: Registry;
  /** Takes chunks of recordings, at `/focus/chunks`. Default: nobody does. */
  takeChunk?: (request: Request) => Promise<Response>;
  /** Gives videos of recordings to those who have a ticket, at `/focus/video/<ticket>`. Default: nobody does. */
  giveVideo?: (request: Request) => Promise<Response>;
  /** Who learns from feedback, at `/v1/feedback`, `/v1/lora` and so on. Default: nobody does. */
  learning?: LearningDoor;
  /** Who answers validators of QUASAR, at `/inference` and `/model_info`. Default: nobody does. */
  probing?: ProbeDoor | undefined;
  /** Who turns speech into text, at `/v1/audio/transcriptions`. Default: nobody does. */
  transcribing?: TranscriptionDoor | undefined;
  /** Gives exported versions of adapters to those who have a ticket, at `/learning/export/<ticket>`. Default: nobody does. */
  giveExport?: (request: Request) => Promise<Response>;
  /** Gives clips to those who have a ticket, at `/data/clip/<ticket>`. Default: nobody does. */
  giveClip?: (request: Request) => Promise<Response>;
  /** Adds more routes; they are behind the same access rules. */
  extend?: (app: FastifyInstance) => void | Promise<void>;
  limits?: Partial<ServerLimits>;
}

export interface ServerLimits extends HttpLimits, EventStreamLimits, RpcLimits {}

export const DEFAULT_LIMITS: ServerLimits = { ...DEFAULT_HTTP_LIMITS, ...DEFAULT_STREAM_LIMITS, ...DEFAULT_RPC_LIMITS };
