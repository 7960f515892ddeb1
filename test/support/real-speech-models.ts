import { dirname } from 'node:path';
import type { ClipModel } from '../../src-main/clips/models/files/model-manifest.ts';
import {
  findRealModel,
  type RealModel,
  SILERO,
  WHISPER_DECODER,
  WHISPER_ENCODER,
  WHISPER_TOKENS,
} from './real-models.ts';

/** Silero's detector of voices; undefined, loudly, where it was not fetched. */
export async function realVoiceModel(): Promise<ClipModel<'voice'> | undefined> {
  const path = await findRealModel(SILERO);
  if (path === undefined) return undefined;
  const files = { voice: fileOf(SILERO) };
  return {
    folder: dirname(path),
    manifest: { kind: 'voice', name: 'silero-vad', licence: 'MIT', rate: 16_000, files },
  };
}

/** Whisper tiny; undefined, loudly, where it was not fetched. */
export async function realWordsModel(): Promise<ClipModel<'words'> | undefined> {
  const [encoder, ...others] = await Promise.all([WHISPER_ENCODER, WHISPER_DECODER, WHISPER_TOKENS].map(findRealModel));
  if (encoder === undefined || others.includes(undefined)) return undefined;
  const files = {
    encoder: fileOf(WHISPER_ENCODER),
    decoder: fileOf(WHISPER_DECODER),
    tokens: fileOf(WHISPER_TOKENS),
  };
  return {
    folder: dirname(encoder),
    manifest: { kind: 'words', name: 'whisper-tiny-en', licence: 'MIT', rate: 16_000, language: '', files },
  };
}

const fileOf = ({ file, sha256 }: RealModel) => ({ path: file, sha256 });
