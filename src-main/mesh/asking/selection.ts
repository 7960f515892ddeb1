import type { Status } from '../inference/messages.ts';
import { type Prospect, placeOf, WAITING } from './means.ts';

/** What a worker says of itself, as far as a client listens: never how good it is. */
export type SelfReport = Pick<Status, 'ready' | 'health' | 'queue' | 'models'>;

/** What a worker said of itself when it was chosen, and of the model that is wanted. */
export interface Claimed extends SelfReport {
  /** {@link loadMsOf} it. */
  readonly loadMs: number;
}

/** A worker that may be chosen. */
export interface Candidate {
  readonly id: string;
  /** Its last words; `queue` counts what this client has sent since. */
  readonly selfReport: SelfReport;
  /** Round trip in milliseconds, by this node's own pings; undefined until measured. */
  readonly rttMs: number | undefined;
}

/** What this client has seen of workers itself. */
export interface Knowledge {
  /** Whether the worker is left alone for a while. */
  isCooling(worker: string, now: number): boolean;
  /** Whether it has lately answered more often than one would expect of a stranger. */
  works(worker: string): boolean;
  /** Whether it has lately answered less often than one would expect of a stranger. */
  fails(worker: string): boolean;
  /** Whether it was asked so lately that asking again would teach nothing. */
  askedLately(worker: string, now: number): boolean;
  /** Milliseconds that a request takes once it is begun. */
  serviceMs(worker: string): number;
  /** Share of requests that it answers, 0 < x < 1. */
  successRate(worker: string): number;
}

/** What is asked for, and who failed at it already. */
export interface Wanted<C extends Candidate> {
  model: string | undefined;
  tried: ReadonlySet<string>;
  /** How the request would be paid for and served there. Default: the same everywhere, and at once where a worker is idle. */
  prospect?: (candidate: C) => Prospect;
}

/** Share of choices that learn about another worker. */
const EXPLORED = 0.08;
/** Expected times that differ by less than this factor are the same: chance decides, and spreads the load. */
const ABOUT_THE_SAME = 1.25;
const UNMEASURED_RTT_MS = 100;
/** Longest time for loading that a client reckons with, whatever its worker says, in milliseconds. */
const LONGEST_LOAD_MS = 300_000;

/** Whether a worker takes requests for this model now, by its own word. */
export function isEligible(selfReport: SelfReport, model: string | undefined): boolean {
  return serves(selfReport, model) && hasRoom(selfReport.queue);
}

/** Whether a worker takes requests for this model, or would if it had room. */
export function serves({ ready, health, models }: SelfReport, model: string | undefined): boolean {
  if (!ready || health.state === 'overloaded') return false;
  return model === undefined || models.some(({ name }) => name === model);
}

function hasRoom(queue: SelfReport['queue']): boolean {
  return isIdle(queue) || queue.waiting < queue.capacity;
}

/**
 * Milliseconds that a worker needs, by its own word, before it could begin with a model: 0 where it has it in memory, and where any model
 * will do. A worker that says too much is asked after others and given that time once, so that it harms itself; one that says too little is
 * late, which its client learns from.
 */
export function loadMsOf({ models }: Pick<SelfReport, 'models'>, model: string | undefined): number {
  const served = model === undefined ? undefined : models.find(({ name }) => name === model);
  return Math.min(LONGEST_LOAD_MS, served?.loadMs ?? 0);
}

/**
 * Milliseconds after which a worker that has not begun is late: where it loads the model, half of what is left of the request at most, so
 * that another has time for it, too.
 *
 * @param usualMs as much for one that does not load
 */
export function lateAfterMs(usualMs: number, loadMs: number, leftMs: number): number {
  return loadMs > 0 ? Math.min(usualMs + loadMs, leftMs / 2) : usualMs;
}

export function claimedOf(selfReport: SelfReport, model: string | undefined): Claimed {
  return { ...selfReport, loadMs: loadMsOf(selfReport, model) };
}

/** A request for this model would start at once: there is room, and nothing is to be loaded. */
export function beginsAtOnce(selfReport: SelfReport, model: string | undefined): boolean {
  return isIdle(selfReport.queue) && loadMsOf(selfReport, model) === 0;
}

/** There is a free place. */
export function isIdle({ waiting, running, parallel }: SelfReport['queue']): boolean {
  return waiting === 0 && running < parallel;
}

/** How many requests must end, one after the other, before one with `waiting` others ahead begins. */
export function roundsAhead({ running, parallel }: SelfReport['queue'], waiting: number): number {
  const places = Math.max(1, parallel);
  return Math.max(0, waiting + 1 - Math.max(0, places - running)) / places;
}

/**
 * The worker to ask. Workers that this request has not tried and that do not cool down come first, then those that
 * merely cool down, then those tried; one that was tried and cools down only if no other is worth waiting for. Of them
 * it is those where the request is paid for best (see means.ts), and among these this client's own experience decides: see
 * {@link Knowledge}. Where the model has to be loaded first, a request waits, whoever is free. A worker's word counts only where it has
 * no reason to lie: that it is busy, paused, has to load the model, or lacks it; and
 * where it can be held to it: whoever is asked for a model by name and declares its file comes before those who declare none, if
 * this client knows as much of them and they have as much room.
 *
 * @param random 0 ≤ x < 1
 * @returns undefined when it is better to wait, or when there is nobody
 */
export function selectWorker<C extends Candidate>(
  candidates: Iterable<C>,
  { model, tried, prospect = (candidate) => anyMeans(candidate, model) }: Wanted<C>,
  known: Knowledge,
  now: number,
  random: () => number,
): C | undefined {
  const groups: [warm: C[], cooling: C[], again: C[], lastResort: C[]] = [[], [], [], []];
  const [, , , lastResort] = groups;
  let worthWaitingFor = false;
  for (const candidate of candidates) {
    const { id, selfReport } = candidate;
    if (!serves(selfReport, model)) continue;
    if (hasRoom(selfReport.queue))
      groups[(tried.has(id) ? 2 : 0) + (known.isCooling(id, now) ? 1 : 0)]?.push(candidate);
    else worthWaitingFor ||= !tried.has(id);
  }
  const group = groups.find(({ length }) => length > 0);
  if (group === lastResort && worthWaitingFor) return undefined;
  if (!group) return undefined;
  const offers = group.map((candidate) => offerOf(candidate, prospect(candidate), known, model));
  return chooseAmong(servedBest(offers, known), { model, known, now, random });
}

function anyMeans({ selfReport }: Candidate, model: string | undefined): Prospect {
  return { means: 'gift', free: beginsAtOnce(selfReport, model) };
}

/** What a request may expect at a worker. */
interface Offer<C extends Candidate> {
  candidate: C;
  /** It would begin at once. */
  free: boolean;
  /** See means.ts. */
  place: number;
  /** It declares the file of the model that was asked for by name: its answers can be held against it. */
  declares: boolean;
}

/** Who fails is asked as if it owed nothing, for that may be how it lures. */
function offerOf<C extends Candidate>(
  candidate: C,
  prospect: Prospect,
  known: Knowledge,
  model: string | undefined,
): Offer<C> {
  const { free } = prospect;
  const place = placeOf(prospect);
  return {
    candidate,
    free,
    place: known.fails(candidate.id) ? Math.max(place, placeOf({ means: 'gift', free })) : place,
    declares: candidate.selfReport.models.some(({ name, sha256 }) => name === model && sha256 !== undefined),
  };
}

/**
 * Those at the best place. If a request would begin there at once, also those known to work where it would wait, if it were paid for as
 * well: who claims to be free and is a stranger may lie.
 */
function servedBest<C extends Candidate>(offers: readonly Offer<C>[], known: Knowledge): Offer<C>[] {
  const best = offers.reduce((least, { place }) => Math.min(least, place), Number.POSITIVE_INFINITY);
  return offers.filter(
    ({ candidate, free, place }) => place === best || (place <= best + WAITING && !free && known.works(candidate.id)),
  );
}

/** What a choice is made by. */
interface Chances {
  model: string | undefined;
  known: Knowledge;
  now: number;
  random: () => number;
}

/** Free ones that work; now and then a free stranger instead. If none that works is free: whoever should be soonest. */
function chooseAmong<C extends Candidate>(offers: readonly Offer<C>[], chances: Chances): C {
  const { known, now, random } = chances;
  const works = ({ candidate }: Offer<C>) => known.works(candidate.id);
  const free = offers.filter((offer) => offer.free);
  const proven = free.filter(works);
  if (proven.length === 0) {
    const pool = free.length > 0 ? offers.filter((offer) => offer.free || works(offer)) : offers;
    return soonest(declaring(pool), chances);
  }
  if (random() >= 1 - EXPLORED) {
    const strangers = free.filter((offer) => !works(offer) && !known.askedLately(offer.candidate.id, now));
    if (strangers.length > 0) return anyOf(declaring(strangers), random);
  }
  return soonest(declaring(proven), chances);
}

/** Those who declare their file, unless a request would have to wait at them and not at another; else all. @param offers not empty */
function declaring<C extends Candidate>(offers: readonly Offer<C>[]): C[] {
  const declared = offers.filter(({ declares }) => declares);
  const areFull = !declared.some(({ free }) => free) && offers.some(({ free }) => free);
  return (declared.length === 0 || areFull ? offers : declared).map(({ candidate }) => candidate);
}

function soonest<C extends Candidate>(pool: C[], { model, known, random }: Chances): C {
  const times = pool.map((candidate) => expectedMs(candidate, known, model));
  const best = times.reduce((least, time) => Math.min(least, time));
  return anyOf(
    pool.filter((_, index) => (times[index] ?? best) <= best * ABOUT_THE_SAME),
    random,
  );
}

/** Milliseconds until the answer: the way, loading and the queue by the worker's word, the rest as seen, over the share that is answered. */
export function expectedMs(
  { id, selfReport, rttMs = UNMEASURED_RTT_MS }: Candidate,
  known: Knowledge,
  model?: string,
): number {
  const rounds = roundsAhead(selfReport.queue, selfReport.queue.waiting);
  return (rttMs + loadMsOf(selfReport, model) + (rounds + 1) * known.serviceMs(id)) / known.successRate(id);
}

/** @param list not empty */
function anyOf<C>(list: readonly C[], random: () => number): C {
  const chosen = list[Math.floor(random() * list.length)];
  if (chosen === undefined) throw new RangeError('There is nobody to choose from.');
  return chosen;
}
