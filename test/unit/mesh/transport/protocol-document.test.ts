import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_MARKS } from '../../../../src-main/base/json-shape.ts';
import { receiptFault } from '../../../../src-main/credits/books/receipt-check.ts';
import { costOf } from '../../../../src-main/credits/price.ts';
import { receiptBytes, receiptSchema } from '../../../../src-main/credits/receipt.ts';
import { pointsFor } from '../../../../src-main/credits/score/points.ts';
import { TIER_CLAIM } from '../../../../src-main/credits/standing/claims.ts';
import { TIER_POINTS, TIERS } from '../../../../src-main/credits/tiers.ts';
import { MAX_VOICES, MAX_VOUCHERS, voucherBytes, voucherSchema } from '../../../../src-main/credits/voucher.ts';
import {
  callMessageSchema,
  fleetMessageSchema,
  pairingMessageSchema,
} from '../../../../src-main/mesh/fleet/messages.ts';
import {
  hashText,
  inferenceMessageSchema,
  inputLength,
  promptSchema,
  REFUSAL_CODES,
} from '../../../../src-main/mesh/inference/messages.ts';
import { scoreMessageSchema } from '../../../../src-main/mesh/scores/score-messages.ts';
import { DEFAULT_REQUESTS_PER_MINUTE } from '../../../../src-main/mesh/serving/queue/admission.ts';
import { modelsMessageSchema } from '../../../../src-main/mesh/sharing/messages.ts';
import { authenticHash, isAuthentic, signedBytes } from '../../../../src-main/mesh/transport/envelope.ts';
import { OFFENCES } from '../../../../src-main/mesh/transport/guards/ban-list.ts';
import { identityFromSeed, verify } from '../../../../src-main/mesh/transport/identity.ts';
import { helloSchema, pingSchema, pongSchema } from '../../../../src-main/mesh/transport/messages.ts';
import { MeshKeys } from '../../../../src-main/mesh/transport/topic.ts';
import { encodeFrame, MAX_JSON_DEPTH, MAX_MESSAGE_KEYS } from '../../../../src-main/mesh/transport/wire.ts';
import {
  MAX_ANSWER_TOKENS,
  MAX_MESSAGES,
  MAX_REPEAT_PENALTY,
  MAX_REQUEST_BYTES,
  MAX_SCHEMA_LEVELS,
  MAX_SCHEMA_VALUES,
  MAX_SEED,
  MAX_STOP_CHARS,
  MAX_STOPS,
  MAX_TEMPERATURE,
  MAX_TEXT_CHARS,
  MAX_TOP_K,
  MAX_TOP_LOGPROBS,
} from '../../../../src-preload/contract/limits.ts';

const document = readFileSync(new URL('../../../../docs/protocol.md', import.meta.url), 'utf8');

/** The content of the document's code block with this label. */
function block(label: string): string {
  const found = new RegExp(`\`\`\`\\w+ ${label}\\n([^\`]*)\\n\`\`\``).exec(document);
  return found?.[1] ?? expect.unreachable(`no block ${label}`);
}

const client = identityFromSeed(Buffer.alloc(32, 1));
const worker = identityFromSeed(Buffer.alloc(32, 2));
const friend = identityFromSeed(Buffer.alloc(32, 3));
const prompt = promptSchema.parse(JSON.parse(block('prompt')));
const receipt = receiptSchema.parse(JSON.parse(block('receipt')));

describe('the limits of docs/protocol.md', () => {
  it.each([
    ['input', `1–${MAX_MESSAGES.toLocaleString('en')} of them`],
    ['params.temperature', `number 0–${MAX_TEMPERATURE}`],
    ['params.topK', `0–${MAX_TOP_K.toLocaleString('en')}`],
    ['params.repeatPenalty', `to ${MAX_REPEAT_PENALTY}`],
    ['params.seed', `0–${MAX_SEED.toLocaleString('en')}`],
    ['params.stop', `≤ ${MAX_STOPS} texts of 1–${MAX_STOP_CHARS.toLocaleString('en')}`],
    [
      'params.jsonSchema',
      `at most ${MAX_SCHEMA_LEVELS} levels and ${MAX_SCHEMA_VALUES.toLocaleString('en')} keys and entries`,
    ],
    ['params.topLogprobs', `0–${MAX_TOP_LOGPROBS}`],
    ['maxTokens', `1–${MAX_ANSWER_TOKENS.toLocaleString('en')}`],
    ['vouchers', `≤ ${MAX_VOUCHERS} *vouchers*`],
    ['voices', `≤ ${MAX_VOICES} × 16 hex`],
  ])('has that of %s', (field, limit) => {
    expect(document.split('\n').find((line) => line.startsWith(`| \`${field}\``))).toContain(limit);
  });

  it('has those of a frame', () => {
    expect(document).toContain(`deeper than ${MAX_JSON_DEPTH} levels`);
    expect(document).toContain(`more than ${MAX_JSON_MARKS.toLocaleString('en')} commas and colons`);
    expect(document).toContain(`more than ${MAX_MESSAGE_KEYS} keys at its two outermost levels`);
  });

  it('has those of a whole request', () => {
    expect(document).toContain(`Texts are ${MAX_TEXT_CHARS.toLocaleString('en')} UTF-16`);
    expect(document).toContain(`${MAX_REQUEST_BYTES.toLocaleString('en')} bytes of JSON`);
  });
});

describe('the worked example of docs/protocol.md', () => {
  it('has the ids of its seeds', () => {
    expect(block('ids').split('\n')).toEqual([client.id, worker.id]);
  });

  it('has the topics and the proof', () => {
    const secret = new MeshKeys({ name: 'office', secret: 'correct horse' });
    const topics = [new MeshKeys(), new MeshKeys({ name: 'office' }), secret].map((keys) =>
      keys.topic('qmesh-inference-v2').toString('hex'),
    );
    expect(block('topics').split('\n')).toEqual([...topics, secret.proof(Buffer.alloc(64, 3), client.id)]);
    expect(topics[0]).toBe(createHash('sha256').update('qmesh-inference-v2').digest('hex'));
  });

  it('has the frame', () => {
    const { requestId } = prompt;
    expect(block('frame')).toBe(encodeFrame({ v: 2, type: 'cancel', requestId }, 1_000).toString('hex'));
  });

  it('has a genuine prompt, with its signed bytes and hash', () => {
    expect(isAuthentic(prompt)).toBe(true);
    expect(prompt.sig).toBe(client.sign(Buffer.from(block('prompt-bytes'))));
    expect(signedBytes(prompt).toString()).toBe(block('prompt-bytes'));
    expect(authenticHash(prompt)).toBe(block('prompt-hash'));
  });

  it('has a genuine voucher, of somebody else for the client to the worker', () => {
    const voucher = voucherSchema.parse(JSON.parse(block('voucher')));
    const { by } = voucher.body;
    expect([by, voucher.body.worker, voucher.body.client]).toEqual([friend.id, worker.id, client.id]);
    expect(voucherBytes(voucher.body).toString()).toBe(block('voucher-bytes'));
    expect(verify(by, voucherBytes(voucher.body), voucher.sig)).toBe(true);
  });

  it('has a sound receipt for it', () => {
    const { body } = receipt;
    expect(receiptBytes(body).toString()).toBe(block('receipt-bytes'));
    expect(receiptFault(receipt, verify)).toBeUndefined();
    expect(body).toMatchObject({
      promptHash: authenticHash(prompt),
      resultHash: hashText('Hallo!'),
      promptChars: inputLength(prompt),
      points: pointsFor(body),
      cost: costOf(body),
    });
  });
});

/** One kind of message, by its schema. */
interface Kind {
  shape: { type: { value: string } };
}
const kinds: Kind[] = [
  helloSchema,
  pingSchema,
  pongSchema,
  ...inferenceMessageSchema.options.flatMap((one): readonly Kind[] => ('options' in one ? one.options : [one])),
  ...scoreMessageSchema.options,
  ...modelsMessageSchema.options,
  ...pairingMessageSchema.options,
  ...fleetMessageSchema.options,
  ...callMessageSchema.options,
];

describe('docs/protocol.md', () => {
  it.each([...new Set(kinds.map(({ shape }) => shape.type.value))])('tells of the message %s', (type) => {
    expect(document).toMatch(new RegExp(`^### ${type} |\\| \`${type}\` \\||\`${type}\`:|type: "${type}"`, 'm'));
  });

  it('names every error code', () => {
    expect(REFUSAL_CODES.filter((code) => !document.includes(`\`${code}\``))).toEqual([]);
  });

  it('has the weight of every offence', () => {
    const missing = Object.entries(OFFENCES).filter(([offence, weight]) => !document.includes(`${offence} ${weight}`));
    expect(missing).toEqual([]);
  });

  it('has what every tier asks for', () => {
    const rows = TIERS.map((tier) => [tier, TIER_CLAIM[tier], TIER_POINTS[tier]] as const);
    const missing = rows.filter(([tier, claim, points]) => {
      const row = `| ${tier} | ${claim.toLocaleString('en')} | ${points.toLocaleString('en')} |`;
      return !document.includes(row);
    });
    expect(missing).toEqual([]);
  });

  it('has the requests a minute of every tier', () => {
    const rows = Object.entries(DEFAULT_REQUESTS_PER_MINUTE).filter(
      ([tier, perMinute]) => !new RegExp(`^\\| ${tier} \\|.*\\| ${perMinute} \\|$`, 'm').test(document),
    );
    expect(rows).toEqual([]);
  });
});
