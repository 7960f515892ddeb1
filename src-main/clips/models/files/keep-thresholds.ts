import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { type ClipModel, manifestSchemas, readClipModel, spaceOf, writeManifest } from './model-manifest.ts';

export type VectorModel = ClipModel<'pictures'> | ClipModel<'sounds'>;

/** From where on cosines mean something, by how many things that was measured, and when. */
export interface MeasuredThresholds {
  thresholds: NonNullable<VectorModel['manifest']['thresholds']>;
  by: number;
  /** Unix milliseconds. */
  at: number;
}

/**
 * Writes into a model's folder what was measured with it.
 * @throws MODEL_INVALID where another model lies there by now; CONFIG_INVALID where its folder cannot be written
 */
export async function keepThresholds(model: VectorModel, { thresholds, by, at }: MeasuredThresholds): Promise<void> {
  const { folder, manifest } = model;
  const now = await readClipModel(folder, manifest.kind);
  if (!now || spaceOf(now.manifest) !== spaceOf(manifest))
    throw new QuarryError({ code: 'MODEL_INVALID', message: say('clipCalibration.otherModel', { folder }) });
  const kept = manifestSchemas[manifest.kind].parse({ ...now.manifest, thresholds, measured: { by, at } }); // so that it can be read again
  try {
    await writeManifest(folder, kept);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new QuarryError(
      { code: 'CONFIG_INVALID', message: say('clipCalibration.notKept', { folder, reason }) },
      { cause },
    );
  }
}
