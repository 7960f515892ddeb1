import { resolve } from 'node:path';
import { defineConfig } from 'electron-vite';

const entry = (name: string) => resolve(import.meta.dirname, 'src-main', name);

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rolldownOptions: {
        input: {
          cli: entry('cli.ts'),
          'engine-child': entry('inference/engine-child.ts'),
          'hash-thread': entry('models/downloads/hash-thread.ts'),
          'mesh-worker': entry('bench/mesh-worker.ts'),
          'model-seeder': entry('bench/model-seeder.ts'),
          'file-server': entry('bench/file-server.ts'),
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          // Beside the entries: modules find the modules of their child processes next to themselves.
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  },
});
