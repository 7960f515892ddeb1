import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { temporaryFolder } from '../support/quarry-process.ts';

it.each(['hosted-training/7/from/adapter.gguf', 'learning/torch/work-x/samples-1.safetensors'])(
  'what a kill left of what was learnt from goes with the next start, whatever that opens: %s',
  async (name) => {
    const folder = await temporaryFolder();
    try {
      const path = join(folder.path, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'left');
      await using _app = await createApp(loadConfig({ env: {}, flags: { dataDir: folder.path } }), {});
      expect(existsSync(path)).toBe(false);
    } finally {
      await folder.remove();
    }
  },
);
