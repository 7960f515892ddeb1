import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Paid } from '../../../src-preload/contract/inference.ts';
import type { Tier } from '../../credits/tiers.ts';

/** What the demonstration shows, one thing after the other. Nodes are told by their names; times are milliseconds. */
export type DemoScene =
  | ReadyScene
  | AnswerScene
  | OwedScene
  | StandingScene
  | QueueScene
  | FileScene
  | DeathScene
  | PostScene
  | LeavingScene
  | LiarScene
  | YoursScene
  | FailureScene;

/** The mesh is up. */
export interface ReadyScene {
  type: 'ready';
  /** The node that one watches: the main worker. */
  worker: string;
  id: string;
  /** Its API, and a link that lets a browser in to its screens, once. */
  url: string;
  screens: string;
  /** The API of the node that is the user's own: whoever asks there asks the mesh. */
  api: string;
  model: string;
  /** Whether these are real weights; the built-in model babbles. */
  real: boolean;
  /** Those who ask, and serve in turn. */
  friends: string[];
  /** What is set differently from a node of one's own, a sentence each. */
  differs: string[];
  /** Where the nodes keep their things; absent where that goes away at the end. */
  folder?: string;
}

/** A question and its answer. */
export interface AnswerScene {
  type: 'answer';
  client: string;
  /** By what the worker owes the client: how soon it is served there. */
  tier: Tier;
  question: string;
  worker: string;
  text: string;
  tokens: number;
  ms: number;
  /** What it cost, and what of the worker paid for it. */
  credits: number;
  from?: Paid['from'];
  /** What it brought the worker. Absent where the receipt did not come in time. */
  points?: number;
  /** All that the worker has earned. */
  total: number;
  workerTier: string;
}

/** The main worker owes a node something for what that has served it. */
export interface OwedScene {
  type: 'owed';
  to: string;
  /** How many answers it gave just now. */
  answers: number;
  /** In all. */
  credits: number;
  tier: Tier;
}

/** What the main worker has earned, and what of it the others count: each has read its log. */
export interface StandingScene {
  type: 'standing';
  points: number;
  tier: string;
  seenBy: { name: string; points: number; tier: Tier }[];
}

/** Many ask at once: what waits and runs at the main worker, as it changes. */
export interface QueueScene {
  type: 'queue';
  state: 'growing' | 'shrinking' | 'over';
  waiting: number;
  running: number;
  /** At the end: how many were answered and how many found no room, and the waits of each tier. */
  answered?: number;
  refused?: number;
}

/** A model file went from one node to another. */
export interface FileScene {
  type: 'file';
  from: string;
  to: string;
  name: string;
  bytes: number;
  /** Of the file that came, 64 hex: the one that was asked for. */
  sha256: string;
  ms: number;
}

/** A worker died in the middle of an answer, and another one gave it. */
export interface DeathScene {
  type: 'death';
  worker: string;
  client: string;
  reason: string;
  by: string;
  /** From the death to the other's answer. */
  ms: number;
}

/** Who serves beside the main worker now, and who served before and only asks from now on. */
export interface PostScene {
  type: 'post';
  worker: string;
  before?: string;
}

/** A node leaves, because no more of its receipts count today, and another one comes. */
export interface LeavingScene {
  type: 'leaving';
  name: string;
  receipts: number;
  next: string;
}

/** Somebody claimed more than its log proves, and was found out. */
export interface LiarScene {
  type: 'liar';
  name: string;
  claimed: number;
  /** As those say it who read its log. */
  detail: string;
  foundBy: string[];
}

/** The user's own question was answered by the main worker. */
export interface YoursScene {
  type: 'yours';
  worker: string;
  tokens: number;
  ms: number;
  points: number;
}

/** What should have been shown and was not. The demonstration goes on. */
export interface FailureScene {
  type: 'failure';
  error: QuarryError;
}
