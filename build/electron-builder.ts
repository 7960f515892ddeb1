import type { Configuration } from 'electron-builder';
import { NATIVE_PACKAGES } from './native-packages.ts';

/**
 * Where new versions are fetched from; without it the app has no updates, and says so. Windows takes an update only if it is
 * signed by `PUBLISHER`, macOS only if it is signed by the same team.
 */
const feed = process.env.QUARRY_UPDATE_URL;

const PUBLISHER = 'The Quarry authors';

/** Native packages bring their code for every system. */
function withoutPrebuilt(...systems: string[]): string[] {
  const others = [...systems, 'android', 'ios'].join();
  return [`!**/prebuilds/{${others}}-*`, `!**/prebuilds/{${others}}-*/**`];
}

/** `npx electron-builder --config build/electron-builder.ts`, after `npm run build`. build/README.md says what it takes. */
export default {
  appId: 'org.quarry.desktop', // src-main/index.ts has it too
  productName: 'Quarry',
  copyright: `Copyright © ${PUBLISHER}`,
  directories: { buildResources: 'build', output: 'dist' },

  files: [
    'out/{main,preload,renderer}/**',
    'models/catalogue.json',
    'resources/icons/**',
    'package.json',
    // llama.cpp's sources and new projects: nobody compiles or begins one here.
    '!node_modules/node-llama-cpp/{templates,llama/gitRelease.bundle}{,/**}',
    // What it brings for other systems and processors.
    '!node_modules/@node-llama-cpp/*/bins/**',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills it in
    'node_modules/@node-llama-cpp/${os}-${arch}*/bins/**',
    '!**/*.{md,map,d.ts,d.mts,d.cts}',
  ],
  asar: true,
  // Only what cannot be loaded from the archive: what is outside it is not covered by the check of its integrity. The
  // modules of child processes and threads stay inside; Electron reads archives in those too.
  asarUnpack: NATIVE_PACKAGES.map((name) => `node_modules/${name}/**`),
  // llama.cpp maps it into memory. The app looks for it three folders above its bundle (src-main/app/model-library.ts).
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
  publish: feed ? [{ provider: 'generic', url: feed }] : null,

  win: {
    files: withoutPrebuilt('darwin', 'linux', 'linuxmusl'),
    target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
    verifyUpdateCodeSignature: true,
    signtoolOptions: { publisherName: PUBLISHER, signingHashAlgorithms: ['sha256'] },
  },
  nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false },

  mac: {
    files: withoutPrebuilt('win32', 'linux', 'linuxmusl'),
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
    files: withoutPrebuilt('darwin', 'win32', 'linuxmusl'),
    target: [
      { target: 'AppImage', arch: ['x64', 'arm64'] },
      { target: 'deb', arch: ['x64', 'arm64'] },
    ],
    category: 'Utility',
    synopsis: 'Turn a computer into an AI miner',
    maintainer: PUBLISHER,
    mimeTypes: ['x-scheme-handler/quarry'],
  },
} satisfies Configuration;
