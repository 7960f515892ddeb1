type SettingsTexts = typeof import('../../i18n/en/settings.json');

type PathsOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends { label: string } ? Key : `${Key}.${PathsOf<Texts[Key]>}`;
}[keyof Texts & string];

/** Settings that have a name and a word of help in every language. */
export type NamedPath = PathsOf<SettingsTexts['field']>;
