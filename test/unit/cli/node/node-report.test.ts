import { expect, it } from 'vitest';
import { defaultDataDir } from '../../../../src-main/base/data-folder.ts';
import { type ReportedNode, screensOf } from '../../../../src-main/cli/node/node-report.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import type { NodeStatus } from '../../../../src-preload/contract/node.ts';

const help = (dataDir: string, token?: string) => {
  const config = { ...loadConfig({ env: {} }), dataDir, ...(token ? { apiToken: token } : {}) };
  const door = { entry: () => ({ url: 'http://x/enter?code=abc', expiresAt: Date.now() + 600_000 }) };
  return screensOf({ config, door } as ReportedNode, {} as NodeStatus).help;
};

it('the command for another link names the data folder, where it is not the usual one', () => {
  expect(help(defaultDataDir())).toMatch(/quarry open$/);
  expect(help('/srv/quarry')).toMatch(/quarry open --data \/srv\/quarry$/);
  expect(help('/srv/my node', 'secret')).toMatch(/quarry open --data "\/srv\/my node"$/);
});
