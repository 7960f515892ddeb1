import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { dataNames } from '../../base/data-folder.ts';
import { makeFolder } from '../../base/folder.ts';
import { configError } from '../../base/setting.ts';
import { ifMissing } from '../../base/swallowed.ts';

/** Says that the nodes below are a demonstration's. */
const MARK = 'quarry-demo.txt';

/** Where the nodes of a demonstration keep their things. Disposing of it removes it, unless it is to be kept. */
export interface DemoFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * @param kept a folder that stays, and in which the demonstration can be started again. Default: a temporary one
 * @throws CONFIG_INVALID when it holds a real node, or anything else that is no demonstration's
 */
export async function openDemoFolder(kept: string | undefined): Promise<DemoFolder> {
  if (kept === undefined) {
    const path = await mkdtemp(join(tmpdir(), 'quarry-demo-'));
    return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
  }
  const there = (await readdir(kept).catch(ifMissing)) ?? [];
  const ofANode = dataNames(({ marksANode }) => marksANode);
  if (there.some((name) => ofANode.includes(name))) throw refused(say('node.demoRealNode', { dataDir: kept }));
  if (there.length > 0 && !there.includes(MARK)) throw refused(say('node.demoOtherFiles', { dataDir: kept }));
  await makeFolder(kept, 0o700);
  await writeFile(
    join(kept, MARK),
    'The nodes of a demonstration: quarry start --demo. Nothing here is worth anything.\n',
  );
  return { path: kept, [Symbol.asyncDispose]: async () => {} };
}

function refused(message: Saying): QuarryError {
  return configError(message, say('node.demoFolder'), 'dataDir');
}
