import { expect, it, vi } from 'vitest';
import { ZodError } from 'zod';
import { keepThresholds } from '../../../../../src-main/clips/models/files/keep-thresholds.ts';
import { tinyModel } from '../../../../support/tiny-clip-models.ts';

vi.mock('../../../../../src-main/base/atomic-file.ts', async (original) => ({
  ...(await original<object>()),
  writeAtomically: async () => {
    throw new Error('EROFS: read-only file system');
  },
}));

it('says which folder cannot be written', async () => {
  const model = await tinyModel('tiny-pictures', 'pictures');
  const thresholds = { same: 0.9, novel: 0.1, unrelated: 0.05, closest: 0.2 };
  await expect(keepThresholds(model, { thresholds, by: 60, at: 5 })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/tiny-pictures.*read-only file system/),
  });
});

it('writes nothing that could not be read again', async () => {
  const model = await tinyModel('tiny-pictures', 'pictures');
  const thresholds = { same: Number.NaN, novel: 0.1, unrelated: 0.05, closest: 0.2 };
  await expect(keepThresholds(model, { thresholds, by: 60, at: 5 })).rejects.toBeInstanceOf(ZodError);
});
