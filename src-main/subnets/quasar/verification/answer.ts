import { z } from 'zod';
import { boundedArray } from '../../../../src-preload/contract/bounded.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { EVIDENCE_TOP, type TokenEvidence, tokenEvidenceSchema } from '../../../inference/evidence.ts';
import { MAX_PROBE_TOKENS } from '../../../inference/request-schema.ts';
import type { TokenProbe } from '../../../validation/environment.ts';

/**
 * Most bytes of an answer to a probe. A vocabulary of 151,936 tokens, each logit with 17 digits as Python writes them, has 2.9 MB; Quarry's own answers have 1.4 MB for it, and 0.44 MB
 * for one of 49,152.
 */
export const MOST_PROBE_BYTES = 8 << 20;
/** Commas and colons in it: a logit each, and evidence. */
export const MOST_PROBE_MARKS = 1_500_000;
/** Larger vocabularies are not asked. */
const MOST_LOGITS = 1_000_000;

/** What a miner says to a probe, as far as it has the right shape. */
export interface ProbeAnswer {
  tokens: number[];
  /** Undefined where there are none. */
  logits: Float64Array | undefined;
  /** SHA-256 of the file that it computes with, as it says. */
  file: string | undefined;
  /** As in verified inference; undefined where there is none. */
  evidence: TokenEvidence[] | undefined;
}

/** Why an answer cannot be compared with anything. */
export type Shapeless = 'shape_mismatch' | 'no_logits';

const tokensSchema = boundedArray(z.int().min(0), MAX_PROBE_TOKENS, 1);
const evidenceSchema = boundedArray(tokenEvidenceSchema, MAX_PROBE_TOKENS, 1);

/**
 * The text of an answer that is judged, out of the JSON that came: the tokens first, so that they are there where only the beginning is kept, and then what the miner says of the time,
 * which nobody goes by. What else it says is left out.
 */
export function probeText(said: unknown): string {
  const { tokens, elapsed_sec, model_sha256, captured_logits, evidence } = (said ?? {}) as Record<string, unknown>;
  return JSON.stringify({ tokens, elapsed_sec, model_sha256, captured_logits, evidence });
}

/** Every byte of it is a stranger's: its size was looked at by whoever asked, here it is its shape. */
export function readAnswer(text: string, { length }: TokenProbe, vocabulary: number): ProbeAnswer | Shapeless {
  const said = (parsedJson(text) ?? {}) as Record<string, unknown>;
  const tokens = tokensSchema.safeParse(said.tokens).data;
  if (tokens?.length !== length || tokens.some((token) => token >= vocabulary)) return 'shape_mismatch';
  const { captured_logits: captured, model_sha256: file } = said;
  const logits = captured === undefined || captured === null ? undefined : floatsOf(captured, vocabulary);
  if (logits === null) return 'shape_mismatch';
  const evidence = hasShortLists(said.evidence) ? evidenceSchema.safeParse(said.evidence).data : undefined;
  return { tokens, logits, file: typeof file === 'string' ? file : undefined, evidence };
}

/** Whether there is evidence of just these tokens, each with as many of the likeliest as are wanted, none twice. */
export function isWholeEvidence(tokens: readonly number[], evidence: readonly TokenEvidence[]): boolean {
  const isOf = ({ id, top }: TokenEvidence, at: number) =>
    id === tokens[at] && new Set(top.map(([each]) => each)).size === EVIDENCE_TOP;
  return evidence.length === tokens.length && evidence.every(isOf);
}

/** Measured before anything in them is looked at. */
function hasShortLists(evidence: unknown): boolean {
  const isShort = (each: { top?: unknown } | null) => Array.isArray(each?.top) && each.top.length <= EVIDENCE_TOP;
  return Array.isArray(evidence) && evidence.length <= MAX_PROBE_TOKENS && evidence.every(isShort);
}

/** @returns null for what is no list of as many finite numbers */
function floatsOf(value: unknown, vocabulary: number): Float64Array | null {
  if (!Array.isArray(value) || value.length !== vocabulary || vocabulary > MOST_LOGITS) return null;
  return value.every(Number.isFinite) ? Float64Array.from(value as number[]) : null;
}
