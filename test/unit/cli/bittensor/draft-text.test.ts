import { expect, it } from 'vitest';
import { draftText } from '../../../../src-main/cli/bittensor/draft-text.ts';
import type { ChainDraft } from '../../../../src-preload/contract/chain.ts';

const HOTKEY = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const said = {
  action: { action: 'commitment', wallet: 'main', hotkey: 'default', netuid: 1, text: 'hello' },
  ...{ id: '1', signedBy: 'hotkey', from: HOTKEY, sealing: 'plain', moves: '0', warnings: [], until: 0 },
  call: { pallet: 'commitments', name: 'setCommitment', args: [] },
} as unknown as ChainDraft;

it('does not alarm with what is left on a hotkey that pays nothing', () => {
  const text = draftText({ ...said, fee: '0', left: '0' }, 'local');
  expect(text).toMatch(/fee +none/);
  expect(text).not.toContain('left');
});

it('says that a fee cannot be paid', () => {
  expect(draftText({ ...said, fee: '1000', left: null }, 'local')).toMatch(/fee +0\.000001 TAO\n +left +not enough/);
});
