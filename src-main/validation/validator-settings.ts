import { z } from 'zod';
import { hexPattern } from '../../src-preload/contract/limits.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { MOST_ENVIRONMENTS } from '../../src-preload/contract/validator.ts';
import { LAYER_RULES, WEIGHT_WAYS } from '../../src-preload/contract/validator-names.ts';
import { about, atOnce, section, WEB_ADDRESS, webAddress } from '../base/setting.ts';
import { SOUNDS_SHARE } from './scoring/presets.ts';

const name = z.string().min(1).max(64);

/** Validators of one database. */
const MOST_TRUSTED = 64;

/** The validator: whom it asks what, and what it does with that. All of it counts from the next challenge on. */
const validator = z.strictObject({
  enabled: atOnce(
    z
      .boolean()
      .optional()
      .meta(
        about('Whether miners are asked as soon as the node is started: whoever starts or stops it sets this.', {
          shownDefault: 'on for the role validator, else off',
        }),
      ),
  ),
  environments: atOnce(
    z
      .array(name)
      .max(MOST_ENVIRONMENTS)
      .optional()
      .meta(
        about('What is asked: see «quarry validator environments».', {
          wanted: say('settings.wanted.environments'),
          shownDefault: 'those of Affine that need no data set',
        }),
      ),
  ),
  level: atOnce(name.optional().meta(about('How hard, for tasks that have this level.', { shownDefault: 'usual' }))),
  concurrency: atOnce(
    z.int().min(1).max(1_000).default(30).meta(about('Challenges that are asked at once, of all miners together.')),
  ),
  perMiner: atOnce(z.int().min(1).max(100).default(2).meta(about('Challenges that one miner is asked at once.'))),
  perHour: atOnce(
    z
      .int()
      .min(1)
      .max(100_000)
      .default(120)
      .meta(
        about(
          'Questions that one miner is asked in an hour, by this validator; those of five minutes may come at once, and further tries are not counted.',
        ),
      ),
  ),
  timeout: atOnce(z.int().min(1).max(3_600).default(180).meta(about('Seconds that a miner has for an answer.'))),
  retries: atOnce(
    z.int().min(0).max(10).default(1).meta(about('Further tries where no answer came for a reason that may pass.')),
  ),
  maxTokens: atOnce(z.int().min(1).max(100_000).default(4_096).meta(about('Tokens of an answer, at most.'))),
  mesh: atOnce(
    z
      .boolean()
      .default(false)
      .meta(about('Whether workers of the mesh are asked, which costs credits like any question.')),
  ),
  netuid: atOnce(
    z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .meta(about('Subnet of Bittensor whose axons are asked, and on which weights are set.')),
  ),
  wallet: atOnce(name.optional().meta(about('Wallet of the hotkey that asks axons, and sets weights.'))),
  hotkey: atOnce(name.default('default').meta(about('Hotkey of that wallet; it is registered on the subnet.'))),
  datasetServer: atOnce(
    webAddress.default('https://datasets-server.huggingface.co').meta(
      about('Where rows of data sets are fetched: Hugging Face, or a server with the same paths.', {
        wanted: WEB_ADDRESS,
      }),
    ),
  ),
  days: atOnce(z.int().min(1).max(3_650).default(30).meta(about('Results that count for weights: of so many days.'))),
  keepDays: atOnce(
    z
      .int()
      .min(1)
      .max(3_650)
      .default(90)
      .meta(
        about(
          'Results that are kept: of so many days, and of no fewer than `validator.days`. Older ones are forgotten about once an hour.',
        ),
      ),
  ),
  trust: atOnce(
    z
      .array(z.string().regex(hexPattern(32)))
      .max(MOST_TRUSTED)
      .default([])
      .meta(
        about(
          'Other validators of the same database whose results count beside this node’s own: see «quarry validator id».',
          {
            wanted: say('settings.wanted.trust'),
            shownDefault: 'own results alone',
          },
        ),
      ),
  ),
  preset: atOnce(
    name.optional().meta(
      about('Constants by which miners are compared: see «quarry validator weights --help».', {
        shownDefault: 'the usual ones',
      }),
    ),
  ),
  layers: atOnce(
    z
      .enum(LAYER_RULES)
      .optional()
      .meta(about('What winning in several tasks together is worth.', { shownDefault: 'as usual with `preset`' })),
  ),
  soundsShare: atOnce(
    z
      .number()
      .min(0)
      .max(1)
      .default(SOUNDS_SHARE)
      .meta(
        about('With the constants of «omega»: what sounds of speech count of all, 0 to 1; the rest is that of videos.'),
      ),
  ),
  burn: atOnce(z.number().min(0).max(1).default(0).meta(about('The share of all weight that goes to nobody, 0 to 1.'))),
  setWeights: atOnce(
    z
      .enum(WEIGHT_WAYS)
      .default('off')
      .meta(
        about(
          'Whether weights are set on the chain, by the hotkey of this machine or by a signer: see «quarry validator signer».',
        ),
      ),
  ),
  signerUrl: atOnce(
    webAddress.optional().meta(about('Where the signer is, such as http://127.0.0.1:8092.', { wanted: WEB_ADDRESS })),
  ),
  signerToken: atOnce(
    z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .meta(about('What the signer wants to be told.', { secret: true, sentTo: 'validator.signerUrl' })),
  ),
});
export type ValidatorSettings = z.infer<typeof validator>;

export const validatorSettings = section({ validator });
