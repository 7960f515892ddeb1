import { z } from 'zod';
import type { AuditReport } from '../../../src-preload/contract/audits.ts';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_TEXT_CHARS } from '../../../src-preload/contract/limits.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Slices } from '../../base/slices.ts';
import type { AuditSums } from '../../inference/verified/audit.ts';
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
 * The answers of a report, if its worker has signed every one of them for the file that the report is about. One after the other, with turns for others in between:
 * whoever wrote the report may have made it as long as reports may be.
 * @throws BAD_REQUEST; the signal's reason
 */
export async function readReport(
  { worker, model, answers }: Omit<AuditReport, 'finding'>,
  signal?: AbortSignal,
): Promise<ClaimedAnswer[]> {
  if (answers.length > MOST_ANSWERS) throw unsigned();
  return await new Slices(signal).map(answers, (answer) => {
    const { data } = answerSchema.safeParse(answer);
    const isTheirs = data?.claim.body.worker === worker && data.claim.body.model === model;
    if (!data || !isTheirs || !isGenuine(data)) throw unsigned();
    return data;
  });
}

const unsigned = () => new QuarryError({ code: 'BAD_REQUEST', message: say('audits.unsigned'), field: 'report' });

/** Whether client and worker have signed an answer, and all of it is what they have signed. */
function isGenuine({ prompt, text, tokens, claim }: ClaimedAnswer): boolean {
  const promptHash = authenticHash(prompt);
  if (promptHash === undefined) return false;
  const { requestId, worker, from: client } = prompt;
  return isClaimOf(claim, { requestId, worker, client, promptHash, resultHash: hashText(text) }, tokens);
}

/** What a model makes of answers, of one after the other. @throws what the backend throws; the signal's reason */
export async function* repeatAudit(
  backend: AuditingBackend,
  answers: readonly ClaimedAnswer[],
  signal: AbortSignal,
): AsyncGenerator<AuditSums, void, undefined> {
  for (const answer of answers) yield await auditAnswer(backend, answer, { signal });
}
