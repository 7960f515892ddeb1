import type { Logger } from 'pino';
import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { type Saying, say, type Words } from '../../src-preload/contract/saying.ts';
import { isLoopbackUrl } from './loopback.ts';

/** What a setting says of itself, beside its type and default. */
export type SettingMeta = {
  /** For the documentation and the screens. */
  description: string;
  /** What a value must be, as a noun phrase, where the type alone does not say it. */
  wanted?: Saying;
  /** The default in words, where it depends on the machine. */
  shownDefault?: string;
  /** It takes effect without a restart. Set by {@link atOnce} and {@link readAnew}; any other waits for one. */
  atOnce?: 'followed' | 'read anew';
  /** Hidden wherever the configuration is shown. */
  secret?: boolean;
  /** Of a secret: the path of the setting that names the server to which it is sent. It is sent to no other. */
  sentTo?: string;
  /** Of a secret: what stands for one that cannot be read here, where that must not count as not set. */
  standIn?: (sealed: string) => string;
  /**
   * A path, or a list of them (`always`), or perhaps one (`maybe`, where a name may stand instead): a leading `~` and
   * relative parts are resolved, those of the file against the file's folder.
   */
  isPath?: 'always' | 'maybe';
  /** A further environment variable, for those who know it from elsewhere. */
  env?: string;
  /** Where other programs have it set, for the documentation: what {@link Section.elsewhere} takes over. */
  elsewhere?: string;
  /** What to do about a value that is not wanted. */
  hint?: Saying;
  /** The command-line option that sets it. */
  option?: SettingOption;
};

/** Where what other programs have set can be found. */
export interface Elsewhere {
  env: NodeJS.ProcessEnv;
  /** That relative paths of variables start from. */
  cwd: string;
  /** A file's text; undefined where there is none. @throws for one that cannot be read */
  readFile: (path: string) => string | undefined;
  /** What is set in Quarry itself, by path: it comes first. */
  own: ReadonlyMap<string, unknown>;
}

/** A value that another program has set. */
export interface TakenOver {
  path: string;
  value: string;
  /** Where it stands: the variable, the file. */
  origin: string;
  /** That a relative path starts from. */
  folder: string;
}

export interface SettingOption {
  /** As in the help: `--port <n>`; without a value for a switch that it turns on. */
  form: string;
  help: string;
  /** It works, but the help does not list it. */
  hidden?: boolean;
  /** The one command that takes it. Default: all do. */
  command?: string;
}

/** Settings that do not go together, or one that cannot be as it is. */
export interface Contradiction {
  /** Paths of the settings at fault. */
  between: string[];
  error: QuarryError;
}

/** Settings of one domain, whose values are `Values`. */
export interface Section<Shape extends z.core.$ZodShape = z.core.$ZodShape, Values = z.infer<z.ZodObject<Shape>>> {
  /** By their names. A `z.strictObject` is a table of the configuration file. */
  shape: Shape;
  /** What other programs have set for the same, and why some of it cannot be used. Never throws. */
  elsewhere?: (world: Elsewhere) => { taken: TakenOver[]; refused: QuarryError[] };
  /** The first rule over more than one setting that is broken. */
  contradiction?: (values: Values) => Contradiction | undefined;
  /**
   * Looks at the files that changed settings name: with a wrong one the node would not start again.
   * @throws CONFIG_INVALID
   */
  checkFiles?: (values: Values, changed: ReadonlySet<string>, log: Logger) => Promise<void>;
}

/** Settings of one domain; the list of all is `SECTIONS` of the settings. */
export function section<Shape extends z.core.$ZodShape>(
  shape: Shape,
  checks: Omit<Section<Shape>, 'shape'> = {},
): Section<Shape> {
  return { shape, ...checks };
}

/** For `.meta(…)` of a setting's schema. @param description a sentence, with its full stop */
export function about(description: string, more: Omit<SettingMeta, 'description' | 'atOnce'> = {}): SettingMeta {
  return { description, ...more };
}

declare const AT_ONCE: unique symbol;
/** Marks a setting's type, so that nobody takes its value from where it never changes. */
export type AtOnce = { readonly [AT_ONCE]: true };

/** A setting that a running node takes over at once: whoever uses it follows it. */
export function atOnce<Schema extends z.ZodType>(schema: Schema): Schema & AtOnce {
  return marked(schema, 'followed');
}

/** A setting that nobody holds: the screens ask for it whenever they need it, or the next start does. */
export function readAnew<Schema extends z.ZodType>(schema: Schema): Schema & AtOnce {
  return marked(schema, 'read anew');
}

function marked<Schema extends z.ZodType>(schema: Schema, how: SettingMeta['atOnce']): Schema & AtOnce {
  return schema.meta({ ...schema.meta(), atOnce: how }) as Schema & AtOnce;
}

/** A web address without a name or password: nothing sends them, and an address is shown where a secret never is. */
export const webAddress = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { username, password } = URL.parse(text) ?? {};
  return !username && !password;
});
export const WEB_ADDRESS = say('settings.wanted.url');

/** One over TLS, or of this computer: what goes over the line unencrypted goes no further. */
export const safeWebAddress = webAddress.refine((text) => {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || isLoopbackUrl(url));
});

/** An error in the configuration: what is wrong where, and what to do. */
export function configError(message: Words, hint: Words = say('settings.listed'), field?: string): QuarryError {
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint, field });
}
