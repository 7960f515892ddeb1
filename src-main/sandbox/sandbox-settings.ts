import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { about, section } from '../base/setting.ts';

/** Of a registry, too, with a tag or a digest. Never an option of the engine's program. */
const image = z
  .string()
  .max(255)
  .regex(/^[a-z0-9][\w.:/@-]*$/i);

const sandbox = {
  engine: z
    .enum(['pyodide', 'docker', 'podman'])
    .default('pyodide')
    .meta(
      about(
        'Where a validator runs programs that miners wrote: in WebAssembly, which is always there, or in containers of an engine on this machine.',
      ),
    ),
  image: image.default('python:3.13-slim').meta(
    about('Image with Python for these containers. It must be on this machine: none is fetched.', {
      wanted: say('settings.wanted.image'),
    }),
  ),
};

/** Where programs of strangers are run. */
export const sandboxSettings = section({ sandbox: z.strictObject(sandbox) });
