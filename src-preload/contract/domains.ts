import type { PageEntry } from './pages.ts';
import { activity } from './sayings/activity.ts';
import { book } from './sayings/book.ts';
import { earning } from './sayings/earning.ts';
import { engine } from './sayings/engine.ts';
import { entries } from './sayings/entries.ts';
import { fit } from './sayings/fit.ts';
import { gguf } from './sayings/gguf.ts';
import { hardware } from './sayings/hardware.ts';
import { ledger } from './sayings/ledger.ts';
import { login } from './sayings/login.ts';
import { mesh } from './sayings/mesh.ts';
import { models } from './sayings/models.ts';
import { node } from './sayings/node.ts';
import { scores } from './sayings/scores.ts';
import { settings } from './sayings/settings.ts';
import { values } from './sayings/values.ts';

// What each domain shows to people: its page, and what it says.

/** The pages, in the order of the menu. The welcome is none: it comes by itself, once. */
export const PAGES = [
  { name: 'dashboard', path: '/', group: 'earn' },
  { name: 'earnings', path: '/earnings', group: 'earn', places: ['overview', 'credits', 'ledger'] },
  { name: 'models', path: '/models', group: 'work', places: ['local', 'catalogue', 'downloads', 'sharing'] },
  { name: 'playground', path: '/playground', group: 'use' },
  { name: 'connect', path: '/connect', group: 'use' },
  { name: 'network', path: '/network', group: 'system', places: ['peers', 'blocked'] },
  {
    name: 'settings',
    path: '/settings',
    group: 'system',
    places: ['general', 'policy', 'desktop', 'engine', 'network', 'folders', 'security', 'logs', 'all'],
  },
] as const satisfies readonly PageEntry[];

/**
 * Every sentence that main can say, in English, by its key; `{{name}}` is filled in. German has a file for each of these in `sayings/de/`.
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
  ...entries,
  ...login,
  ...activity,
  ...earning,
} as const;
