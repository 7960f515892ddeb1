import { access, constants } from 'node:fs/promises';
import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, configError, section, WEB_ADDRESS, webAddress } from '../base/setting.ts';
import { checkModelFolder } from './folder-check.ts';

/** A cap on what is downloaded or shared. */
export const bytesPerSecond = z.int().min(1_000).max(100_000_000_000);

const models = {
  folder: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(
      about('Folder of model files; on another drive, perhaps.', {
        isPath: 'always',
        shownDefault: '`models` in the data folder',
      }),
    ),
  endpoint: webAddress.default('https://huggingface.co').meta(
    about('Where models are searched and fetched: Hugging Face, or a mirror with the same paths.', {
      wanted: WEB_ADDRESS,
      env: 'HF_ENDPOINT',
    }),
  ),
  token: z
    .string()
    .min(1)
    .max(1_024)
    .optional()
    .meta(
      about(
        'Token for models that the endpoint gives only to those it knows. It is sent to that server and no other.',
        {
          secret: true,
          sentTo: 'models.endpoint',
          env: 'HF_TOKEN',
        },
      ),
    ),
  catalogues: z
    .array(z.string().min(1).max(4_096))
    .max(16)
    .default([])
    .meta(
      about('Further catalogue files; their entries replace those of the same name.', {
        wanted: say('settings.wanted.files'),
        isPath: 'always',
      }),
    ),
  downloadLimit: atOnce(
    bytesPerSecond.optional().meta(about('Bytes a second for all downloads together.', { shownDefault: 'no cap' })),
  ),
  fromPeers: z
    .boolean()
    .default(true)
    .meta(about('Whether model files are also fetched from other nodes of the mesh.')),
};

/** Where model files are, and where they come from. */
export const modelSettings = section(
  { models: z.strictObject(models) },
  {
    async checkFiles({ models: { folder, catalogues } }, changed) {
      if (folder !== undefined && changed.has('models.folder')) await checkModelFolder(folder);
      if (!changed.has('models.catalogues')) return;
      for (const path of catalogues) {
        await access(path, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
          throw configError(
            say('settings.catalogue', { path, code: String(code) }),
            say('settings.correctPath'),
            'models.catalogues',
          );
        });
      }
    },
  },
);
