import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TINY_MODEL } from '../support/engine.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

const STAYS = 'The node that runs keeps its model';

it('tells of a node that keeps its model only where one runs', async () => {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'own.gguf');
  await copyFile(TINY_MODEL, file);
  const data = ['--data', join(folder.path, 'data')];
  const alone = await quarry(['models', 'import', file, '--name', 'own', ...data]);
  expect(alone.stdout).toMatch(/^Imported own .*\. The next `quarry start` serves it\.$/m);
  expect(alone.stdout).not.toContain(STAYS);

  const client = ['start', '--headless', '--role', 'client', '--port', '0', '--bootstrap', '127.0.0.1:9'];
  const node = new QuarryProcess([...client, ...data]);
  await node.printed(/Ready/);
  const beside = await quarry(['models', 'import', file, '--name', 'own', ...data]);
  expect(beside.stdout).toContain(STAYS);
  await node.stop();
  await folder.remove();
});
