import { join } from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { AuditLog } from '../../src-main/bittensor/signer-service/audit-log.ts';
import { readAudit } from '../../src-main/bittensor/signer-service/audit-reading.ts';
import { SignerService, type SignerServiceOptions } from '../../src-main/bittensor/signer-service/signer-service.ts';
import type { Sending, WeightSender, WeightsToSend } from '../../src-main/bittensor/weights/weight-sender.ts';
import { isResultOf, signResult } from '../../src-main/validation/result.ts';
import { testSigner } from './bittensor-signer.ts';
import { temporaryFolder } from './quarry-process.ts';

export const SIGNER_TOKEN = 'T'.repeat(43);

/** A text as a validator has it signed. @param signer whom it names */
export function resultText(signer: string, answer = 'I do not know.'): string {
  const about = {
    environment: 'sat',
    environmentVersion: '1.0.0',
    level: 'usual',
    seed: 's',
    challengeId: 'c'.repeat(64),
  };
  const answerer = { miner: 'm', model: 'some/model', revision: 'r' };
  const miner = { uid: 7, block: 100 };
  const how = {
    score: 0,
    reason: null,
    error: null,
    attempts: 1,
    success: true,
    latencyMs: 12,
    createdAt: 1_795_000_000_000,
  };
  let text = '';
  const sign = (bytes: Uint8Array) => {
    text = Buffer.from(bytes).toString('utf8');
    return '0'.repeat(128);
  };
  signResult({ ...about, ...answerer, ...miner, ...how, answer }, { id: signer, sign });
  return text;
}

/** A signer of Alice for subnet 3, whose weights go wherever the test says. It is closed with the test. */
export async function openTestSigner({
  send,
  ...options
}: Partial<SignerServiceOptions> & { send?: WeightSender['send'] } = {}) {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'signer-audit.jsonl');
  const key = await testSigner('//Alice');
  const audit = new AuditLog(path);
  await audit.open();
  const sent: (WeightsToSend & Pick<Sending, 'wait'>)[] = [];
  const sender: WeightSender = {
    hotkey: async () => key.address,
    async send(weights, how) {
      sent.push({ ...weights, wait: how.wait });
      return send ? send(weights, how) : { pending: !how.wait, block: how.wait ? 7 : null, hash: '0xab', warnings: [] };
    },
  };
  const service = new SignerService({
    ...{ host: '127.0.0.1', port: 0, token: SIGNER_TOKEN, key, sender, netuids: new Set([3]), audit },
    maySign: (text, address) => isResultOf([address], text),
    ...{ log: pino({ level: 'silent' }), ...options },
  });
  await service.open();
  const close = async () => {
    await service.close();
    await audit.close();
  };
  onTestFinished(async () => {
    await close();
    await folder.remove();
  });
  const post = async (path: string, body: unknown, token: string | undefined = SIGNER_TOKEN) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: text });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const told = async () => (await Array.fromAsync(readAudit(path))).map(({ entry }) => entry!);
  return { service, key, audit, path, sent, post, told, close };
}
