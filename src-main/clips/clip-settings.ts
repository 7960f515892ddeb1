import { z } from 'zod';
import { MOST_FETCHED_BYTES } from '../../src-preload/contract/data-limits.ts';
import { nodeIdSchema } from '../../src-preload/contract/keys.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../base/setting.ts';
import { upload } from './dataset/data-set-settings.ts';
import { captioner, clipModels } from './models/clip-model-settings.ts';
import { sourceSettings } from './sources/source-settings.ts';

const data = {
  diskBudget: atOnce(
    z
      .int()
      .min(100_000_000)
      .max(100_000_000_000_000)
      .default(20_000_000_000)
      .meta(
        about(
          'Bytes that clips, and what was fetched for them, may take together; what was fetched gives way first, then nothing more is fetched.',
        ),
      ),
  ),
  mostFetched: atOnce(
    z
      .int()
      .min(10_000_000)
      .max(10_000_000_000)
      .default(MOST_FETCHED_BYTES)
      .meta(
        about(
          'Bytes that are fetched of a video at the most. More than 300 MB only of own folders: validators look at what is published, and fetch no more of it.',
        ),
      ),
  ),
  clipsPerVideo: atOnce(z.int().min(1).max(20).default(3).meta(about('Clips that are made of a video at the most.'))),
  ffmpeg: atOnce(
    z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .meta(
        about('Where ffmpeg is: the program, or its folder.', { isPath: 'always', shownDefault: 'as one types it' }),
      ),
  ),
  meshValidators: atOnce(
    z
      .array(nodeIdSchema)
      .max(1_000)
      .default([])
      .meta(
        about('Nodes of the mesh that are handed clips when they ask for some; nobody else there is.', {
          wanted: say('settings.wanted.nodeIds'),
        }),
      ),
  ),
  ...sourceSettings,
  models: clipModels,
  captioner,
  upload,
};

/** Clips of videos: how they are found, made and kept. */
export const clipSettings = section({ data: z.strictObject(data) });
