import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { appCodeLoaded } from './app.ts';

/** Runs a built main bundle, named by the first argument, with the double in Electron's place. */
const [node = '', , entry = '', ...args] = process.argv;
process.argv = [node, entry, ...args];

const DOUBLE = new URL('electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: DOUBLE, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});

await import(pathToFileURL(entry).href);
appCodeLoaded();
