import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, type Configuration } from 'electron-builder';

type BeforePack = Extract<NonNullable<Configuration['beforePack']>, (...args: never[]) => unknown>;

/**
 * Refuses to pack an app that could not load a model: npm installs llama.cpp's binaries only for some systems, whatever is
 * packed.
 */
export const checkEngine: BeforePack = async ({ packager, arch }) => {
  const system = `${packager.platform.buildConfigurationKey}-${Arch[arch]}`;
  if (hasEngine(join(packager.projectDir, 'node_modules'), system)) return;
  throw new Error(`The engine for ${system} is not installed (@node-llama-cpp/${system}): pack on such a machine.`);
};

/** @param system as node-llama-cpp names it: `win-x64`, `mac-arm64` */
export function hasEngine(modules: string, system: string): boolean {
  const folder = join(modules, '@node-llama-cpp');
  const packages = existsSync(folder) ? readdirSync(folder) : [];
  return packages.some(
    (name) => (name === system || name.startsWith(`${system}-`)) && existsSync(join(folder, name, 'bins')),
  );
}
