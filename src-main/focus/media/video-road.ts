import { FOCUS_VIDEO_PATH, STRIP_NAME } from '../../../src-preload/contract/focus-limits.ts';
import { rangedFile } from '../../base/ranged-file.ts';

/** The video itself, or small pictures of it. */
export type VideoKind = 'video' | 'strip';
const TYPES: Record<VideoKind, string> = { video: 'video/webm', strip: 'image/jpeg' };

/**
 * Gives a video to who has a ticket to it: `GET /focus/video/<ticket>`, as a whole or as one range of bytes; and with `/strip.jpg` after it, small pictures of
 * it.
 *
 * @param fileOf where lies what a ticket is for; undefined for one that is not valid
 * @returns as {@link rangedFile}; 404 without a valid ticket
 */
export async function videoRoad(
  fileOf: (ticket: string, kind: VideoKind) => string | undefined,
  request: Request,
): Promise<Response> {
  const [, asked = ''] = new URL(request.url).pathname.split(`${FOCUS_VIDEO_PATH}/`);
  const kind = asked.endsWith(`/${STRIP_NAME}`) ? 'strip' : 'video';
  return await rangedFile(request, () => {
    const path = fileOf(kind === 'strip' ? asked.slice(0, -STRIP_NAME.length - 1) : asked, kind);
    return path === undefined ? undefined : { path, type: TYPES[kind] };
  });
}
