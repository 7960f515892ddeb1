import { book } from './book.ts';
import { engine } from './engine.ts';
import { fit } from './fit.ts';
import { gguf } from './gguf.ts';
import { hardware } from './hardware.ts';
import { ledger } from './ledger.ts';
import { login } from './login.ts';
import { mesh } from './mesh.ts';
import { models } from './models.ts';
import { node } from './node.ts';
import { scores } from './scores.ts';
import { settings } from './settings.ts';
import { values } from './values.ts';

/**
 * Every sentence that main can say, in English, by its key; `{{name}}` is filled in. German has a file for each of these in `de/`.
 */
export const ENGLISH = {
  ...hardware,
  ...fit,
  ...gguf,
  ...mesh,
  ...scores,
  ...engine,
  ...models,
  ...node,
  ...settings,
  ...values,
  ...book,
  ...ledger,
  ...login,
} as const;
