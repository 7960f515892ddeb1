import type { Status } from '../transport/messages.ts';

/** What a client knows of a worker when it chooses. */
export interface Candidate {
  id: string;
  /** The worker's own words, and what is read from them; `queue` counts what this client has sent since. */
  status: Pick<Status, 'ready' | 'health' | 'queue' | 'avgMs' | 'models'>;
  /** Round trip in milliseconds; undefined until measured. */
  rttMs: number | undefined;
  /** Share of this client's requests that this worker answered, 0–1; undefined before the first. */
  successRate: number | undefined;
}

/** Above this time a worker gets no points for speed (QMesh, §Selection). */
const SLOWEST_MS = 10_000;
/** Scores closer than this are a tie. */
const TIE = 1e-9;

/** Whether a worker takes requests for this model now. */
export function isEligible({ status }: Candidate, model: string | undefined): boolean {
  const { ready, health, queue, models } = status;
  if (!ready || health.state === 'overloaded') return false;
  if (!isIdle(status) && queue.waiting >= queue.capacity) return false;
  return model === undefined || models.some(({ name }) => name === model);
}

/** A request would start at once. */
export function isIdle({ queue }: Candidate['status']): boolean {
  return queue.waiting === 0 && queue.running < queue.parallel;
}

/**
 * The worker to ask (QMesh, §Selection). Those with an empty queue come first: among them 70 % health and 30 % response
 * time decide; if all are busy, 60 % room in the queue, 30 % health and 10 % past success. Ties go to the shorter round
 * trip, then to chance.
 *
 * @param random 0 ≤ x < 1
 */
export function selectWorker(
  candidates: readonly Candidate[],
  model: string | undefined,
  random: () => number,
): Candidate | undefined {
  const eligible = candidates.filter((candidate) => isEligible(candidate, model));
  const idle = eligible.filter(({ status }) => isIdle(status));
  return idle.length > 0 ? best(idle, idleScore, random) : best(eligible, busyScore, random);
}

/** 0–100: 70 % health, 30 % response time, which counts half while it is unknown. */
export function idleScore({ status }: Candidate): number {
  const speed = status.avgMs === undefined ? 0.5 : clamp(1 - status.avgMs / SLOWEST_MS);
  return 0.7 * status.health.score + 0.3 * 100 * speed;
}

/** 0–100: 60 % room in the queue, 30 % health, 10 % past success, which counts half while it is unknown. */
export function busyScore({ status, successRate }: Candidate): number {
  const { waiting, capacity } = status.queue;
  const room = capacity > 0 ? clamp(1 - waiting / capacity) : 0;
  return 60 * room + 0.3 * status.health.score + 10 * (successRate ?? 0.5);
}

function best(
  candidates: readonly Candidate[],
  score: (candidate: Candidate) => number,
  random: () => number,
): Candidate | undefined {
  let leaders: Candidate[] = [];
  for (const candidate of candidates) {
    const [leader] = leaders;
    const lead = leader ? compare(candidate, leader, score) : 1;
    if (lead > 0) leaders = [candidate];
    else if (lead === 0) leaders.push(candidate);
  }
  return leaders[Math.floor(random() * leaders.length)];
}

/** Above 0 when `a` is the better one. */
function compare(a: Candidate, b: Candidate, score: (candidate: Candidate) => number): number {
  const difference = score(a) - score(b);
  if (Math.abs(difference) > TIE) return difference;
  const [near, far] = [a.rttMs ?? Number.MAX_VALUE, b.rttMs ?? Number.MAX_VALUE];
  return far - near;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
