import { z } from 'zod';
import { nodeIdSchema } from '../../../src-preload/contract/keys.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../../base/setting.ts';
import { bytesPerSecond } from '../../models/model-settings.ts';

const sharing = {
  seed: z
    .boolean()
    .default(false)
    .meta(about('Whether every downloaded model of the catalogue is shared with other nodes.')),
  uploadLimit: atOnce(
    bytesPerSecond.default(2_000_000).meta(about('Bytes a second for sharing models, all peers together.')),
  ),
  diskLimit: z.int().min(0).default(50_000_000_000).meta(about('Bytes on disk that shared copies of models may take.')),
  trustedSigners: z
    .array(nodeIdSchema)
    .max(1_000)
    .default([])
    .meta(
      about('Nodes whose word is enough for what a model’s name stands for.', {
        wanted: say('settings.wanted.nodeIds'),
      }),
    ),
};

/** What is shared with other nodes, and whom this one believes. */
export const sharingSettings = section({ sharing: z.strictObject(sharing) });
