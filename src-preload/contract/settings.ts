import { oc } from '@orpc/contract';
import { z } from 'zod';
import { boundedRecord } from './bounded.ts';
import { errorSchema } from './error-schema.ts';
import { MAX_CHANGES } from './limits.ts';
import { saidSchema } from './saying-schema.ts';

/** Each over the one before; `elsewhere` is what another program has set. */
export const SETTING_ORIGINS = ['default', 'elsewhere', 'file', 'app', 'environment', 'command line'] as const;

/** A setting, its value now, and who gave it. */
export const settingSchema = z.object({
  /** As in docs/configuration.md: `policy.onBattery`. */
  path: z.string(),
  type: z.enum(['number', 'string', 'list', 'switch']),
  /** JSON; absent where nothing is set, and always for secrets. */
  value: z.unknown().optional(),
  /** JSON; absent where the default depends on the machine, or there is none. */
  defaultValue: z.unknown().optional(),
  /** The default in words, where it depends on the machine. */
  shownDefault: z.string().optional(),
  origin: z.enum(SETTING_ORIGINS),
  /** Hidden: only whether it is set is told. */
  secret: z.boolean(),
  isSet: z.boolean(),
  description: z.string(),
  /** What a value must be, as a noun phrase. */
  wanted: z.string(),
  /** Of a secret: why it is not used, and what to do. It was set for another server than the one that is set now. */
  withheld: z.string().optional(),
  choices: z.array(z.string()).optional(),
  /** Of a number: it must be a whole one. */
  whole: z.boolean().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  /** `now` takes effect at once, the others when the node is started again. */
  applies: z.enum(['now', 'restart']),
  /** It was changed, but the running node does not know yet. */
  waitsForRestart: z.boolean(),
  said: saidSchema,
});
export type Setting = z.infer<typeof settingSchema>;

export const settingsViewSchema = z.object({
  settings: z.array(settingSchema),
  /** At least one waits for a restart. */
  restartNeeded: z.boolean(),
  /**
   * Why the node could not be opened with what is set in the app. It runs with what was set there before, and what is set
   * waits for a restart. Gone once something else is set that wants one.
   */
  rejected: errorSchema.optional(),
  /** Where changes are written. */
  file: z.string(),
});
export type SettingsView = z.infer<typeof settingsViewSchema>;

export const settingsContract = {
  list: oc.output(settingsViewSchema),
  /**
   * Sets one or more, all or none; null goes back to what the file or the default says.
   * @throws CONFIG_INVALID with the setting at fault, and for one that the environment or the command line holds
   */
  set: oc
    .input(z.object({ changes: boundedRecord(z.string().max(100), z.unknown(), MAX_CHANGES) }))
    .output(settingsViewSchema),
  /** Makes a new API token and sets it. It is shown this once. */
  newApiToken: oc.output(z.object({ token: z.string() })),
};
