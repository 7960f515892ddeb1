import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en, sayings } from './en.ts';
import type { Texts } from './texts.ts';

/** What the screens speak; every other language is fetched when it is chosen. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** The namespace of what main says; every other one is a file of texts. */
export const SAYINGS = 'sayings';

const loaders: Record<Exclude<Language, 'en'>, () => Promise<Record<string, Texts>>> = {
  de: async () => {
    const [{ de }, { GERMAN: sayings }] = await Promise.all([
      import('./de.ts'),
      import('../../src-preload/contract/sayings/german.ts'),
    ]);
    return { ...de, [SAYINGS]: sayings };
  },
};

export const i18n = i18next.createInstance();

await i18n.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  defaultNS: 'common',
  ns: [...Object.keys(en), SAYINGS],
  resources: { en: { ...en, [SAYINGS]: sayings } },
  interpolation: { escapeValue: false }, // React escapes
});

/** Switches the screens to a language; `system` is the browser's, or English. */
export async function speak(wanted: Language | 'system'): Promise<void> {
  const language = wanted === 'system' ? systemLanguage() : wanted;
  if (language !== 'en' && !i18n.hasResourceBundle(language, 'common')) {
    for (const [namespace, texts] of Object.entries(await loaders[language]())) {
      i18n.addResourceBundle(language, namespace, texts);
    }
  }
  await i18n.changeLanguage(language);
}

function systemLanguage(): Language {
  const known = navigator.languages
    .map((tag) => tag.split('-')[0])
    .find((tag) => tag !== undefined && tag in LANGUAGES);
  return (known as Language | undefined) ?? 'en';
}
