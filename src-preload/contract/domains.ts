import type { PageEntry } from './pages.ts';
import { activity } from './sayings/activity.ts';
import { adapters } from './sayings/adapters.ts';
import { affine } from './sayings/affine.ts';
import { audits } from './sayings/audits.ts';
import { backup } from './sayings/backup.ts';
import { bittensor } from './sayings/bittensor.ts';
import { book } from './sayings/book.ts';
import { chainCalls } from './sayings/chain-calls.ts';
import { clipCalibration } from './sayings/clip-calibration.ts';
import { clipMedia } from './sayings/clip-media.ts';
import { clipModels } from './sayings/clip-models.ts';
import { clipSources } from './sayings/clip-sources.ts';
import { clipValidation } from './sayings/clip-validation.ts';
import { clips } from './sayings/clips.ts';
import { competition } from './sayings/competition.ts';
import { competitor } from './sayings/competitor.ts';
import { contextFiles } from './sayings/context-files.ts';
import { dataSet } from './sayings/data-set.ts';
import { datasets } from './sayings/datasets.ts';
import { earning } from './sayings/earning.ts';
import { engine } from './sayings/engine.ts';
import { entries } from './sayings/entries.ts';
import { evaluations } from './sayings/evaluations.ts';
import { fit } from './sayings/fit.ts';
import { fleet } from './sayings/fleet.ts';
import { focus } from './sayings/focus.ts';
import { focusRules } from './sayings/focus-rules.ts';
import { focusScore } from './sayings/focus-score.ts';
import { focusTasks } from './sayings/focus-tasks.ts';
import { gguf } from './sayings/gguf.ts';
import { gpu } from './sayings/gpu.ts';
import { hardware } from './sayings/hardware.ts';
import { hub } from './sayings/hub.ts';
import { kernels } from './sayings/kernels.ts';
import { learning } from './sayings/learning.ts';
import { learningEvaluation } from './sayings/learning-evaluation.ts';
import { learningRuns } from './sayings/learning-runs.ts';
import { ledger } from './sayings/ledger.ts';
import { login } from './sayings/login.ts';
import { madeTasks } from './sayings/made-tasks.ts';
import { market } from './sayings/market.ts';
import { mesh } from './sayings/mesh.ts';
import { models } from './sayings/models.ts';
import { node } from './sayings/node.ts';
import { optimiser } from './sayings/optimiser.ts';
import { password } from './sayings/password.ts';
import { quasar } from './sayings/quasar.ts';
import { remoteTraining } from './sayings/remote-training.ts';
import { sandbox } from './sayings/sandbox.ts';
import { scores } from './sayings/scores.ts';
import { settings } from './sayings/settings.ts';
import { torch } from './sayings/torch.ts';
import { trade } from './sayings/trade.ts';
import { trainers } from './sayings/trainers.ts';
import { training } from './sayings/training.ts';
import { transcription } from './sayings/transcription.ts';
import { validation } from './sayings/validation.ts';
import { values } from './sayings/values.ts';

// What each domain shows to people: its page, and what it says.

/** The pages, in the order of the menu; this computer is its foot. The welcome is none: it comes by itself, once. */
export const PAGES = [
  { name: 'dashboard', path: '/', group: 'earn' },
  { name: 'earnings', path: '/earnings', group: 'earn', places: ['overview', 'models', 'credits', 'ledger'] },
  { name: 'wallet', path: '/wallet', group: 'earn', places: ['balance', 'addresses', 'keys'] },
  { name: 'subnets', path: '/subnets', group: 'earn', places: ['list', 'axon'] },
  { name: 'models', path: '/models', group: 'work', places: ['local', 'catalogue', 'search', 'downloads', 'sharing'] },
  { name: 'focus', path: '/focus', group: 'work', places: ['record', 'tasks', 'library', 'market'] },
  {
    name: 'data',
    path: '/data',
    group: 'work',
    places: ['overview', 'find', 'library', 'submissions', 'set'],
  },
  {
    name: 'validator',
    path: '/validator',
    group: 'work',
    places: ['leaderboard', 'challenges', 'miners', 'weights', 'try'],
  },
  {
    name: 'competitions',
    path: '/competitions',
    group: 'work',
    places: ['rounds', 'submissions', 'optimiser', 'new'],
  },
  { name: 'learning', path: '/learning', group: 'work', places: ['overview', 'history', 'versions', 'training'] },
  { name: 'playground', path: '/playground', group: 'use' },
  { name: 'connect', path: '/connect', group: 'use' },
  { name: 'evaluation', path: '/evaluation', group: 'use', places: ['result', 'new', 'compare', 'history', 'files'] },
  { name: 'network', path: '/network', group: 'system', places: ['peers', 'audits', 'nodes', 'blocked'] },
  {
    name: 'settings',
    path: '/settings',
    group: 'system',
    places: ['general', 'policy', 'desktop', 'engine', 'network', 'folders', 'security', 'logs', 'all'],
  },
  { name: 'computer', path: '/computer', group: 'foot' },
] as const satisfies readonly PageEntry[];

/**
 * Every sentence that main can say, in English, by its key; `{{name}}` is filled in. German has a file for each of these in `sayings/de/`.
 */
export const ENGLISH = {
  ...hardware,
  ...fit,
  ...gguf,
  ...mesh,
  ...fleet,
  ...scores,
  ...engine,
  ...models,
  ...hub,
  ...node,
  ...settings,
  ...values,
  ...book,
  ...ledger,
  ...entries,
  ...login,
  ...password,
  ...backup,
  ...activity,
  ...earning,
  ...bittensor,
  ...chainCalls,
  ...validation,
  ...dataSet,
  ...clipValidation,
  ...datasets,
  ...competition,
  ...contextFiles,
  ...madeTasks,
  ...sandbox,
  ...clipMedia,
  ...clipCalibration,
  ...clipModels,
  ...affine,
  ...quasar,
  ...gpu,
  ...kernels,
  ...evaluations,
  ...optimiser,
  ...audits,
  ...focus,
  ...focusRules,
  ...focusTasks,
  ...trade,
  ...competitor,
  ...market,
  ...focusScore,
  ...clipSources,
  ...learning,
  ...learningRuns,
  ...remoteTraining,
  ...adapters,
  ...learningEvaluation,
  ...training,
  ...torch,
  ...trainers,
  ...transcription,
  ...clips,
} as const;
