import { z } from 'zod';
import { adapterNameSchema } from '../../src-preload/contract/learning.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../base/setting.ts';

const learning = {
  keep: atOnce(
    z
      .boolean()
      .default(true)
      .meta(
        about(
          'Keep answers of this node’s own model, with their questions, so that feedback can refer to them. Never kept is what others ask: the mesh, validators, private conversations.',
        ),
      ),
  ),
  keepDays: atOnce(
    z
      .int()
      .min(1)
      .max(3_650)
      .default(30)
      .meta(about('Days for which they are kept. Those that feedback refers to stay.')),
  ),
  keepMb: atOnce(z.int().min(1).max(100_000).default(200).meta(about('Most megabytes of them; the oldest go first.'))),
  adapter: atOnce(
    adapterNameSchema
      .default('personal')
      .meta(about('Name of the adapter that learns from feedback.', { wanted: say('learning.wanted.adapter') })),
  ),
};

/** What is kept of answers, and what learns from them. */
export const learningSettings = section({ learning: z.strictObject(learning) });
