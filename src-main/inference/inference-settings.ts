import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { DEFAULTS } from '../../src-preload/contract/defaults.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import {
  KV_CACHE_TYPES,
  MOST_CONTEXT,
  MOST_ROPE_FACTOR,
  ROPE_SCALINGS,
} from '../../src-preload/contract/long-context.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, configError, section, WEB_ADDRESS, webAddress } from '../base/setting.ts';
import { checkGguf } from '../gguf/model-file.ts';

const remote = {
  baseUrl: webAddress.optional().meta(
    about('OpenAI-compatible server (vLLM, llama-server, Ollama), up to and with its `/v1`.', {
      wanted: WEB_ADDRESS,
    }),
  ),
  apiKey: z
    .string()
    .min(1)
    .max(1_024)
    .optional()
    .meta(about('Key that it wants.', { secret: true, sentTo: 'remote.baseUrl' })),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta(about('Model to ask it for.', { shownDefault: 'the first that it lists' })),
};

/** A GPU’s number, or the id that NVIDIA gives it. */
const GPU = /^(\d{1,2}|GPU-[0-9a-f][0-9a-f-]{6,39})$/i;

const engine = {
  gpus: z
    .array(z.string().regex(GPU))
    .max(16)
    .default([])
    .meta(
      about('GPUs that the engine may use; the others are left alone.', {
        wanted: say('settings.wanted.gpus'),
        shownDefault: 'all',
      }),
    ),
  draftModel: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(
      about(
        'A much smaller model of the same family, installed or a .gguf file, that guesses what the own model says next. Where it is measured to pay, answers are written sooner; they are what the model would have said alone.',
        { wanted: say('settings.wanted.model'), isPath: 'maybe', shownDefault: 'none: nothing is guessed' },
      ),
    ),
  keepAliveMinutes: z
    .int()
    .min(0)
    .max(100_000)
    .default(10)
    .meta(
      about(
        'For how long a model stays in memory after its last question, where the node does not mine with it. Other models of the library are loaded when somebody asks for them by name.',
      ),
    ),
  vramReserveMb: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .meta(
      about(
        'GPU memory in MB that stays free for other programs, where Quarry chooses how much of a model goes onto the GPU.',
        {
          shownDefault: 'what llama.cpp leaves free: 8 %, at least 1 GB',
        },
      ),
    ),
  promptCacheMb: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(2_000)
    .meta(
      about(
        'Room in MB on the disk for long instructions (system message and tools) as the model has read them: after a restart they are not read again. Those that nobody used for longest go first; 0 keeps none, and removes what is kept. Of programs, those that send this node’s token have theirs kept.',
      ),
    ),
  promptCacheForOthers: z
    .boolean()
    .default(false)
    .meta(
      about(
        'Whether long instructions that others send over the mesh or an axon are kept, too: what they wrote stays on this disk then. Private conversations never do.',
      ),
    ),
};

const rope = {
  scaling: z
    .enum(ROPE_SCALINGS)
    .default('none')
    .meta(
      about(
        'How a model is made to read more tokens than it was trained for: `yarn`, or `linear` for one that was trained with it; `none` is as its file has it.',
      ),
    ),
  factor: z
    .number()
    .min(1)
    .max(MOST_ROPE_FACTOR)
    .default(2)
    .meta(
      about(
        'With `scaling`: so many times as many tokens. What is short is read a little worse, the more so the larger it is.',
      ),
    ),
  originalContext: z
    .int()
    .min(256)
    .max(MOST_CONTEXT)
    .optional()
    .meta(
      about('With `scaling`: the tokens that `factor` starts from.', {
        shownDefault: 'what the file says that the model was trained for',
      }),
    ),
};

const MODEL = say('settings.wanted.model');

const shape = {
  backend: z
    .enum(['local', 'remote'])
    .default('local')
    .meta(about('Where models run: in Quarry’s own engine, or on the server named under `[remote]`.')),
  model: atOnce(
    z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .meta(
        about('Name of an installed model, or path of a .gguf file.', {
          wanted: MODEL,
          isPath: 'maybe',
          option: { form: '--model <name>', help: 'installed model, or path of a .gguf file', command: 'start' },
          shownDefault: 'the one imported last, else the built-in one',
        }),
      ),
  ),
  gpuLayers: z
    .int()
    .min(-1)
    .max(10_000)
    .default(-1)
    .meta(about('Layers of the model on the GPU: −1 chooses what fits, 0 uses the CPU only.', { env: 'GPU_LAYERS' })),
  threads: z
    .int()
    .min(1)
    .max(1_024)
    .optional()
    .meta(about('CPU threads of the engine.', { shownDefault: 'physical cores − 1, at least 1' })),
  contextSize: z
    .int()
    .min(256)
    .max(MOST_CONTEXT)
    .optional()
    .meta(
      about('Tokens that one request may use, prompt and answer together.', {
        shownDefault: `${DEFAULTS.contextSize}, or less where model or memory allow no more`,
      }),
    ),
  parallel: z
    .int()
    .min(1)
    .max(256)
    .default(DEFAULTS.parallel)
    .meta(about('Requests that are decoded together; memory grows with `contextSize` × `parallel`.')),
  kvCache: z
    .enum(KV_CACHE_TYPES)
    .default(DEFAULTS.kvCache)
    .meta(
      about(
        'What the cache of a context keeps each number as: `q8_0` takes about half of the memory that `f16` does and `q4_0` about a quarter, and answers are a little and a good deal less exact. With another one than `f16`, others of the mesh cannot check answers.',
        {
          option: {
            form: '--kv-cache <type>',
            help: 'f16, q8_0 or q4_0: a smaller cache has room for a longer context',
            command: 'start',
          },
        },
      ),
    ),
  rope: z.strictObject(rope),
  remote: z.strictObject(remote),
  engine: z.strictObject(engine),
};

/** What runs models, and how. */
export const inferenceSettings = section(shape, {
  async checkFiles({ model }, changed) {
    if (model !== undefined && changed.has('model') && isAbsolute(model)) await checkModel(model);
  },
  contradiction({ backend, remote }) {
    if (backend !== 'remote' || remote.baseUrl) return undefined;
    const error = configError(say('settings.remoteWhere'), say('settings.setBaseUrl'), 'remote.baseUrl');
    return { between: ['backend', 'remote.baseUrl'], error };
  },
});

/** Of a file; names only the library knows. */
async function checkModel(path: string): Promise<void> {
  if (!path.endsWith('.gguf'))
    throw configError(say('settings.mustBe', { path: 'model', wanted: MODEL }), undefined, 'model');
  try {
    await checkGguf(path);
  } catch (error) {
    throw new QuarryError(
      { ...QuarryError.from(error).toJSON(), code: 'CONFIG_INVALID', field: 'model' },
      { cause: error },
    );
  }
}
