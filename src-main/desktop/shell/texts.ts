import { app } from 'electron';

const en = {
  open: 'Open Quarry',
  startMining: 'Start mining',
  stopMining: 'Stop mining',
  pauseDownloads: 'Pause downloads',
  pointsToday: (points: string) => `${points} points today`,
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
};
type Texts = typeof en;

const de: Texts = {
  open: 'Quarry öffnen',
  startMining: 'Schürfen starten',
  stopMining: 'Schürfen anhalten',
  pauseDownloads: 'Downloads anhalten',
  pointsToday: (points) => `Heute ${points} Punkte`,
  quit: 'Beenden',
  states: {
    mining: 'arbeitet',
    paused: 'pausiert',
    stopped: 'angehalten',
    trouble: 'etwas stimmt nicht',
    starting: 'startet',
  },
  troubleTitle: 'Quarry braucht dich',
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
  pageBroken: 'Das Fenster ist mehrmals abgestürzt und wurde geschlossen. Das Mining läuft weiter.',
};

/** The texts outside the window, in the language of the settings, and how it writes numbers. */
export function textsFor(language: 'system' | 'en' | 'de'): Texts & { number: (value: number) => string } {
  const chosen = language === 'system' ? (app.getLocale().startsWith('de') ? 'de' : 'en') : language;
  const format = new Intl.NumberFormat(chosen);
  return { ...(chosen === 'de' ? de : en), number: (value) => format.format(value) };
}
