import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CLIP_MODEL_KINDS, type ClipModelKind } from '../../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { sha256Schema } from '../../../../src-preload/contract/keys.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { writeAtomically } from '../../../base/atomic-file.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { openRegular, readAtMost } from '../../../base/regular-file.ts';
import { sha256 } from '../../../base/sha256.ts';
import { ifMissing } from '../../../base/swallowed.ts';
import { SOUND_RATE, SPEECH_RATE } from '../../media/sound-rates.ts';

/** What a model's folder says of itself: models/README.md has what the fields mean to a person. */
export const MANIFEST_FILE = 'quarry-clip-model.json';

/** What a model is for. */
export const MODEL_KINDS = CLIP_MODEL_KINDS;
export type ModelKind = ClipModelKind;

const MAX_MANIFEST_BYTES = 65_536;
/** Numbers of a vector. */
const MAX_VECTOR = 4_096;
const MAX_TOKENS = 4_096;
/** Of the sides of what a model of pictures sees, pixels. */
const MAX_SIDE = 1_024;

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,59}$/);
const tensor = z.string().min(1).max(100);
const tokenId = z.int().min(0).max(10_000_000);

/** A file in the model's folder, and in no other. */
export const modelFileSchema = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(/^\w[\w.-]*(\/\w[\w.-]*)*$/),
  sha256: sha256Schema,
  /** Looked at before the hash, where it is known. */
  bytes: z.int().min(1).optional(),
});
export type ModelFile = z.infer<typeof modelFileSchema>;

const textSchema = z.strictObject({
  ids: tensor.default('input_ids'),
  /** Null where it wants none. */
  mask: tensor.nullable().default(null),
  output: tensor,
  /** Most tokens that it reads at once, with those before and after. */
  length: z.int().min(8).max(MAX_TOKENS),
  /** Whether it wants as many always: what is missing is filled up. */
  isPadded: z.boolean().default(false),
  padding: tokenId.default(0),
  before: z.array(tokenId).max(8).default([]),
  after: z.array(tokenId).max(8).default([]),
  lowercase: z.boolean().default(false),
});
export type TextShape = z.infer<typeof textSchema>;

const three = z.tuple([z.number(), z.number(), z.number()]);
const pictureSchema = z.strictObject({
  input: tensor.default('pixel_values'),
  output: tensor,
  /** Pixels of each side. Pictures are stretched to it. */
  side: z.int().min(16).max(MAX_SIDE),
  resize: z.enum(['bilinear', 'bicubic']),
  /** Of red, green and blue, 0 to 1. */
  mean: three,
  deviation: three.refine((values) => values.every((value) => value > 0)),
});
export type PictureShape = z.infer<typeof pictureSchema>;

const soundSchema = z.strictObject({
  input: tensor.default('input_features'),
  output: tensor,
  rate: z.literal(SOUND_RATE),
  /** That it hears at once. */
  seconds: z.int().min(1).max(30),
  /** Bands of the mel scale, samples of a window, and from one window to the next. */
  bands: z.int().min(8).max(256),
  window: z.int().min(256).max(4_096).refine(isPowerOfTwo),
  hop: z.int().min(64).max(4_096),
  /** Hertz. */
  lowest: z.number().min(0).max(1_000),
  highest: z
    .number()
    .min(1_000)
    .max(SOUND_RATE / 2),
});
export type SoundShape = z.infer<typeof soundSchema>;

/**
 * With a higher `closest` lying about clips would pay: of ten submissions one is looked at, and who is found to lie loses five points. Whoever makes up vectors can earn
 * (0.7·c + 1.3·(2c + 0.5) ÷ 3) ÷ 2, and nine times that has to be less than five: it is so below 0.57 (OMEGA, B2 and B5).
 */
export const MOST_CLOSENESS = 0.5;

/**
 * What no model may say, whatever was measured:
 * - a clip can be as close as √½ to what was made up of its topic and its description alone (½ to each), and that must never pass for the clip;
 * - two honest readings are 0.9999 alike, and above 0.99 (8°) another build of ffmpeg would cost an honest miner five points.
 */
export const [LEAST_SAME, MOST_SAME] = [0.71, 0.99] as const;

/** From where on cosines mean something among these vectors. They differ from one pair of models to another: the room `clips/calibration` measures them. */
export const thresholdsSchema = z.strictObject({
  /** Two clips closer than this are the same one, and so are two readings of one clip. */
  same: z.number().min(LEAST_SAME).max(MOST_SAME),
  /** A clip whose distance (1 − cosine) to what is known is below this is known. */
  novel: z.number().min(0).max(1),
  /** A part of a description that is less close to its clip says nothing about it. */
  unrelated: z.number().min(-1).max(1),
  /** Hardly any clip is closer to words than this: what claims to be counts as this close. */
  closest: z.number().min(0).max(MOST_CLOSENESS),
});

const file = modelFileSchema;
const rate = z.literal(SPEECH_RATE);
/** Weights may lie in a file beside. */
const beside = z.array(modelFileSchema).max(4).default([]);
const vectorFiles = z.strictObject({ encoder: file, text: file, tokenizer: file, beside });
const about = {
  name,
  /** SPDX identifier, or the name that its publisher uses. */
  licence: z.string().min(1).max(100),
};
const vectors = {
  files: vectorFiles,
  text: textSchema,
  /** Numbers of a vector. */
  size: z.int().min(2).max(MAX_VECTOR),
  thresholds: thresholdsSchema.nullable().default(null),
  /** By how many clips, pictures or sounds they were measured, and when, Unix milliseconds; null where nobody noted it. */
  measured: z
    .strictObject({ by: z.int().min(1), at: z.number().min(0) })
    .nullable()
    .default(null),
};

/** What a folder says of itself, by what its model is for. */
export const manifestSchemas = {
  pictures: z.strictObject({ kind: z.literal('pictures'), ...about, ...vectors, picture: pictureSchema }),
  sounds: z.strictObject({ kind: z.literal('sounds'), ...about, ...vectors, sound: soundSchema }),
  voice: z.strictObject({ kind: z.literal('voice'), ...about, rate, files: z.strictObject({ voice: file }) }),
  words: z.strictObject({
    kind: z.literal('words'),
    ...about,
    rate,
    /** As sherpa-onnx wants Whisper; empty finds the language itself. */
    language: z.string().max(10).default(''),
    files: z.strictObject({ encoder: file, decoder: file, tokens: file }),
  }),
  speakers: z.strictObject({
    kind: z.literal('speakers'),
    ...about,
    rate,
    /** How unlike two voices are that are two people's; of the model that tells them apart. */
    threshold: z.number().min(0).max(2).default(0.5),
    files: z.strictObject({ segmentation: file, embedding: file }),
  }),
} satisfies Record<ModelKind, z.ZodType>;
export type ManifestOf<Kind extends ModelKind> = z.infer<(typeof manifestSchemas)[Kind]>;
export type ModelManifest = ManifestOf<ModelKind>;

/** A model that lies on this computer. Its files are held to their hashes before they are loaded. */
export interface ClipModel<Kind extends ModelKind> {
  folder: string;
  manifest: ManifestOf<Kind>;
}
/** Whatever it is for. */
export type AnyClipModel =
  | ClipModel<'pictures'>
  | ClipModel<'sounds'>
  | ClipModel<'voice'>
  | ClipModel<'words'>
  | ClipModel<'speakers'>;

/** One of these as it is told to another process. */
export function clipModelSchema<Kind extends ModelKind>(kind: Kind) {
  return z.strictObject({ folder: z.string().min(1), manifest: manifestSchemas[kind] });
}

/**
 * What lies in a folder of models.
 * @returns null where there is no folder, or nothing that says what it is
 * @throws MODEL_INVALID where it is another kind of model, or what it says of itself makes no sense
 */
export async function readClipModel<Kind extends ModelKind>(
  folder: string,
  kind: Kind,
): Promise<ClipModel<Kind> | null> {
  const text = await manifestText(join(folder, MANIFEST_FILE));
  if (text === null) return null;
  const { data } = manifestSchemas[kind].safeParse(parsedJson(text));
  if (!data)
    throw new QuarryError({
      code: 'MODEL_INVALID',
      message: say('clipModels.badManifest', { folder }),
      hint: say('clipModels.badManifest.hint'),
    });
  return { folder, manifest: data as ManifestOf<Kind> };
}

/** Null where there is none; empty where it is no file, which might never end, or is too long. */
async function manifestText(path: string): Promise<string | null> {
  const file = await openRegular(path).catch(ifMissing);
  if (!file) return (await stat(path).catch(ifMissing)) ? '' : null;
  await using opened = file;
  return (await readAtMost(opened, MAX_MANIFEST_BYTES)) ?? '';
}

/** Makes a folder the model that this says it is, whole or not at all. @throws what the file system throws */
export async function writeManifest(folder: string, manifest: ModelManifest): Promise<void> {
  await writeAtomically(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** All files of a model. */
export function filesOf({ files }: Pick<ModelManifest, 'files'>): ModelFile[] {
  return Object.values(files).flat();
}

/** What numbers of one model have in common: its name, and what its files are. */
export function spaceOf(manifest: ModelManifest): string {
  const hashes = filesOf(manifest).map(({ sha256: hash }) => hash);
  return `${manifest.name}@${sha256(hashes.sort().join('\n')).toString('hex').slice(0, 12)}`;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}
