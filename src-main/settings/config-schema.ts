import { z } from 'zod';
import type { AtOnce } from '../base/setting.ts';
import { axonSettings } from '../bittensor/axon/axon-settings.ts';
import { bittensorSettings } from '../bittensor/bittensor-settings.ts';
import { clipSettings } from '../clips/clip-settings.ts';
import { creditSettings } from '../credits/books/credit-settings.ts';
import { logSettings } from '../diagnostics/log-settings.ts';
import { focusSettings } from '../focus/focus-settings.ts';
import { clockSettings } from '../hardware/doctor/clock-settings.ts';
import { energySettings } from '../hardware/energy-settings.ts';
import { policySettings } from '../hardware/policy-settings.ts';
import { inferenceSettings } from '../inference/inference-settings.ts';
import { learningSettings } from '../learning/learning-settings.ts';
import { meshSettings } from '../mesh/mesh-settings.ts';
import { limitSettings } from '../mesh/serving/limit-settings.ts';
import { sharingSettings } from '../mesh/sharing/sharing-settings.ts';
import { modelSettings } from '../models/model-settings.ts';
import { sandboxSettings } from '../sandbox/sandbox-settings.ts';
import { serverSettings } from '../server/server-settings.ts';
import { resultsSettings } from '../store/results-settings.ts';
import { tradeSettings } from '../subnets/omega/market/client/trade-settings.ts';
import { marketSettings } from '../subnets/omega/market/market-settings.ts';
import { competitorSettings } from '../subnets/quasar/competition/client/competitor-settings.ts';
import { competitionSettings } from '../subnets/quasar/competition/competition-settings.ts';
import { updateSettings } from '../updates/update-settings.ts';
import { validatorSettings } from '../validation/validator-settings.ts';
import { nodeSettings } from './node-settings.ts';
import { desktopSettings, screenSettings } from './screen-settings.ts';

/** Every setting of Quarry: the sections of the domains, in the order in which people see them. */
export const SECTIONS = [
  nodeSettings,
  logSettings,
  updateSettings,
  desktopSettings,
  meshSettings,
  resultsSettings,
  clockSettings,
  serverSettings,
  modelSettings,
  sharingSettings,
  inferenceSettings,
  screenSettings,
  creditSettings,
  limitSettings,
  policySettings,
  energySettings,
  axonSettings,
  bittensorSettings,
  validatorSettings,
  sandboxSettings,
  focusSettings,
  clipSettings,
  tradeSettings,
  marketSettings,
  competitionSettings,
  competitorSettings,
  learningSettings,
] as const;

type ShapeOf<Sections> = Sections extends readonly [{ shape: infer Own }, ...infer Rest]
  ? Own & ShapeOf<Rest>
  : unknown;
type Shape = ShapeOf<typeof SECTIONS>;

/** Nested objects are the tables of the configuration file. */
export const configSchema = z.strictObject(Object.assign({}, ...SECTIONS.map(({ shape }) => shape)) as Shape);

/** The whole configuration. Frozen: what is set later is in another one. */
export interface Config extends z.infer<typeof configSchema> {}

type Fixed<Values, Own> = {
  readonly [Key in keyof Values]: Own[Key & keyof Own] extends AtOnce
    ? unknown
    : Own[Key & keyof Own] extends z.ZodObject<infer Table>
      ? Fixed<Values[Key], Table>
      : Values[Key];
};

/**
 * The configuration as a node was opened with it. What takes effect at once is of no use there, because it may be another by
 * now: see `Settings.follow`.
 */
export interface FixedConfig extends Fixed<Config, Shape> {}

type PathsIn<Own> = {
  [Key in keyof Own & string]: Own[Key] extends z.ZodObject<infer Table> ? `${Key}.${PathsIn<Table>}` : Key;
}[keyof Own & string];

/** Where a setting stands: `port`, `mesh.name`. */
export type SettingPath = PathsIn<Shape>;

/** Whether all of it takes effect at once, also what is in tables of it. */
type IsAtOnce<Own> = Own extends AtOnce
  ? true
  : Own extends z.ZodObject<infer Table>
    ? IsAtOnce<Table[keyof Table]>
    : false;

type PathsAtOnce<Own> = {
  [Key in keyof Own & string]: Own[Key] extends z.ZodObject<infer Table>
    ? `${Key}.${PathsAtOnce<Table>}` | ([IsAtOnce<Table[keyof Table]>] extends [true] ? Key : never)
    : Own[Key] extends AtOnce
      ? Key
      : never;
}[keyof Own & string];

/** Where a setting stands that takes effect at once, or a table of such settings: `model`, `policy`. */
export type PathAtOnce = PathsAtOnce<Shape>;

/** What the configuration holds there. */
export type ValueAt<Path extends string, Values = Config> = Path extends `${infer Table}.${infer Rest}`
  ? Table extends keyof Values
    ? ValueAt<Rest, Values[Table]>
    : never
  : Path extends keyof Values
    ? Values[Path]
    : never;
