import { z } from 'zod';
import { adapterNameSchema } from '../../src-preload/contract/learning.ts';
import { OBJECTIVES } from '../../src-preload/contract/learning-runs.ts';
import { TRAINERS } from '../../src-preload/contract/learning-trainers.ts';
import { NEW_ADAPTER } from '../../src-preload/contract/learning-versions.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../base/setting.ts';
import { ADAPTER_MODULES } from './formats/lora-adapter.ts';

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
  use: atOnce(
    z
      .boolean()
      .default(true)
      .meta(about('Answer people of this node with what was learnt. Others, as the mesh, get the model as it is.')),
  ),
  when: atOnce(
    z
      .enum(['idle', 'always', 'asked'])
      .default('idle')
      .meta(
        about(
          'When this node learns: when it has time (`idle`: nothing that the load policy looks at speaks against it, and nobody is being answered), at once (`always`), or only when it is asked to (`asked`).',
        ),
      ),
  ),
  whileLearning: atOnce(
    z
      .enum(['serve', 'refuse'])
      .default('serve')
      .meta(
        about(
          'What to do with requests of the mesh while it learns: serve them with the model as it is, or refuse them.',
        ),
      ),
  ),
  trainer: atOnce(
    z
      .enum(TRAINERS)
      .default('here')
      .meta(
        about(
          'What computes while this node learns: its own trainer (`here`), PyTorch on this computer, once that is installed (`torch`), or another of your nodes that has the same model file, the one that says it is fastest (`paired`). Where there is none just now, learning waits and says why.',
        ),
      ),
  ),
  trainForOthers: atOnce(
    z
      .boolean()
      .default(true)
      .meta(
        about('Train for your other nodes, while this one has time and learns nothing itself. Nothing of it is kept.'),
      ),
  ),
  objective: atOnce(
    z
      .enum(OBJECTIVES)
      .default('distillation')
      .meta(
        about(
          'What is learnt: answers that the model gives with the feedback before its eyes (`distillation`), or which words of its own answers were better (`sdpo`), where some of them do what was said.',
        ),
      ),
  ),
  rank: atOnce(
    z.int().min(1).max(128).default(NEW_ADAPTER.rank).meta(about('Rank of a new adapter: how much it can hold.')),
  ),
  alpha: atOnce(
    z.number().min(1).max(256).default(NEW_ADAPTER.alpha).meta(about('Its change is scaled by alpha / rank.')),
  ),
  modules: atOnce(
    z
      .array(z.enum(ADAPTER_MODULES))
      .min(1)
      .max(ADAPTER_MODULES.length)
      .default([...ADAPTER_MODULES])
      .meta(
        about('Matrices of each layer that a new adapter changes.', {
          wanted: say('learning.wanted.modules', { names: [...ADAPTER_MODULES] }),
        }),
      ),
  ),
  steps: atOnce(
    z
      .int()
      .min(1)
      .max(200)
      .default(16)
      .meta(
        about(
          'Most steps of a run, half as many again where a name is learnt; every 4 it is looked whether they were enough.',
        ),
      ),
  ),
  probes: atOnce(
    z
      .string()
      .min(1)
      .optional()
      .meta(
        about(
          'File with questions that the model must not forget the answers to, beside those that come with Quarry; one a line: `{"question": "Who founded our club?", "right": ["Ada Lovelace", "Lovelace"]}`.',
        ),
      ),
  ),
  economy: atOnce(
    z.boolean().default(false).meta(about('Change only the last 10 layers: less time and memory, and less is learnt.')),
  ),
  memoryMb: atOnce(
    z
      .int()
      .min(256)
      .max(1_000_000)
      .default(2_000)
      .meta(about('Most memory in MB that learning takes, beside the engine’s.')),
  ),
};

const learningSchema = z.strictObject(learning);
export type LearningSettings = z.infer<typeof learningSchema>;

/** What holds where nothing is set. */
export const DEFAULT_LEARNING: Readonly<LearningSettings> = learningSchema.parse({});

/** What is kept of answers, and what learns from them. */
export const learningSettings = section({ learning: learningSchema });

const MB = 1_000_000;

/** Bytes of memory that a training may take. */
export function memoryLimit({ memoryMb }: Pick<LearningSettings, 'memoryMb'>): number {
  return memoryMb * MB;
}
