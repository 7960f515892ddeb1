import { expect, it } from 'vitest';
import { balance, balancesOf } from '../../../../src-main/cli/bittensor/balances.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { NodeClient } from '../../../../src-main/cli/terminal/node-client.ts';
import { MAIN_ADDRESS, sampleAccount } from '../../../support/screens/sample-accounts.ts';
import { scriptedWallets } from '../../../support/screens/script/wallet.ts';

const node = {
  wallet: { list: async () => scriptedWallets() },
  chain: {
    state: async () => ({ network: 'test', endpoint: 'ws://127.0.0.1:9' }),
    accounts: async ({ addresses }: { addresses: string[] }) => addresses.map(sampleAccount),
  },
} as unknown as NodeClient;

/** What the command prints, and what it remarks. */
async function printed(who: string[]): Promise<{ lines: string; notes: string }> {
  const [lines, notes]: [string[], string[]] = [[], []];
  const output = {
    document() {},
    line: (text = '') => void lines.push(text),
    note: (text: string) => void notes.push(text),
  };
  const withNode = (_: object, use: (node: NodeClient) => Promise<unknown>) => use(node);
  const context = { output, withNode, config: {}, sources: { env: {}, flags: {} } } as unknown as CommandContext;
  await balance(context, who, {});
  return { lines: lines.join('\n'), notes: notes.join('\n') };
}

it('has whole addresses, names of own hotkeys, and says where the earnings of a miner are', async () => {
  const { lines, notes } = await printed(['main']);
  expect(lines).toMatch(new RegExp(`main +12\\.9083 +8\\.1519995 +4\\.2563 +${MAIN_ADDRESS}`));
  expect(lines).toMatch(/main +24 +main\/default +61\.2074 +1\.2563 +5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty/);
  expect(notes).toMatch(/alpha, staked on its hotkey.*quarry chain unstake/);
});

it('says nothing of earnings where nothing is staked', async () => {
  const { lines, notes } = await printed(['savings']);
  expect(lines).not.toContain('HOTKEY');
  expect(notes).toBe('');
});

it('tells what own coldkeys have staked on each hotkey', async () => {
  const { onHotkeys } = await balancesOf(node, [MAIN_ADDRESS, '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw']);
  expect([...onHotkeys.values()]).toEqual([3_000_000_000n, 1_256_300_000n]);
});
