import { app } from 'electron';
import { ENGLISH } from '../../../src-preload/contract/domains.ts';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { formsIn, phrase, type Saying, sentence, type Words } from '../../../src-preload/contract/saying.ts';
import { GERMAN } from '../../../src-preload/contract/sayings/german.ts';

const en = {
  open: 'Open Quarry',
  startMining: 'Start mining',
  stopMining: 'Stop mining',
  pauseDownloads: 'Pause downloads',
  recording: (title: string, minutes: string) => `Recording «${title}», ${minutes} min`,
  recordingPaused: (title: string, minutes: string) => `Recording «${title}» is paused, ${minutes} min`,
  pauseRecording: 'Pause the recording',
  resumeRecording: 'Go on with the recording',
  finishRecording: 'Finish the recording',
  pointsToday: (points: string) => `${points} ${points === '1' ? 'point' : 'points'} today`,
  quit: 'Quit',
  states: {
    mining: 'mining',
    paused: 'paused',
    stopped: 'not mining',
    trouble: 'something is wrong',
    starting: 'starting',
  },
  troubleTitle: 'Quarry needs you',
  achievement: (title: string) => `Achievement: ${title}`,
  achievementBonus: (bonus: string) => `It brings ${bonus} points.`,
  downloadDone: (name: string) => `${name} is here`,
  downloadDoneBody: 'The model is downloaded and checked.',
  downloadFailed: (name: string) => `${name} could not be downloaded`,
  inTray: 'Quarry goes on',
  inTrayBody: 'It works on in the tray. The settings say whether closing the window ends it.',
  cannotStart: 'Quarry could not start.',
  retry: 'Try again',
  pageBroken: 'The window crashed again and again and was closed. Mining is not affected.',
  hadToEnd: 'Quarry had to end',
  startAgain: 'Start it again; if that does not help, the log in the data folder says more.',
  view: 'View',
};
type Texts = typeof en;

const de: Texts = {
  open: 'Quarry öffnen',
  startMining: 'Schürfen starten',
  stopMining: 'Schürfen anhalten',
  pauseDownloads: 'Downloads anhalten',
  recording: (title, minutes) => `Nimmt «${title}» auf, ${minutes} min`,
  recordingPaused: (title, minutes) => `Aufnahme «${title}» pausiert, ${minutes} min`,
  pauseRecording: 'Aufnahme anhalten',
  resumeRecording: 'Aufnahme fortsetzen',
  finishRecording: 'Aufnahme beenden',
  pointsToday: (points) => `Heute ${points} ${points === '1' ? 'Punkt' : 'Punkte'}`,
  quit: 'Beenden',
  states: {
    mining: 'arbeitet',
    paused: 'pausiert',
    stopped: 'angehalten',
    trouble: 'etwas stimmt nicht',
    starting: 'startet',
  },
  troubleTitle: 'Quarry braucht Hilfe',
  achievement: (title) => `Erfolg: ${title}`,
  achievementBonus: (bonus) => `Er bringt ${bonus} Punkte.`,
  downloadDone: (name) => `${name} ist da`,
  downloadDoneBody: 'Das Modell ist geladen und geprüft.',
  downloadFailed: (name) => `${name} konnte nicht geladen werden`,
  inTray: 'Quarry läuft weiter',
  inTrayBody:
    'Es arbeitet im Infobereich weiter. In den Einstellungen steht, ob das Schließen des Fensters es beendet.',
  cannotStart: 'Quarry konnte nicht starten.',
  retry: 'Erneut versuchen',
  pageBroken: 'Das Fenster ist mehrmals abgestürzt und wurde geschlossen. Das Schürfen läuft weiter.',
  hadToEnd: 'Quarry musste beendet werden',
  startAgain: 'Ein neuer Start hilft vielleicht; sonst sagt das Protokoll im Datenordner mehr.',
  view: 'Ansicht',
};

/** The texts outside the window in one language, with how it writes numbers and words what main says. */
export type ShownTexts = Texts & {
  number: (value: number) => string;
  worded: (words: Words) => string;
  /** A saying whose English is in no list. */
  named: (saying: Saying, english: string) => string;
};

/** The texts in the language of the settings, or the system's. */
export function textsFor(language: 'system' | 'en' | 'de'): ShownTexts {
  const chosen = language === 'system' ? (app.getLocale().startsWith('de') ? 'de' : 'en') : language;
  const forms = formsIn(chosen);
  const sayings = chosen === 'de' ? GERMAN : ENGLISH;
  const named = (saying: Saying, english: string) => phrase(saying, sayings, forms) ?? english;
  const worded = (words: Words) => (typeof words === 'string' ? words : named(words, sentence(words)));
  return { ...(chosen === 'de' ? de : en), number: forms.number, worded, named };
}

/** What went wrong and what to do, in the language of the texts. */
export function errorWords({ message, hint, said }: QuarryError, { worded }: ShownTexts) {
  return { message: worded(said?.message ?? message), hint: hint && worded(said?.hint ?? hint) };
}
