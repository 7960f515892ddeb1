import { create } from 'zustand';
import type { BroughtReportView, RepeatedAudit } from '../../../../../src-preload/contract/audits.ts';
import type { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { MAX_FILE_PIECE_CHARS } from '../../../../../src-preload/contract/limits.ts';
import { client } from '../../../../api/client.ts';
import { toQuarryError } from '../../../../api/errors.ts';

interface Repeating {
  /** The file that was brought last. */
  file: string | undefined;
  /** What it says; undefined while it is brought, and where it is no report. */
  report: BroughtReportView | undefined;
  /** Ends what is under way; undefined while nothing is. */
  stop: AbortController | undefined;
  /** Answers that were read again. */
  progress: { done: number; of: number } | undefined;
  result: RepeatedAudit | undefined;
  error: QuarryError | undefined;
}

const NOTHING: Repeating = {
  ...{ file: undefined, report: undefined, stop: undefined, progress: undefined, result: undefined, error: undefined },
};

/** A report of somebody, and what this computer's model makes of it. It outlives a change of tab. */
export const useRepeating = create<Repeating>(() => NOTHING);

/** Brings a report to main, which sees whether it is signed. */
export async function bringReport(file: File): Promise<void> {
  useRepeating.getState().stop?.abort();
  const stop = new AbortController();
  const { signal } = stop;
  useRepeating.setState({ ...NOTHING, file: file.name, stop });
  await told(stop, async () => {
    const text = await file.text();
    for (let at = 0; at === 0 || at < text.length; at += MAX_FILE_PIECE_CHARS)
      await client.audits.bring({ at, text: text.slice(at, at + MAX_FILE_PIECE_CHARS) }, { signal });
    const report = await client.audits.brought(undefined, { signal });
    if (!signal.aborted) useRepeating.setState({ report });
  });
}

/** Has this computer's model look at what was brought. */
export async function repeatReport(): Promise<void> {
  const stop = new AbortController();
  useRepeating.setState({ stop, progress: undefined, result: undefined, error: undefined });
  await told(stop, async () => {
    for await (const event of await client.audits.repeat(undefined, { signal: stop.signal })) {
      if (event.type === 'progress') useRepeating.setState({ progress: event });
      else useRepeating.setState({ result: event.result });
    }
  });
}

export function stopRepeating(): void {
  useRepeating.getState().stop?.abort();
}

export async function forgetReport(): Promise<void> {
  stopRepeating();
  useRepeating.setState(NOTHING);
  await client.audits.discard();
}

/** What fails is told, unless it was stopped. */
async function told(stop: AbortController, work: () => Promise<void>): Promise<void> {
  const isLast = () => useRepeating.getState().stop === stop;
  try {
    await work();
  } catch (error) {
    if (!stop.signal.aborted && isLast()) useRepeating.setState({ error: toQuarryError(error) });
  } finally {
    if (isLast()) useRepeating.setState({ stop: undefined, progress: undefined });
  }
}
