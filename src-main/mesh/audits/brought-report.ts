import { type AuditReport, auditReportSchema, type BroughtReportView } from '../../../src-preload/contract/audits.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_REPORT_CHARS } from '../../../src-preload/contract/limits.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { parsedJson } from '../../base/json-text.ts';
import type { ClaimedAnswer } from '../asking/claimed-answer.ts';
import { readReport } from './report.ts';

/** A report whose answers are signed. */
export type SignedReport = Omit<AuditReport, 'answers'> & { answers: ClaimedAnswer[] };

/** A report of somebody, as it is brought in pieces: one at a time, kept until the next one comes or it is discarded. */
export class BroughtReport {
  #pieces: string[] = [];
  #chars = 0;
  #read: SignedReport | undefined;

  /** @returns characters that are here @throws BAD_REQUEST for one that does not follow on the others, or is too much */
  take(at: number, text: string): number {
    if (at === 0) this.discard();
    if (at !== this.#chars || this.#read) throw refused(say('audits.outOfOrder'));
    if (at + text.length > MAX_REPORT_CHARS) throw refused(say('audits.tooLong'));
    this.#pieces.push(text);
    this.#chars += text.length;
    return this.#chars;
  }

  /** What it says. @throws BAD_REQUEST for one that is none, or whose answers are not signed; the signal's reason */
  async view(signal?: AbortSignal): Promise<BroughtReportView> {
    const { worker, model, finding, answers } = await this.read(signal);
    const tokens = answers.reduce((sum, { tokens }) => sum + tokens.length, 0);
    return { worker, model, finding, answers: answers.length, tokens };
  }

  /** @throws BAD_REQUEST for one that is none, or whose answers are not signed, and where another one is brought meanwhile; the signal's reason */
  async read(signal?: AbortSignal): Promise<SignedReport> {
    if (this.#read) return this.#read;
    const pieces = this.#pieces;
    const read = await signedReport(pieces.join(''), signal);
    if (this.#pieces !== pieces) throw refused(say('audits.outOfOrder'));
    this.#read = read;
    pieces.length = 0;
    return read;
  }

  discard(): void {
    this.#pieces = [];
    this.#chars = 0;
    this.#read = undefined;
  }
}

async function signedReport(text: string, signal: AbortSignal | undefined): Promise<SignedReport> {
  const read = auditReportSchema.safeParse(parsedJson(text));
  if (!read.success) throw refused(say('audits.noReport'));
  return { ...read.data, answers: await readReport(read.data, signal) };
}

const refused = (message: ReturnType<typeof say>) => new QuarryError({ code: 'BAD_REQUEST', message, field: 'report' });
