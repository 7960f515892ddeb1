import { FOCUS_VIDEO_PATH } from '../../../src-preload/contract/focus-limits.ts';
import { videoRoad } from '../../focus/media/video-road.ts';
import type { GiveFile } from '../../subnets/omega/market/server/answers.ts';

/** Videos that were bought go the road of one's own: whole, or a range of bytes. */
export const giveFile: GiveFile = (path, range) => {
  const headers: Record<string, string> = range === undefined ? {} : { range };
  return videoRoad(() => path, new Request(`http://market${FOCUS_VIDEO_PATH}/x`, { headers }));
};
