import type { Configuration, FileSet } from 'electron-builder';
import { checkEngine } from './engine-check.ts';
import { NATIVE_PACKAGES } from './native-packages.ts';

const PUBLISHER = 'The Quarry authors';

/**
 * What goes into the archive, for one system as Node calls it. A list of patterns for a system beside a common one would not
 * do: electron-builder then takes the whole project.
 */
function filesFor(system: 'win32' | 'darwin' | 'linux'): FileSet[] {
  const filter = [
    'out/{main,preload,renderer,trainer}/**',
    'models/{catalogue,clip-models}.json',
    'resources/focus-tasks.json',
    'resources/gpu-track/*',
    'resources/icons/**',
    'resources/kernels/*.{ts,wasm}',
    'resources/quasar/**',
    'resources/trainer/*',
    'package.json',
    'LICENSE',
    // llama.cpp's sources and new projects: nobody compiles or begins one here.
    '!node_modules/node-llama-cpp/{templates,llama/gitRelease.bundle}{,/**}',
    // The same codecs for engines without WebAssembly, and with threads.
    '!node_modules/@libav.js/*/dist/*.{asm,thr}.*',
    '!node_modules/@libav.js/*/dist/*.js',
    // Of what draws plots, the same again for browsers; of the font, what screens have in their bundle.
    '!node_modules/{echarts,zrender}/{dist,i18n,theme,types,src,asset,ssr,build}{,/**}',
    '!node_modules/@fontsource-variable/inter/{*.css,scss,files}{,/**}',
    'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    // WebAssembly's tools as programs: the compiler of kernels uses the library alone.
    '!node_modules/binaryen/bin{,/**}',
    // What cuts Chinese into words, for browsers and Deno.
    '!node_modules/jieba-wasm/pkg/{bundler,deno,web}{,/**}',
    // Machine code for other systems and processors.
    '!node_modules/@node-llama-cpp/*/bins/**',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills it in
    'node_modules/@node-llama-cpp/${os}-${arch}*/bins/**',
    '!node_modules/onnxruntime-node/bin/napi-v6/**',
    `node_modules/onnxruntime-node/bin/napi-v6/${system}/\${arch}/**`,
    '!node_modules/**/prebuilds/**',
    `node_modules/**/prebuilds/${system}-\${arch}{,.node,/**}`,
    '!**/*.{map,d.ts,d.mts,d.cts}',
  ];
  return [{ from: '.', filter }];
}

/**
 * Where new versions are fetched from; without it the app has no updates, and says so. Windows takes an update only if it is
 * signed by `PUBLISHER`, macOS only if it is signed by the same team; for Linux the list is signed with a key of our own.
 */
function feedOf({ QUARRY_UPDATE_URL: url }: NodeJS.ProcessEnv): Configuration['publish'] {
  if (!url) return null;
  if (!url.startsWith('https://')) throw new Error('QUARRY_UPDATE_URL must begin with https://.');
  return [{ provider: 'generic', url }];
}

/** `npx electron-builder --config build/electron-builder.ts`, after `npm run build`. build/README.md says what it takes. */
export default {
  appId: 'org.quarry.desktop', // src-main/index.ts has it too
  productName: 'Quarry',
  copyright: `Copyright © ${PUBLISHER}`,
  extraMetadata: {
    homepage: process.env.QUARRY_HOMEPAGE || 'https://quarry.invalid/', // a deb has to have one
    desktopName: 'quarry.desktop', // ties windows, links and autostart to the menu's entry
  },
  directories: { buildResources: 'build', output: 'dist' },
  beforePack: checkEngine,

  asar: true,
  // Only what cannot be loaded from the archive: what is outside it is not covered by the check of its integrity. The
  // modules of child processes and threads stay inside; Electron reads archives in those too.
  asarUnpack: NATIVE_PACKAGES.map((name) => `node_modules/${name}/**`),
  // llama.cpp maps it into memory. The app looks for it three folders above its bundle (src-main/app/models/model-library.ts).
  extraResources: [{ from: 'resources/tiny.gguf', to: 'resources/tiny.gguf' }],
  // All are N-API modules with prebuilt code: nothing is compiled for Electron.
  npmRebuild: false,

  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
    resetAdHocDarwinSignature: true,
  },

  protocols: [{ name: 'Quarry', schemes: ['quarry'] }],
  icon: 'resources/icons/icon.png',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills it in
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  publish: feedOf(process.env),

  win: {
    files: filesFor('win32'),
    target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
    verifyUpdateCodeSignature: true,
    signtoolOptions: { publisherName: PUBLISHER, signingHashAlgorithms: ['sha256'] },
  },
  nsis: {
    oneClick: true,
    perMachine: false,
    deleteAppDataOnUninstall: false,
    buildUniversalInstaller: false, // one for both processors would carry the engine's hundreds of MB twice
  },

  mac: {
    files: filesFor('darwin'),
    target: [
      { target: 'dmg', arch: ['x64', 'arm64'] },
      { target: 'zip', arch: ['x64', 'arm64'] }, // what the updater takes
    ],
    category: 'public.app-category.utilities',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'build/entitlements.mac.plist',
    entitlementsInherit: 'build/entitlements.mac.plist',
    notarize: process.env.APPLE_API_KEY !== undefined,
  },

  linux: {
    files: filesFor('linux'),
    target: [
      { target: 'AppImage', arch: ['x64', 'arm64'] },
      { target: 'deb', arch: ['x64', 'arm64'] },
    ],
    category: 'Utility',
    synopsis: 'Turn a computer into an AI miner',
    maintainer: `${PUBLISHER} <packages@quarry.invalid>`,
    syncDesktopName: true,
  },
} satisfies Configuration;
