/**
 * Packages with machine code. The operating system loads it from a file, so they lie beside the archive of the app, not in it.
 * test/unit/desktop/packaging.test.ts finds what is missing here.
 */
export const NATIVE_PACKAGES = [
  'better-sqlite3',
  'node-llama-cpp',
  '@node-llama-cpp/*',
  '@reflink/*',
  'fs-native-extensions',
  'onnxruntime-node',
  'quickbit-native',
  'rocksdb-native',
  'sherpa-onnx-*',
  'simdle-native',
  'sodium-native',
  'sqlite-vec-*',
  'udx-native',
];
