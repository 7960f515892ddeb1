import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ACHIEVEMENTS } from '../../../src-main/credits/score/achievements.ts';
import { SETTINGS } from '../../../src-main/settings/config-settings.ts';
import { aboutSetting } from '../../../src-main/settings/config-view.ts';
import { ENGLISH } from '../../../src-preload/contract/domains.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { phrase, type Saying, say, sentence, told } from '../../../src-preload/contract/saying.ts';
import { GERMAN as german } from '../../../src-preload/contract/sayings/german.ts';
import { achievementTitle } from '../../../src-renderer/i18n/achievement-title.ts';
import { de } from '../../../src-renderer/i18n/de.ts';
import { en } from '../../../src-renderer/i18n/en.ts';
import { Format } from '../../../src-renderer/i18n/format.ts';
import { speak } from '../../../src-renderer/i18n/i18n.ts';
import type { Texts } from '../../../src-renderer/i18n/texts.ts';
import { worded } from '../../../src-renderer/i18n/worded.ts';

const root = resolve(import.meta.dirname, '../../..');
const english = Object.entries<string>(ENGLISH);
const catalogue: { models: { name: string }[] } = JSON.parse(readFileSync(join(root, 'models/catalogue.json'), 'utf8'));
/** What has its English where it belongs, and only its German here: what settings and models are for, what achievements are called. */
const elsewhere = [
  ...SETTINGS.flatMap((setting) => Object.values(aboutSetting(setting)).map(({ key }) => key)),
  ...ACHIEVEMENTS.map(({ id }) => `achievement.${id}`),
  ...catalogue.models.map(({ name }) => `catalogue.${name}`),
];
/** `{{free, bytes}}`, as they stand in a template. */
const slots = (template: string) =>
  [...template.matchAll(/\{\{([^}]*)\}\}/g)].map(([, inside = '']) => inside.replace(/, .*\|.*/, ', counted')).sort();

/** Who says «du». */
const ADDRESSED = /(?<![\p{L}_])([Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(e[mnrs]?)?)(?![\p{L}])/u;
/** Who commands: «Prüfe …» at the beginning, or after «oder», «dann» and the like. */
const COMMAND = new RegExp(
  `(^|[.:;] |, oder |, dann |, und )(${[
    ...[
      'Aktualisiere',
      'Beende',
      'Entferne',
      'Erhöhe',
      'Gib',
      'Halte',
      'Hole',
      'Installiere',
      'Korrigiere',
      'Lade',
      'Lass',
    ],
    ...['Lege', 'Lies', 'Lösche', 'Mache', 'Nimm', 'Öffne', 'Prüfe', 'Rufe', 'Schaffe', 'Schließe', 'Setze', 'Sieh'],
    ...['Starte', 'Stelle', 'Teile', 'Verlange', 'Verschiebe', 'Versuche', 'Verwende', 'Wähle', 'Warte'],
  ].join('|')}) `,
  'iu',
);
/** A command, an option, a variable, or what a setting is called in a file. */
const FOR_TERMINALS = new RegExp(
  [
    ...['\\bquarry [a-z]', '--[a-z]', 'QUARRY_', 'GPU_LAYERS', 'docs/'],
    ...SETTINGS.map(({ path }) => path)
      .filter((path) => /[.A-Z]/.test(path))
      .map((path) => `(?<!\\{\\{)${path.replace('.', '\\.')}`),
  ].join('|'),
);
/** What nobody reads in the app: it is said while Quarry is started, or by a command. */
const ONLY_IN_TERMINALS = [
  ...[
    'gguf.piece',
    'bootstrap.otherPorts',
    'engine.gpuLayers',
    'engine.installAgain',
    'node.endAndStart',
    'node.seeOthers',
    'node.demoFolder',
  ],
  ...['desktop.systemStart', 'settings.dataDirHow', 'settings.correctConfig', 'credits.restore', 'database.free'],
  ...['backup.passwordHow', 'bittensor.wallet.passwordHow', 'database.permissions', 'login.byLink', 'login.startFirst'],
  'transcription.noModel.hint', // programs alone ask for that
];
/** The texts of the screens by their keys. */
const flat = (texts: Texts, key: string): [string, string][] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${key}.${name}`, text] as [string, string]] : flat(text, `${key}.${name}`),
  );

/** Reasons that results of earlier versions were signed with: nobody gives them any more, and they are still read. */
const SIGNED_BEFORE = ['affine.ded.failed'];

describe('what main says', () => {
  afterEach(() => speak('en'));

  it('can be said in German, with the same parameters, and in no other words', () => {
    expect(Object.keys(german).sort()).toEqual([...Object.keys(ENGLISH), ...elsewhere].sort());
    expect(Object.values(german).filter((template) => template.trim() === '')).toEqual([]);
    for (const [key, template] of english) expect(slots(german[key] ?? ''), key).toEqual(slots(template));
  });

  it('speaks to nobody in particular in German, as the screens do', () => {
    const texts = [...Object.entries(german), ...Object.entries(de).flatMap(([room, one]) => flat(one, room))];
    const personal = texts.filter(([, text]) => ADDRESSED.test(text) || COMMAND.test(text));
    // What somebody may ask a model is said to the model.
    expect(personal.filter(([key]) => !key.startsWith('playground.examples.'))).toEqual([]);
  });

  it('quotes with the same marks everywhere', () => {
    const rooms = [de, en].flatMap((language) => Object.entries(language));
    const texts = [...english, ...Object.entries(german), ...rooms.flatMap(([room, one]) => flat(one, room))];
    expect(texts.filter(([, text]) => /[„“”]/.test(text))).toEqual([]);
  });

  it('tells memory and files in one unit, the decimal one, on screens and in the terminal', () => {
    const texts = [
      ...english,
      ...Object.entries(german),
      ...Object.entries(de).flatMap(([room, one]) => flat(one, room)),
    ];
    expect(texts.filter(([, text]) => /\b[KMGT]iB\b/.test(text))).toEqual([]);
    const commands = readdirSync(join(root, 'src-main/cli'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file, readFileSync(join(root, 'src-main/cli', file), 'utf8')]);
    expect(commands.filter(([, source = '']) => /\b[KMGT]iB\b|\d MB\b/.test(source)).map(([file]) => file)).toEqual([]);
    const screens = new Format('en');
    for (const bytes of [0, 999, 1_048_576, 8_589_934_592, 4_680_000_000]) {
      expect(screens.bytes(bytes).replace('\u00a0', ' ')).toBe(
        sentence(say('download.tooLong', { maxBytes: bytes })).slice(18),
      );
    }
  });

  it('asks for forms that there are', () => {
    const forms = english.flatMap(([, template]) => slots(template)).flatMap((slot) => slot.split(', ').slice(1));
    expect(
      forms.filter(
        (form) => !['bytes', 'tenths', 'thousandths', 'tao', 'semicolons', 'spaces', 'node', 'counted'].includes(form),
      ),
    ).toEqual([]);
  });

  it('has a file of German for each file of English, and each in the list', () => {
    const names = (folder: string) => readdirSync(join(root, folder)).map((file) => file.replace(/\.\w+$/, ''));
    const files = names('src-preload/contract/sayings').filter((name) => !['german', 'de'].includes(name));
    const germanOnly = ['about-settings', 'achievements', 'catalogue'];
    expect(names('src-preload/contract/sayings/de').sort()).toEqual([...files, ...germanOnly].sort());
    const list = readFileSync(join(root, 'src-preload/contract/domains.ts'), 'utf8');
    expect(files.filter((name) => !list.includes(`./sayings/${name}.ts`))).toEqual([]);
  });

  it('has no sentence that neither main nor the contract nor the screens’ way to main uses', () => {
    const sources = ['src-main', 'src-preload/contract', 'src-renderer/api'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.startsWith('sayings'))
        .map((file) => readFileSync(join(root, folder, file), 'utf8')),
    );
    const said = sources.join('\n');
    const unused = english.map(([key]) => key).filter((key) => !said.includes(`'${key}'`));
    expect(unused).toEqual(SIGNED_BEFORE);
  });

  it('is English in main, with plain numbers, lists and sayings in sayings', () => {
    const asked = say('nat.publicDht');
    expect(sentence(say('nat.noAnswer', { asked }))).toBe('No answer from the public DHT: offline, or UDP is blocked.');
    expect(sentence(say('nat.noAnswer', { asked: ['a:1', 'b:2'] }))).toContain('No answer from a:1, b:2:');
    const disk = say('doctor.disk.free', { free: 1_500_000_000, total: 12_345e12, path: '/home' });
    expect(sentence(disk)).toBe('1.5 GB of 12345 TB are free on the drive of /home.');
  });

  it('is worded by the screens in their language, with its numbers', async () => {
    const free = say('doctor.disk.free', { free: 1_500_000_000, total: 12_345e12, path: '/home' });
    const view = told({ found: free });
    expect(worded(view, 'found')).toBe('1.5\u00a0GB of 12,345\u00a0TB are free on the drive of /home.');
    await speak('de');
    expect(worded(view, 'found')).toBe('1,5\u00a0GB von 12.345\u00a0TB sind auf dem Laufwerk von /home frei.');
    const reason = say('hardware.noAnswer', { seconds: 5 });
    expect(worded(told({ found: say('doctor.disk.unknown', { reason }) }), 'found')).toBe(
      'Der freie Platz ist nicht bekannt: keine Antwort innerhalb von 5 s.',
    );
  });

  it('speaks of buttons and labels in the app, not of commands, options and names in a file', async () => {
    const instead = flat(en.inApp ?? {}, '').map(([key, text]) => [key.slice(1), text] as const);
    for (const [key, text] of instead) {
      expect(Object.keys(ENGLISH), key).toContain(key);
      expect(slots(ENGLISH[key as keyof typeof ENGLISH]), key).toEqual(expect.arrayContaining(slots(text)));
    }
    const texts = [...instead, ...flat(de.inApp ?? {}, '').map(([key, text]) => [key.slice(1), text] as const)];
    expect(texts.filter(([, text]) => FOR_TERMINALS.test(text))).toEqual([]);
    const keys = new Set(instead.map(([key]) => key));
    const left = english.filter(([key, text]) => FOR_TERMINALS.test(text) && !keys.has(key)).map(([key]) => key);
    expect(left.filter((key) => !ONLY_IN_TERMINALS.includes(key))).toEqual([]);
    const hot = told({ text: say('settings.heat', { heatBelow: 90, heatAbove: 85 }) });
    expect(hot.text).toContain('policy.heatBelow');
    expect(worded(hot, 'text')).toBe('«Cool again below» (90 °C) must be less than «Too hot above» (85 °C).');
    await speak('de');
    const advice = told({ advice: say('doctor.ledger.prove') });
    expect(worded(advice, 'advice')).toBe('Das Kassenbuch lässt sich auf der Seite «Einnahmen» prüfen.');
  });

  it('counts one as one, in either language', async () => {
    const sound = (entries: number) => told({ found: say('doctor.ledger.sound', { entries }) });
    expect(sound(1).found).toBe('Database and ledger are fine (1 entry).');
    expect(sound(0).found).toBe('Database and ledger are fine (0 entries).');
    await speak('de');
    expect(worded(sound(1), 'found')).toMatch(/\(1 Eintrag\)/);
    expect(worded(sound(1_200), 'found')).toMatch(/\(1\.200 Einträge\)/);
  });

  it('names achievements by their id', async () => {
    await speak('de');
    for (const { id, title } of ACHIEVEMENTS) {
      expect(achievementTitle(title, id), id).toBe(german[`achievement.${id}`]);
    }
    expect(achievementTitle('Of Tomorrow', 'of-tomorrow')).toBe('Of Tomorrow');
    await speak('en');
    expect(achievementTitle('Night Owl', 'night-owl')).toBe('Night Owl');
  });

  it('stays in English where the screens do not know it, or where it is free text', async () => {
    await speak('de');
    const newer: Saying = { key: 'from.tomorrow', params: { a: 1 } };
    expect(worded({ text: 'It is new.', said: { text: newer } }, 'text')).toBe('It is new.');
    const around = { key: 'doctor.broken', params: { reason: newer } };
    expect(worded({ text: 'It is new.', said: { text: around } }, 'text')).toBe('It is new.');
    expect(worded({ text: 'A peer said so.' }, 'text')).toBe('A peer said so.');
    expect(phrase({ key: 'toString' }, ENGLISH, { number: String } as never)).toBeUndefined();
  });

  it.each([
    [{ reason: null }, 'The trainer .'],
    [null, 'The trainer .'],
    [{ reason: ['a', null] }, 'The trainer a, .'],
    [{ reason: true }, 'training.died'],
    [{ reason: { of: 'no sentence' } }, 'training.died'],
    [{ reason: { key: 'training.died', params: null } }, 'The trainer The trainer ..'],
  ])('is worded, or named by its key, whatever fills it in: %j', (params, expected) => {
    expect(sentence({ key: 'training.died', params } as never)).toBe(expected);
  });

  it('goes with an error over the contract and is put together again on the other side', () => {
    const error = new QuarryError({ code: 'INTERNAL', message: say('policy.quiet.none'), hint: 'as it is' });
    expect(error.message).toBe('There are no quiet hours.');
    const crossed = new QuarryError(JSON.parse(JSON.stringify(error)));
    expect(crossed).toMatchObject({ message: error.message, hint: 'as it is', said: error.said });
    expect(crossed.said).toEqual({ message: { key: 'policy.quiet.none' } });
  });
});
