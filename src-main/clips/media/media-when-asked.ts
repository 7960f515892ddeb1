import type { MediaTool } from './media.ts';
import type { MediaPlace } from './media-place.ts';
import { noMedia } from './media-words.ts';

/** Whoever reads videos, looked for whenever something is asked of it. @throws ENGINE_UNAVAILABLE where it is not there */
export function mediaWhenAsked(place: Pick<MediaPlace, 'tool'>): MediaTool {
  const tool = async () => {
    const found = await place.tool();
    if (found) return found;
    throw noMedia();
  };
  return {
    probe: async (...asked) => (await tool()).probe(...asked),
    scenes: async (...asked) => (await tool()).scenes(...asked),
    pictures: async (...asked) => (await tool()).pictures(...asked),
    sound: async (...asked) => (await tool()).sound(...asked),
    cut: async (...asked) => (await tool()).cut(...asked),
    jpeg: async (...asked) => (await tool()).jpeg(...asked),
  };
}
