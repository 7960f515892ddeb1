import { z } from 'zod';
import type { AuditReport } from '../../../src-preload/contract/audits.ts';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_TEXT_CHARS } from '../../../src-preload/contract/limits.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { type AuditSums, addAudits } from '../../inference/verified/audit.ts';
import type { AuditingBackend } from '../../inference/verified/read-again.ts';
import type { ClaimedAnswer } from '../asking/claimed-answer.ts';
import { claimSchema, isClaimOf, MAX_EVIDENCE, toldTokenSchema } from '../inference/claim.ts';
import { hashText, promptSchema } from '../inference/messages.ts';
import { authenticHash } from '../transport/envelope.ts';
import { auditAnswer } from './audit-answer.ts';

/** Answers of one report. */
const MOST_ANSWERS = 1_000;

const answerSchema = z.strictObject({
  prompt: promptSchema,
  text: z.string().max(8 * MAX_TEXT_CHARS),
  tokens: boundedArray(toldTokenSchema, MAX_EVIDENCE, 1),
  claim: claimSchema,
});

/**
 * The answers of a report, if its worker has signed every one of them for the file that the report is about.
 * @throws BAD_REQUEST
 */
export function readReport({ worker, model, answers }: Omit<AuditReport, 'finding'>): ClaimedAnswer[] {
  const read = boundedArray(answerSchema, MOST_ANSWERS).safeParse(answers);
  const isTheirs = ({ claim: { body } }: ClaimedAnswer) => body.worker === worker && body.model === model;
  if (read.success && read.data.every((answer) => isTheirs(answer) && isGenuine(answer))) return read.data;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('audits.unsigned'), field: 'report' });
}

/** Whether client and worker have signed an answer, and all of it is what they have signed. */
function isGenuine({ prompt, text, tokens, claim }: ClaimedAnswer): boolean {
  const promptHash = authenticHash(prompt);
  if (promptHash === undefined) return false;
  const { requestId, worker, from: client } = prompt;
  return isClaimOf(claim, { requestId, worker, client, promptHash, resultHash: hashText(text) }, tokens);
}

/** What a model makes of answers. @throws what the backend throws; the signal's reason */
export async function repeatAudit(
  backend: AuditingBackend,
  answers: readonly ClaimedAnswer[],
  signal: AbortSignal,
): Promise<AuditSums> {
  const sums: AuditSums[] = [];
  for (const answer of answers) sums.push(await auditAnswer(backend, answer, { signal }));
  return addAudits(sums);
}
