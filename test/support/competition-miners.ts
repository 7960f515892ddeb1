import type { Signer } from '../../src-main/bittensor/signer.ts';
import { testSigner } from './bittensor-signer.ts';
import { type Ask, commit, reveal, type Secret } from './open-competition.ts';

/** What each of ten miners enters: eight that are honest, of whom two are equals; a thief of the fastest; a liar; and one whose artefact crashes the runner. */
export const ENTRIES: { name: string; script: object | string; tokens: number }[] = [
  { name: 'ann', script: { speed: 2, by: 'ann' }, tokens: 300_000 }, // 2 × 1
  { name: 'bob', script: { speed: 1.5, by: 'bob' }, tokens: 500_000 }, // 1.5 × 1.5
  { name: 'cid', script: { speed: 1.99, by: 'cid' }, tokens: 300_000 }, // as fast as ann, and later
  { name: 'dan', script: { speed: 1.01, by: 'dan' }, tokens: 1_000_000 }, // not shown to be faster
  { name: 'eve', script: { speed: 1.2, by: 'eve' }, tokens: 900_000 }, // 1.2 × 2.5
  { name: 'fay', script: { speed: 3, by: 'fay' }, tokens: 150_000 }, // 3 × 0.5
  { name: 'gus', script: { speed: 1.4, by: 'gus' }, tokens: 250_000 }, // 1.4 × 0.75
  { name: 'hal', script: { speed: 1.3, by: 'hal' }, tokens: 120_000 }, // 1.3 × 0.5
  { name: 'thief', script: { speed: 1.2, by: 'eve' }, tokens: 1_000_000 },
  { name: 'liar', script: { wrong: true, by: 'liar' }, tokens: 1_000_000 },
  { name: 'crash', script: 'no JSON: the runner dies', tokens: 400_000 },
];
/** In the order in which they are ranked. */
export const RANKED = ['eve', 'bob', 'ann', 'cid', 'fay', 'gus', 'hal'];

export interface Miner {
  name: string;
  signer: Signer;
  secret: Secret;
}

/** All commit, in this order: the thief after whom he steals from. */
export async function commitAll(ask: Ask, round: number): Promise<Miner[]> {
  const miners: Miner[] = [];
  for (const { name, script, tokens } of ENTRIES) {
    const signer = await testSigner(`//${name}`);
    const { said, secret } = await commit(ask, signer, script, { tokens, round, other: { ip: ipOf(name) } });
    if (said.status !== 201) throw new Error(JSON.stringify(said.body));
    miners.push({ name, signer, secret });
  }
  return miners;
}

export async function revealAll(ask: Ask, miners: readonly Miner[]): Promise<void> {
  for (const { name, signer, secret } of miners) {
    const said = await reveal(ask, signer, secret, {}, { ip: ipOf(name) });
    if (said.status !== 200) throw new Error(JSON.stringify(said.body));
  }
}

const ipOf = (name: string) => `192.0.2.${10 + ENTRIES.findIndex((entry) => entry.name === name)}`;
