import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { writeAtomically } from '../../base/atomic-file.ts';
import { parsedJson } from '../../base/json-text.ts';
import { ifMissing } from '../../base/swallowed.ts';
import type { RecordingFiles } from '../recording/recording-files.ts';

/** The last link of the chain that a video was made of, which stands for all before it, and how long its file was then. */
const madeOfSchema = z.strictObject({ link: z.string(), bytes: z.int() });
type MadeOf = z.infer<typeof madeOfSchema>;

/** Keeps beside a recording’s video what it was made of. */
export async function noteMadeOf(files: RecordingFiles, id: string, madeOf: MadeOf): Promise<void> {
  await writeAtomically(files.aboutVideo(id), JSON.stringify(madeOf), 0o600);
}

/** Whether a recording’s video is there, as it was made, and of just these chunks: whatever a clock said meanwhile. @param link of the last of them */
export async function isMadeOf(files: RecordingFiles, id: string, link: string): Promise<boolean> {
  const [video, text] = [
    await stat(files.video(id)).catch(ifMissing),
    await readFile(files.aboutVideo(id), 'utf8').catch(ifMissing),
  ];
  const told = text === undefined ? undefined : madeOfSchema.safeParse(parsedJson(text)).data;
  return video !== undefined && told?.link === link && told.bytes === video.size;
}
