import { resolve } from 'node:path';
import type { InlineConfig } from 'vite';

/**
 * Bundles the page that trains on the GPU: the same sources as the trainer's process, and nothing of the screens.
 * @param project its top folder
 */
export function trainerPage(project: string, outDir: string): InlineConfig {
  const root = resolve(project, 'src-main/learning/training/page');
  return {
    configFile: false,
    logLevel: 'error',
    root,
    base: './',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome140',
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: resolve(root, 'trainer.html') },
    },
  };
}
