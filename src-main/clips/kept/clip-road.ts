import { CLIP_PATH, POSTER_NAME } from '../../../src-preload/contract/data-limits.ts';
import { rangedFile } from '../../base/ranged-file.ts';

/** Who knows where the file of a ticket lies. */
export interface TicketedFiles {
  /** Undefined for a ticket that is not valid. */
  fileOf(ticket: string, kind: 'video' | 'poster'): { path: string; container: string } | undefined;
}

const TYPES: Record<string, string> = { webm: 'video/webm', mp4: 'video/mp4', matroska: 'video/x-matroska' };

/**
 * Gives a clip to who has a ticket to it: `GET /data/clip/<ticket>`, as a whole or as one range of bytes; and with `/poster.jpg` after it, its picture.
 * @returns as {@link rangedFile}; 404 without a valid ticket
 */
export async function clipRoad(files: TicketedFiles, request: Request): Promise<Response> {
  const [, asked = ''] = new URL(request.url).pathname.split(`${CLIP_PATH}/`);
  const isPoster = asked.endsWith(`/${POSTER_NAME}`);
  return await rangedFile(request, () => {
    const ticket = isPoster ? asked.slice(0, -POSTER_NAME.length - 1) : asked;
    const file = files.fileOf(ticket, isPoster ? 'poster' : 'video');
    return file && { path: file.path, type: isPoster ? 'image/jpeg' : (TYPES[file.container] ?? 'video/webm') };
  });
}
