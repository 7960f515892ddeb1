import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { type RawBuilder, sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { otherGpuUse } from '../../../src-main/app/engine/gpu-use.ts';
import { conversationsRoutes } from '../../../src-main/app/routes/conversations.ts';
import { implementer } from '../../../src-main/app/routes/implementer.ts';
import { Conversations } from '../../../src-main/conversations/conversations.ts';
import { Presets } from '../../../src-main/conversations/presets.ts';
import { checkGguf } from '../../../src-main/gguf/model-file.ts';
import type { InferenceBackend } from '../../../src-main/inference/backend.ts';
import { RemoteBackend } from '../../../src-main/inference/remote/remote-backend.ts';
import { Catalogue } from '../../../src-main/models/catalogue/catalogue.ts';
import type { ByteSource, SourceError } from '../../../src-main/models/downloads/byte-source.ts';
import { allGaveUp } from '../../../src-main/models/downloads/download-problems.ts';
import type { PartialFile } from '../../../src-main/models/downloads/partial-file.ts';
import { checkHolding } from '../../../src-main/models/downloads/sources.ts';
import { Pins } from '../../../src-main/models/pins.ts';
import type { WantedModel } from '../../../src-main/models/wanted-model.ts';
import { loadNodeConfig } from '../../../src-main/settings/config.ts';
import { PlainVault } from '../../../src-main/settings/secret-vault.ts';
import { Settings } from '../../../src-main/settings/settings.ts';
import { ConversationStore } from '../../../src-main/store/conversations/conversations.ts';
import { PresetStore } from '../../../src-main/store/conversations/presets.ts';
import { appendEntry } from '../../../src-main/store/credits/ledger.ts';
import { ledgerReportSchema } from '../../../src-preload/contract/credits.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { settingsViewSchema } from '../../../src-preload/contract/settings.ts';
import { sentenceOf } from '../../../src-renderer/api/errors.ts';
import { logIn } from '../../../src-renderer/api/session.ts';
import { speak } from '../../../src-renderer/i18n/i18n.ts';
import { worded, wordedList } from '../../../src-renderer/i18n/worded.ts';
import { matchingSettings } from '../../../src-renderer/pages/settings/fields/matching-settings.ts';
import { type CreditNode, NOON, openCreditNode, signedReceipt, testIdentity } from '../../support/credit-nodes.ts';
import { ggufBytes, textEntry } from '../../support/gguf-bytes.ts';
import { longFilesIn } from '../../support/long-files.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { ScriptedAsk } from '../../support/scripted-ask.ts';
import { openServer } from '../../support/server-harness.ts';
import { type Reply, ScriptedServer, sendJson } from '../inference/remote/remote-server.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-refusals-'));
  await speak('de');
});

afterEach(async () => {
  await speak('en');
  await rm(folder, { recursive: true });
});

/** What German screens say of a refusal, as it comes to them over the contract. */
async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => QuarryError.from(thrown),
  );
  return sentenceOf(new QuarryError(JSON.parse(JSON.stringify(error))));
}

describe('a wrong setting on German screens', () => {
  const vault = new PlainVault();

  async function opened(): Promise<Settings> {
    const sources = { env: { QUARRY_DATA_DIR: folder } };
    const config = await loadNodeConfig(sources, vault);
    return new Settings({ config, sources, vault, log: pino({ level: 'silent' }) });
  }

  it.each([
    ['port', 70_000, 'eine ganze Zahl von 0 bis 65.535'],
    ['policy.heatAbove', 3, 'eine Zahl von 30 bis 120'],
    ['policy.onBattery', 'sleep', 'eines von "off", "throttle", "pause"'],
    ['mineOnStart', 'yes', 'eines von true, false'],
    ['host', '', 'einen Hostnamen oder eine IP-Adresse'],
    ['mesh.name', '', 'einen Text von 1 bis 100 Zeichen'],
    ['remote.baseUrl', 'vllm', 'eine Webadresse, die mit http:// oder https:// beginnt, ohne Namen und Passwort'],
    ['policy.quietHours', ['noon'], 'eine Liste von Zeiten wie "22:00-07:00"'],
  ])('%s: says what it must be', async (path, value, wanted) => {
    const settings = await opened();
    const said = await refusal(settings.set({ changes: { [path]: value } }));
    expect(said).toBe(`Hier braucht es ${wanted}. Einstellungen › Alle nennt jede Einstellung.`);
  });

  it('is not English in the list of all settings either', async () => {
    const { settings } = settingsViewSchema.parse(await (await opened()).list());
    for (const setting of settings) {
      expect(worded(setting, 'wanted'), setting.path).toMatch(/^eine?[ns]? /);
      expect(worded(setting, 'description'), setting.path).toMatch(/\.$/);
      expect(worded(setting, 'description'), setting.path).not.toBe(setting.description);
      if (setting.shownDefault) expect(worded(setting, 'shownDefault'), setting.path).not.toBe(setting.shownDefault);
    }
  });

  it('has its description and its default, and is found by them and by the English ones', async () => {
    const { settings } = settingsViewSchema.parse(await (await opened()).list());
    const find = (text: string) => matchingSettings(settings, { text, changedOnly: false }).map(({ path }) => path);
    expect(find('Stufe Neuling')).toEqual(['limits.requestsPerMinute.newcomer']);
    expect(find('tier newcomer')).toEqual(['limits.requestsPerMinute.newcomer']);
    const [model] = settings.filter(({ path }) => path === 'model');
    expect(model && worded(model, 'shownDefault')).toBe('das zuletzt importierte, sonst das eingebaute');
    await speak('en');
    expect(model && worded(model, 'description')).toBe(model?.description);
  });
});

describe('what the contract refuses, on German screens', () => {
  it('says which field, and what it must be', async () => {
    const db = await memoryDatabase();
    const log = pino({ level: 'silent' });
    const ask = new ScriptedAsk().ask;
    const store = new ConversationStore(db);
    const service = new Conversations({ store, longFiles: longFilesIn(db), ask, log });
    const parts = { conversations: service, presets: new Presets(new PresetStore(db)) };
    const client = createRouterClient(conversationsRoutes(implementer(log).domain('conversations'), parts));
    const long = client.update({ id: '0'.repeat(36), title: 'x'.repeat(2_000) });
    const tooLong = 'title ist nicht, wie es sein soll: darf höchstens 200 Zeichen haben.';
    expect(await long.catch(sentenceOf)).toBe(tooLong);
    const nameless = client.get({} as { id: string });
    expect(await nameless.catch(sentenceOf)).toBe('id ist nicht, wie es sein soll: fehlt.');
    await service.close();
    await db.destroy();
  });

  it('says what is wrong with a catalogue', async () => {
    const path = join(folder, 'own.json');
    await writeFile(path, JSON.stringify({ models: [{ name: 'Tiny' }] }));
    const bundled = join(import.meta.dirname, '../../../models/catalogue.json');
    const options = { bundled, files: [path], endpoint: 'https://huggingface.co' };
    const said = await refusal(Catalogue.load({ ...options, pins: new Pins(join(folder, 'pins.json')) }));
    expect(said).toContain('im Modell Nummer 1, name: ist ein Name, der für Quarry etwas anderes bedeutet.');
  });
});

describe('a GGUF file that is refused, on German screens', () => {
  const other = Buffer.from('not a model at all, but long enough');

  it.each<[string, Buffer, string]>([
    ['of another kind', other, 'sie beginnt nicht wie eine GGUF-Datei'],
    ['of a newer version', ggufBytes({ version: 9 }), 'ihre GGUF-Version ist 9, bekannt sind 2 und 3'],
    ['cut', ggufBytes({}).subarray(0, 12), 'sie endet mitten im Kopf'],
    [
      'no model',
      ggufBytes({ keys: [textEntry('general.architecture', 'llama'), textEntry('general.type', 'adapter')] }),
      'sie ist kein Modell, sondern «adapter»',
    ],
  ])('%s: says why', async (_, bytes, why) => {
    const path = join(folder, 'model.gguf');
    await writeFile(path, bytes);
    expect(await refusal(checkGguf(path))).toContain(
      `${path} lässt sich nicht laden: ${why}. Die Datei noch einmal laden oder kopieren`,
    );
  });
});

describe('what the proof of a ledger finds, on German screens', () => {
  let node: CreditNode;
  beforeEach(async () => {
    node = await openCreditNode(1);
    await node.book.worker.settle(signedReceipt(node.identity, testIdentity(2)));
  });
  afterEach(() => node.close());

  it.each<[string, RawBuilder<unknown>, string]>([
    [
      'a balance',
      sql`UPDATE balances SET balance = 1234 WHERE account = 'score:earned'`,
      'der Stand von score:earned ist mit 1.234 vermerkt; die Buchungen ergeben 15',
    ],
    [
      'a reservation',
      sql`INSERT INTO reservations VALUES ('client', ${'f'.repeat(32)}, 'x', 5, 1)`,
      'mit Eintrag 1 sei Guthaben zurückgelegt, doch das ist nicht mehr so',
    ],
  ])('%s that was edited', async (_, edit, problem) => {
    await edit.execute(node.db);
    const report = ledgerReportSchema.parse(await node.book.verify());
    expect(wordedList(report.problems, report.said)).toEqual([problem]);
  });

  it('of an entry that has nothing to show for itself', async () => {
    const postings = { 'own:available': 500, 'issue:points': -500 };
    const entry = { at: NOON, kind: 'earn' as const, key: 'earn:x', postings };
    await node.db.transaction().execute((trx) => appendEntry(trx, entry));
    const report = ledgerReportSchema.parse(await node.book.verify());
    expect(wordedList(report.problems, report.said)).toContain('Eintrag 3 ist eine Zahlung (earn) ohne Quittung');
  });
});

describe('a login that is refused, on German screens', () => {
  afterEach(() => void vi.unstubAllGlobals());

  /** A browser whose page came from this server. */
  function browse(url: string, headers: Record<string, string> = {}): void {
    const { fetch } = globalThis;
    const own = (path: string, init: RequestInit) =>
      fetch(`${url}${path}`, { ...init, headers: { ...init.headers, ...headers } });
    vi.stubGlobal('fetch', own);
  }

  it('says that the token is wrong, and then how long to wait', async () => {
    browse((await openServer({ token: 'a token of some length' })).url);
    for (let each = 0; each < 5; each++) {
      expect(await refusal(logIn(`wrong ${each}`))).toBe('Das ist nicht das Token dieses Knotens.');
    }
    const wait = 'Es waren zu viele falsche Token. In 1 s geht es wieder.';
    expect(await refusal(logIn('wrong again'))).toBe(wait);
  });

  it('says that the page is of another origin', async () => {
    browse((await openServer({ token: 'a token of some length' })).url, { origin: 'https://evil.example' });
    const said = 'Webseiten anderer Herkunft dürfen diesen Server nicht benutzen.';
    expect(await refusal(logIn('wrong'))).toBe(said);
  });

  it('says what came where that was no answer of Quarry', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }));
    expect(await refusal(logIn('wrong'))).toBe('Der Server antwortete mit 502.');
  });
});

describe('why nobody can tell who takes the GPU, on German screens', () => {
  it.each([
    ['without a model', undefined, 'es ist kein Modell geladen'],
    ['with a remote server', {} as InferenceBackend, 'das Rechenwerk läuft auf einem anderen Rechner'],
  ])('%s', async (_, current, reason) => {
    const slot = { current, status: () => ({ state: 'starting' as const }) };
    expect(worded(await otherGpuUse(slot as Parameters<typeof otherGpuUse>[0])(), 'reason')).toBe(reason);
  });
});

describe('a server that answers requests in this node’s place, on German screens', () => {
  const server = new ScriptedServer();
  beforeEach(() => server.open());
  afterEach(() => server.close());

  it.each<[string, Reply, string]>([
    ['no JSON', (response) => response.end('Hallo'), 'hat auf models mit etwas geantwortet, das kein JSON ist.'],
    [
      'no list of models',
      (response) => sendJson(response, { models: [] }),
      'das es so in der OpenAI-Schnittstelle nicht gibt: eine Liste von Modellen.',
    ],
  ])('gives %s', async (_, reply, sentence) => {
    server.replies.set('/v1/models', reply);
    const backend = new RemoteBackend({ baseUrl: server.url, log: pino({ level: 'silent' }) });
    expect(await refusal(backend.open())).toContain(sentence);
    await backend.close();
  });
});

it('says why the file of a source is not used, on German screens', async () => {
  const source = { name: 'example.org', kind: 'http' } as ByteSource;
  const partial = { state: { wanted: { bytes: 5 }, givers: {}, bytes: null }, received: 0 } as unknown as PartialFile;
  const check = (length: number, most = 1e9) => checkHolding({ source, validator: undefined, length }, partial, most);
  const why = async (check: () => void) => {
    const attempt = Promise.try(check).catch((error: SourceError) => {
      throw allGaveUp({ name: 'klein' } as WantedModel, error);
    });
    return await refusal(attempt);
  };
  expect(await why(() => check(6_000))).toContain('wird nicht verwendet: sie hat 6.000 Bytes, nicht 5.');
  expect(await why(() => check(6_000, 1_000))).toContain('und höchstens 1\u00a0kB werden angenommen.');
});
