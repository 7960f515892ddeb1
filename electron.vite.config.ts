import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';
import { trainerPage } from './build/trainer-page.ts';

const root = import.meta.dirname;
const entry = (name: string) => resolve(root, 'src-main', name);

/** Writes a compressed copy beside each script and style: the server sends that to browsers that take it. */
function compressedCopies(): Plugin {
  return {
    name: 'quarry:compressed-copies',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/\.(js|css)$/.test(file.fileName)) continue;
        const content = file.type === 'chunk' ? file.code : file.source;
        writeFileSync(join(dir, `${file.fileName}.br`), brotliCompressSync(content));
      }
    },
  };
}

/**
 * Lets the frame that index.html draws be painted before the styles have come: they hold up nothing, because they are said to be for
 * paper until they are there, and main.tsx waits for them. They stay in the head, before what pages bring along: of rules that weigh the
 * same the later one wins.
 */
function stylesBehindFrame(): Plugin {
  const STYLES = /<link rel="stylesheet"([^>]*)>/g;
  return {
    name: 'quarry:styles-behind-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace(
          STYLES,
          (_, file) => `<link rel="preload" as="style"${file}><link rel="stylesheet" media="print"${file}>`,
        ),
    },
  };
}

/** Builds the page that trains on the GPU beside main, which opens it. */
function pageOfTrainer(): Plugin {
  return {
    name: 'quarry:trainer-page',
    apply: 'build',
    async closeBundle() {
      await build(trainerPage(root, resolve(root, 'out/trainer')));
    },
  };
}

/**
 * Packages that go into the bundle: a thousand small files less to find and to read, with which every command starts in half the time. Not among them is what has
 * machine code, WebAssembly or workers of its own, nor what such packages share.
 */
const BUNDLED = [
  '@cfworker/json-schema',
  '@fastify/cookie',
  '@fastify/static',
  '@fastify/websocket',
  '@huggingface/jinja',
  '@orpc/client',
  '@orpc/contract',
  '@orpc/server',
  '@orpc/standard-server-peer',
  '@prometheus-io/client',
  'canonicalize',
  'cli-progress',
  'cli-table3',
  'commander',
  'csv-stringify',
  'env-paths',
  'eventsource-parser',
  'fastest-levenshtein',
  'fastify',
  'js-yaml',
  'jsep',
  'kysely',
  'lru-cache',
  'mediabunny',
  're2js',
  'smol-toml',
  'undici',
  'ws',
  'yauzl',
  'yazl',
  'zod',
];

export default defineConfig({
  main: {
    plugins: [pageOfTrainer()],
    build: {
      outDir: 'out/main',
      externalizeDeps: { exclude: BUNDLED },
      rolldownOptions: {
        input: {
          index: entry('index.ts'),
          cli: entry('cli.ts'),
          'engine-child': entry('inference/child/engine-child.ts'),
          'module-child': entry('process/module-child.ts'),
          'utility-child': entry('desktop/child/utility-child.ts'),
          'backup-child': entry('backup/backup-child.ts'),
          'key-child': entry('bittensor/wallet/key-child.ts'),
          'router-child': entry('bittensor/axon/router-child.ts'),
          'file-check-child': entry('store/file-check-child.ts'),
          'media-child': entry('focus/media/media-child.ts'),
          'vectors-child': entry('clips/models/vectors/vectors-child.ts'),
          'speech-child': entry('clips/models/speech/speech-child.ts'),
          'training-child': entry('learning/training/child/training-child.ts'),
          'compile-child': entry('subnets/quasar/optimiser/compile/compile-child.ts'),
          'python-child': entry('sandbox/python-child.ts'),
          'kernel-child': entry('subnets/quasar/kernels/kernel-child.ts'),
          'hash-thread': entry('models/downloads/hash-thread.ts'),
          'rules-thread': entry('subnets/omega/focus/rules-thread.ts'),
          'index-thread': entry('clips/index/index-thread.ts'),
          'shard-thread': entry('clips/dataset/shards/shard-thread.ts'),
          'schema-thread': entry('inference/tools/schema-thread.ts'),
          'mesh-worker': entry('bench/mesh-worker.ts'),
          'raw-loop': entry('bench/inference/raw-loop.ts'),
          'model-seeder': entry('bench/sharing/model-seeder.ts'),
          'axon-server': entry('bench/axon/axon-server.ts'),
          'door-process': entry('bench/competition/door-process.ts'),
          'hostile-crowd': entry('bench/hostile/hostile-crowd.ts'),
          'process-figures': entry('bench/process-figures.ts'),
          'file-server': entry('bench/sharing/file-server.ts'),
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
  preload: {
    build: {
      outDir: 'out/preload',
      rolldownOptions: {
        input: { index: resolve(root, 'src-preload/index.ts'), trainer: resolve(root, 'src-preload/trainer.ts') },
        // A sandboxed preload script can only be CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    base: './',
    plugins: [react(), compressedCopies(), stylesBehindFrame()],
    // The server puts a fresh nonce in its place for every page (src-main/server/screens/page.ts).
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      outDir: 'out/renderer',
      target: 'chrome140',
      minify: true,
      // Inlined ones would be `data:` addresses; the policy knows only files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: resolve(root, 'src-renderer/index.html'),
        output: {
          // What the first page wants comes in one file, what pages share in another: every file is a request more to wait for.
          codeSplitting: {
            groups: [
              { name: 'first', tags: ['$initial'], priority: 1 },
              { name: 'shared', minShareCount: 2 },
            ],
          },
        },
      },
    },
  },
});
