import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeWhole } from '../../../src-main/base/atomic-folder.ts';
import { onPath } from '../../../src-main/base/on-path.ts';
import { type FakeWorld, makeFakeWorld } from './make-world.ts';
import { espeak } from './speech.ts';

/** All that is planted comes in so many clips once. */
export const FEW_CLIPS = 12;
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/quarry-fake-world');

/**
 * The fake world for tests, which read it and write nothing into it. Made once, and kept until what draws it or the programs are others.
 * @returns undefined, loudly, where there is no ffmpeg or no espeak-ng
 */
export async function fakeWorld(count = FEW_CLIPS): Promise<FakeWorld | undefined> {
  const lacking = ['ffmpeg', 'ffprobe', 'espeak-ng'].filter((program) => !onPath(program));
  if (lacking.length > 0) {
    process.stderr.write(`\n!!! skipped: the fake world wants ${lacking.join(' and ')}.\n\n`);
    return undefined;
  }
  const folder = join(CACHE, `${count}-${fingerprint()}`);
  if (!existsSync(folder)) await make(folder, count);
  return { folder, clips: JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).clips };
}

async function make(folder: string, count: number): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  try {
    await makeWhole(folder, async (temporary) => {
      await makeFakeWorld(temporary, count);
    });
  } catch (error) {
    // Another process of the same run was quicker.
    if (!existsSync(folder)) throw error;
  }
}

/** Of what draws it: another one makes another world. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(import.meta.dirname).sort())
    hash.update(readFileSync(join(import.meta.dirname, file)));
  for (const [program, flag] of [
    ['ffmpeg', '-version'],
    [espeak() as string, '--version'],
  ] as const)
    hash.update(execFileSync(program, [flag], { encoding: 'utf8' }));
  return hash.digest('hex').slice(0, 16);
}
