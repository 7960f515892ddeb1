import { sr25519Verify } from '@polkadot/util-crypto';
import { describe, expect, it, vi } from 'vitest';
import { encodedCall, setCommitment, setWeights } from '../../../../src-main/bittensor/chain/calls.ts';
import {
  callSignedByNobody,
  extrinsicHash,
  MORTAL_BLOCKS,
  signedCall,
} from '../../../../src-main/bittensor/chain/extrinsic.ts';
import type { Runtime } from '../../../../src-main/bittensor/chain/runtime.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';
import { RUNTIME_381, withSwappedTerms } from '../../../support/runtime-381.ts';
import { GENESIS } from '../../../support/scripted-chain.ts';

const SINCE = { number: 1_000, hash: `0x${'cd'.repeat(32)}` };

describe.skipIf(!RUNTIME_381)('a signed call', () => {
  const runtime = RUNTIME_381 as Runtime;
  const short = setWeights({ netuid: 3 }, { uids: [0], values: [1], versionKey: 0n });

  it('names who signed it, and counts for a quarter of an hour', async () => {
    const signer = await testSigner('//Alice');
    const call = encodedCall(runtime, short);
    const signed = await signedCall(runtime, call, signer, { genesis: GENESIS, nonce: 7, since: SINCE });
    expect(signed.lastBlock).toBe(1_000 + MORTAL_BLOCKS);
    const bytes = Buffer.from(signed.bytes.slice(2), 'hex');
    // A length of two bytes, version 4 with a signature, an address by its key, sr25519.
    expect([...bytes.subarray(2, 4)]).toEqual([0x84, 0x00]);
    expect(bytes.subarray(4, 36)).toEqual(Buffer.from(signer.publicKey));
    expect(bytes[36]).toBe(1);
    expect(signed.bytes.endsWith(call.slice(2))).toBe(true);
    expect(extrinsicHash(signed.bytes)).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it.each([
    ['as it is', short, false],
    ['by its hash when it is long', setCommitment({ netuid: 3, data: Buffer.alloc(400) }), true],
  ])('is signed %s, with the chain and the block that it counts for', async (_, call, byHash) => {
    const signer = await testSigner('//Alice');
    const messages: Uint8Array[] = [];
    const sign = (message: Uint8Array) => {
      messages.push(message);
      return signer.sign(message);
    };
    const terms = { genesis: GENESIS, nonce: 7, since: SINCE };
    const signed = await signedCall(runtime, encodedCall(runtime, call), { ...signer, sign }, terms);
    const signature = Buffer.from(signed.bytes.slice(2), 'hex').subarray(37, 101);
    expect(sr25519Verify(messages[0]!, signature, signer.publicKey)).toBe(true);
    expect(messages[0]?.length === 32).toBe(byHash);
    const text = Buffer.from(messages[0]!).toString('hex');
    if (!byHash) expect([text.includes(GENESIS.slice(2)), text.includes('cd'.repeat(32))]).toEqual([true, true]);
  });

  it('is signed for no runtime that has the nonce where the tip belongs: an endpoint names the nonce', async () => {
    const swapped = withSwappedTerms('CheckNonce', 'ChargeTransactionPayment');
    const signer = await testSigner('//Alice');
    const sign = vi.fn(signer.sign);
    const terms = { genesis: GENESIS, nonce: 4_000_000_000, since: SINCE };
    const signing = signedCall(swapped, encodedCall(swapped, short), { ...signer, sign }, terms);
    await expect(signing).rejects.toMatchObject({ code: 'PROTOCOL' });
    expect(sign).not.toHaveBeenCalled();
  });

  it('of nobody has a signature, too: what has none costs nothing', async () => {
    const { address } = await testSigner('//Alice');
    const bytes = Buffer.from(
      callSignedByNobody(runtime, encodedCall(runtime, short), address, GENESIS).slice(2),
      'hex',
    );
    expect(bytes[2]).toBe(0x84);
  });
});
