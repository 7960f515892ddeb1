import { FfmpegTool } from '../../src-main/clips/media/ffmpeg-tool.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { mediaToolContract } from '../support/media-tool-contract.ts';

const programs = await findMediaTool();
const lacking = 'lacks' in programs ? 'there is no ffmpeg' : undefined;

mediaToolContract(
  'ffmpeg',
  async () => {
    if ('lacks' in programs) throw new Error(lacking);
    return new FfmpegTool({ programs });
  },
  lacking,
);
