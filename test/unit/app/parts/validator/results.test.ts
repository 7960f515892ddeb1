import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openResults } from '../../../../../src-main/app/parts/validator/results.ts';
import type { FixedConfig } from '../../../../../src-main/settings/config.ts';
import { temporaryFolder } from '../../../../support/quarry-process.ts';

it('stays closed once its node has closed, whoever asks for it then', async () => {
  const folder = await temporaryFolder();
  const closing: (() => void | Promise<void>)[] = [];
  const config = { dataDir: folder.path } as FixedConfig;
  const part = openResults({ config, onClose: (close) => closing.push(close) });
  await part.opened();
  for (const close of closing) await close();
  await expect(part.opened()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  await expect(part.db.open()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  expect(existsSync(join(folder.path, 'results.db-wal'))).toBe(false);
  await folder.remove();
});
