import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import type { Turn } from '../../src-preload/contract/conversations.ts';
import { PAGES } from '../../src-preload/contract/domains.ts';
import type { PageEntry } from '../../src-preload/contract/pages.ts';
import { say, sentence, told } from '../../src-preload/contract/saying.ts';
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import { en } from '../../src-renderer/i18n/en.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { RULES_OF_LOOKS, seriousFaults } from '../support/page-checks.ts';
import { debtors, entries, FLEET_CODE, hardware, nodeId, status, summary } from '../support/screens/sample-data.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';

/** Every place that has an address: its name, the address, and the title or the open tab that tells that it is there. */
const PLACES = PAGES.flatMap((page: PageEntry): [name: string, path: string, shown: string][] => {
  const { title, place: tabs = {} } = en[page.name] as { title: string; place?: Record<string, string> };
  const [first, ...others] = page.places ?? [];
  const path = page.path.slice(1);
  return [
    [page.name, path, first ? (tabs[first] ?? first) : title],
    ...others.map((place): [string, string, string] => [
      `${page.name}-${place}`,
      `${path}/${place}`,
      tabs[place] ?? place,
    ]),
  ];
});
/** One of many at such an address. */
PLACES.push(['subnet', 'subnets/24', 'All subnets'], ['subnet-rules', 'subnets/24/rules', 'All subnets']);
const WELCOME_STEPS = [
  ['Hello', 'Welcome to Quarry'],
  ['Computer', 'What is in this computer'],
  ['Model', 'Choose a model'],
  ['Start', 'Ready to start'],
] as const;
/** Once the page has drawn itself anew in the theme it was told to have. */
const drawnIn = (scheme: string) => `new Promise((drawn) => {
  const look = () => (document.documentElement.dataset.mantineColorScheme === '${scheme}' ? requestAnimationFrame(drawn) : requestAnimationFrame(look));
  requestAnimationFrame(look);
})`;
/** Both themes and both widths; axe, which takes long, sees each of them once. */
const LOOKS = [
  { scheme: 'light', kind: 'wide', width: 1_280, examined: { rules: undefined } },
  { scheme: 'dark', kind: 'wide', width: 1_280, examined: undefined },
  { scheme: 'light', kind: 'narrow', width: 400, examined: undefined },
  { scheme: 'dark', kind: 'narrow', width: 400, examined: { rules: RULES_OF_LOOKS } },
] as const;
/** How many buttons the header shows, and which of them are not in the window as a whole, or do not show the whole of their text. */
const BUTTONS_CUT_OFF = `(() => {
  const shown = [...document.querySelectorAll('header button')].filter((button) => button.offsetWidth > 0);
  const cutOff = shown.filter((button) => {
    const { left, right } = button.getBoundingClientRect();
    const texts = [button, ...button.querySelectorAll('*')].filter((one) => one.textContent && getComputedStyle(one).position !== 'absolute');
    return left < 0 || right > innerWidth || texts.some(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth);
  });
  return { seen: shown.length, cutOff: cutOff.map((button) => button.ariaLabel ?? button.textContent) };
})()`;
/** Pixels by which a table is wider than its place. */
const hiddenOf = (table: string) => `(() => {
  const shown = document.querySelector('table[aria-label="${table}"]');
  return Math.max(0, shown.scrollWidth - shown.parentElement.clientWidth);
})()`;
/** Whether a page that nobody has opened yet is here as a whole: its script, what that imports, and its styles. */
const SETTINGS_FETCHED = `(async () => {
  const script = performance.getEntriesByType('resource').find(({ name }) => /\\/Settings-[^/]*\\.js$/.test(name));
  if (!script) return false;
  await import(script.name);
  return [...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet);
})()`;
/** Buttons of a page that open something over it, and what that is. */
const OPENERS = 'main button:is([aria-haspopup=menu], [aria-haspopup=dialog]):enabled:visible';
const OPENED = ':is([role=menu], [role=dialog]):visible';
const LONG = { tags: ['long', 'seldom'] };
/** Pictures of every look, for people; they take longer than the rest, so they are asked for: `QUARRY_TEST_PICTURES=1`. */
const PICTURES = process.env.QUARRY_TEST_PICTURES ? 'test-results/screens' : undefined;

const chromium = findChromium();
let browser: Browser;
let node: ScriptedNode;

beforeAll(async () => {
  if (!chromium) return;
  node = await startScriptedNode();
  browser = await launchChromium(chromium);
});

afterAll(async () => {
  await browser?.close();
  await node?.close();
});

function withSetting(view: SettingsView, path: string, value: unknown): SettingsView {
  return { ...view, settings: view.settings.map((one) => (one.path === path ? { ...one, value } : one)) };
}

/** A new page, and what the browser complains about in it. */
async function open(address: string, options: { language?: string; path?: string } = {}) {
  const page = await browser.newPage({
    viewport: { width: 1_280, height: 900 },
    locale: options.language ?? 'en-US',
    reducedMotion: 'reduce', // nor a colour on its way from one theme to the other when axe measures contrast
  });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${address}#/${options.path ?? ''}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return { page, complaints };
}

/** Gives the page a theme and a width. */
async function dress(page: Page, { scheme, width }: Pick<(typeof LOOKS)[number], 'scheme' | 'width'>): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(drawnIn(scheme));
}

/** Looks at what is shown in both themes and widths. */
async function look(page: Page, name: string): Promise<void> {
  await page.waitForFunction('!document.querySelector("main .mantine-Skeleton-root")');
  for (const { scheme, kind, width, examined } of LOOKS) {
    await dress(page, { scheme, width });
    if (examined) expect(await seriousFaults(page, examined.rules), `${name} ${scheme} ${kind}`).toEqual([]);
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    await expect.poll(overflow, { message: `${name} is wider than a ${kind} window` }).toBeLessThanOrEqual(0);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${scheme}-${kind}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1_280, height: 900 });
}

describe.skipIf(!chromium)('every screen', () => {
  describe('has no serious fault for those who hear or type, and fits a narrow window', () => {
    let page: Page;
    let complaints: string[];

    beforeAll(async () => {
      ({ page, complaints } = await open(node.url));
    });

    afterAll(() => page?.close());

    it.each(PLACES)('%s', async (name, path, shown) => {
      await page.goto(`${node.url}#/${path}`);
      await page.locator('h1, header nav a[aria-current=page]', { hasText: shown }).first().waitFor();
      await look(page, name);
      expect(complaints).toEqual([]);
    });

    it.each(PLACES)('%s, by every rule in every look, with what its buttons open', LONG, async (name, path, shown) => {
      await page.goto(`${node.url}#/${path}`);
      await page.locator('h1, header nav a[aria-current=page]', { hasText: shown }).first().waitFor();
      await page.waitForFunction('!document.querySelector("main .mantine-Skeleton-root")');
      for (const one of LOOKS) {
        await dress(page, one);
        expect(await seriousFaults(page), `${name} ${one.scheme} ${one.kind}`).toEqual([]);
        for (const opener of await page.locator(OPENERS).all()) {
          const label = await opener.getAttribute('aria-label');
          await opener.click();
          const opened = page.locator(OPENED).first();
          await opened.waitFor();
          expect(await seriousFaults(page), `${name} ${one.scheme} ${one.kind}, ${label} opened`).toEqual([]);
          await page.keyboard.press('Escape');
          await opened.waitFor({ state: 'hidden' });
        }
      }
      await dress(page, LOOKS[0]);
    });

    it('a dialog and a menu, which give the focus back', async () => {
      await page.goto(`${node.url}#/models/catalogue`);
      const more = page.getByRole('button', { name: 'Add another model' });
      await more.click();
      await page.getByRole('menuitem').first().waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      await page.getByRole('menuitem', { name: 'Import a file' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => more.and(page.locator(':focus')).count()).toBe(1); // a moment after the dialog has gone
    });
  });

  it.each([
    ['reduce', []],
    ['no-preference', ['running']],
  ] as const)('moves only what mines, and nothing for who wants no motion: %s', async (reducedMotion, moving) => {
    const { page } = await open(node.url);
    await page.emulateMedia({ reducedMotion });
    await page.getByRole('status').filter({ hasText: 'Mining' }).first().waitFor();
    const endless = 'document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === Infinity)';
    await expect.poll(() => page.evaluate(`${endless}.map(({ playState }) => playState)`)).toEqual(moving);
    await page.close();
  });

  it('the four steps of the welcome', async () => {
    const newcomer = await startScriptedNode();
    newcomer.data.settings = withSetting(newcomer.data.settings, 'showWelcome', true);
    const { page, complaints } = await open(newcomer.url);
    for (const [step, heading] of WELCOME_STEPS) {
      await page.getByRole('button', { name: new RegExp(step) }).click();
      await page.getByRole('heading', { name: heading }).waitFor();
      await look(page, `welcome-${step.toLowerCase()}`);
    }
    expect(complaints).toEqual([]);
    await page.close();
    await newcomer.close();
  });

  it('a start that waits for a download begins when that is here, and not when it was given up', async () => {
    const newcomer = await startScriptedNode({ status: { ...status, mining: { state: 'stopped' } } });
    const { data } = newcomer;
    data.settings = withSetting(data.settings, 'showWelcome', true);
    const [download] = data.downloads;
    const { page } = await open(newcomer.url);
    await page.getByRole('button', { name: '4 Start' }).click();
    await page.getByRole('button', { name: 'Start mining' }).click();
    await page.getByText('Mining starts by itself').waitFor();
    await page.getByRole('button', { name: 'Cancel the download' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the download' }).click();
    await page.getByText('Mining starts by itself').waitFor({ state: 'detached' });
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    expect(data.status.mining?.state).toBe('stopped');
    if (!download) throw new Error('The sample data have no download.');
    data.downloads = [download];
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Start mining' }).click();
    await page.getByText('Mining starts by itself').waitFor();
    const [here] = data.localModels;
    if (here) data.localModels = [...data.localModels, { ...here, name: download.name, selected: false }];
    data.downloads = [];
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect(data.status.mining?.state).toBe('running');
    await page.close();
    await newcomer.close();
  });

  it.each([
    ['en', 'Name of this computer', 'Saved'],
    ['de', 'Name dieses Rechners', 'Gespeichert'],
  ])(
    'keeps the tabs of the settings whole beside the state in %s, and says that a change was saved',
    async (language, field, saved) => {
      const own = await startScriptedNode();
      own.data.settings = withSetting(own.data.settings, 'language', language);
      const { page } = await open(own.url, { path: 'settings' });
      const name = page.getByRole('textbox', { name: field });
      await name.fill('cellar');
      await name.press('Enter');
      await page.getByRole('status').filter({ hasText: saved }).waitFor();
      const hidden =
        'document.querySelector("header nav").scrollWidth - document.querySelector("header nav").clientWidth';
      expect(await page.evaluate(hidden)).toBe(0);
      await page.close();
      await own.close();
    },
  );

  it('the page that a link asked for, once the welcome is left, and the dashboard where it was shown again', async () => {
    const newcomer = await startScriptedNode();
    newcomer.data.settings = withSetting(newcomer.data.settings, 'showWelcome', true);
    const { page } = await open(`${newcomer.url}?model=qwen`, { path: 'models' });
    await page.getByRole('button', { name: 'Skip' }).click();
    const search = page.getByRole('searchbox', { name: 'Find a model' });
    await search.waitFor();
    expect(await search.inputValue()).toBe('qwen');
    await page.goto(`${newcomer.url}#/settings/general`);
    await page.getByRole('button', { name: 'Show the welcome again' }).click();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.close();
    await newcomer.close();
  });

  it('the login', async () => {
    const guarded = await startScriptedNode({ session: { loggedIn: false, hasToken: true, inCheckout: true } });
    const { page, complaints } = await open(guarded.url);
    await page.getByRole('textbox', { name: 'API token' }).waitFor();
    await look(page, 'login');
    guarded.data.session.hasToken = false;
    await page.goto(`${guarded.url}?link=over`);
    await page.getByRole('alert').waitFor();
    await look(page, 'login-by-link');
    expect(complaints).toEqual([]);
    await page.close();
    await guarded.close();
  });

  it('an answer that fails is told although it is still tried, and shown when it comes', async () => {
    const failing = await startScriptedNode();
    failing.data.failures['credits.summary'] = { code: 'INTERNAL', message: 'The ledger is busy.', retryable: true };
    const { page } = await open(failing.url);
    const note = page.getByRole('alert').filter({ hasText: 'The ledger is busy.' }).first();
    await note.waitFor();
    await note.getByRole('button', { name: 'Try again' }).waitFor();
    delete failing.data.failures['credits.summary'];
    await page.reload(); // by itself it may have tried again already, or given up by now
    await page.getByText('Earned today').waitFor();
    await page.getByText('57points').first().waitFor();
    expect(await note.count()).toBe(0);
    await page.close();
    await failing.close();
  });

  it('what a node has found in its ledger by itself is told, and a proof can be of everything', async () => {
    const looking = await startScriptedNode();
    const { data } = looking;
    data.ledgerCheck = { ...data.ledgerCheck, state: 'running', unclean: true, read: 120 };
    const { page } = await open(looking.url, { path: 'earnings/ledger' });
    await page.getByText('was not shut down properly the last time').waitFor();
    await page.getByText('120 of 400 entries').waitFor();
    const problem = say('ledger.entryMissing', { seq: '5' });
    data.ledgerCheck = { ...data.ledgerCheck, state: 'damaged', problems: [sentence(problem)], said: { 0: problem } };
    await page.getByRole('alert').filter({ hasText: 'entry 5 is missing' }).waitFor();
    data.ledgerReport = { ...data.ledgerReport, provenBefore: 390 };
    await page.getByRole('button', { name: 'Verify ledger' }).click();
    await page.getByText('Entries up to 390 were verified before').waitFor();
    data.ledgerReport = { ...data.ledgerReport, provenBefore: undefined };
    await page.getByRole('button', { name: 'Read everything' }).click();
    await page.getByText('The ledger is sound').waitFor();
    expect(await page.getByText('were verified before').count()).toBe(0);
    await page.close();
    await looking.close();
  });

  it('whom a node owes something is told a page at a time, with what it means', async () => {
    const looking = await startScriptedNode();
    const { page } = await open(looking.url, { path: 'earnings/credits' });
    const table = page.getByRole('table', { name: 'Whom you owe' });
    await table.getByRole('row').nth(10).waitFor();
    expect(await table.getByRole('row').count()).toBe(11);
    await page.getByText('10 of 45').waitFor();
    expect(await table.getByRole('row').nth(1).textContent()).toMatch(/Has served you for 899899Diamond$/);
    await page.getByText('You owe', { exact: true }).first().locator('..').getByText('5,593').waitFor();
    await page.getByText('Points and tiers that others show do not count: they can be made up').waitFor();
    await page.getByText('Strangers of one internet connection get up to 20 together').waitFor();
    const trust = page.getByText('Given on trust').locator('..');
    await trust.getByText('37', { exact: true }).waitFor();
    await trust.getByText('Come back from others: 24.').waitFor();
    await page.getByText('10 of 45').locator('..').getByRole('button').click();
    await page.getByText('20 of 45').waitFor();
    await page.close();
    await looking.close();
  });

  it('who owes this node is told, how much of that is in reach, and what it owes in all', async () => {
    const looking = await startScriptedNode({ debtors: debtors.slice(0, 3) });
    const { page } = await open(looking.url, { path: 'earnings/credits' });
    const table = page.getByRole('table', { name: 'Who owes you' });
    await table.getByRole('row').nth(3).waitFor();
    expect(await table.getByRole('row').nth(1).textContent()).toMatch(/120In reach$/);
    expect(await table.getByRole('row').nth(3).textContent()).toMatch(/9Away$/);
    await page.getByText('160 of 169 in reach').waitFor();
    await page.getByText('You owe', { exact: true }).first().locator('..').getByText('5,593').waitFor();
    await page.close();
    await looking.close();
  });

  it('tells a client, and whoever serves friends, what holds there for those who are owed something', async () => {
    const client = await startScriptedNode({ status: { ...status, role: 'client', mining: undefined } });
    const first = await open(client.url, { path: 'earnings/credits' });
    await first.page.getByText('This node only asks, so nobody can spend anything here').waitFor();
    await first.page.getByRole('table', { name: 'Whom you owe' }).waitFor();
    expect(await first.page.getByText('Its tier here').count()).toBe(0);
    expect(await first.page.getByText('Given on trust').count()).toBe(0);
    await first.page.close();
    client.data.status = status;
    client.data.summary = { ...summary, rule: 'witnessed' };
    const second = await open(client.url, { path: 'earnings/credits' });
    await second.page.getByText('everyone is served without limit').waitFor();
    expect(await second.page.getByText('Given on trust').count()).toBe(0);
    await second.page.close();
    await client.close();
  });

  it('shows credits and points of the ledger in a narrow window, the whole legend in a low one, and an entry when it is pressed', async () => {
    const { page } = await open(node.url, { path: 'earnings/ledger' });
    await page.setViewportSize({ width: 400, height: 700 });
    const row = page.getByRole('table', { name: 'Ledger' }).getByRole('row').nth(1);
    await row.scrollIntoViewIfNeeded();
    for (const cell of [row.getByText('+7').first(), row.getByText('+7').last()]) {
      const { x = 0, width = 0 } = (await cell.boundingBox()) ?? {};
      expect(x + width).toBeGreaterThan(0);
      expect(x + width).toBeLessThanOrEqual(400);
    }
    expect(await page.evaluate(hiddenOf('Ledger'))).toBe(0);
    await page.getByRole('button', { name: 'What the kinds mean' }).click();
    const legend = page.getByRole('dialog', { name: 'What the kinds mean' });
    await legend.getByText('Allowance', { exact: true }).scrollIntoViewIfNeeded();
    const { y = -1, height = 0 } = (await legend.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(700);
    expect(await legend.getByText('Set aside', { exact: true }).count()).toBe(0);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/legend-narrow.png` });
    await page.keyboard.press('Escape');
    await row.getByRole('button').click();
    const details = page.getByRole('dialog').getByRole('region', { name: 'Earned' });
    await details.getByText('request-400').waitFor();
    await details.getByText('An answer from this computer, signed by the asker.').waitFor();
    await page.goto(`${node.url}#/network`);
    await page.getByRole('table', { name: 'Peers' }).getByRole('row').nth(4).waitFor();
    expect(await page.evaluate(hiddenOf('Peers'))).toBe(0);
    await page.close();
  });

  it('offers more of the ledger only where there is more', async () => {
    const short = await startScriptedNode({ entries: entries.slice(0, 25) });
    const { page } = await open(short.url);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByText('25 entries, that is all').waitFor();
    await page.getByText('Vouched for facade00 at beef0000, which now owes this node that much less').first().waitFor();
    await page.getByText('Speed Demon').first().waitFor();
    expect(await page.getByRole('table', { name: 'Ledger' }).getByRole('row').count()).toBe(26);
    short.data.entries = entries.slice(0, 26);
    await page.reload();
    await page.getByText('25 entries shown').locator('..').getByRole('button', { name: 'Show more' }).click();
    await page.getByText('26 entries, that is all').waitFor();
    await page.close();
    await short.close();
  });

  it('tells everything of a peer beside the list, and keeps it out once that was asked', async () => {
    const meeting = await startScriptedNode();
    const { peers } = meeting.data;
    meeting.data.peers = { ...peers, marks: peers.marks.map((mark) => ({ ...mark, id: nodeId('facade') })) };
    const { page } = await open(meeting.url, { path: 'network' });
    const table = page.getByRole('table', { name: 'Peers' });
    const details = (id: string) => page.getByRole('region', { name: id });
    await details('beef0000').getByText('900').waitFor();
    expect(await table.locator('[data-selected]').textContent()).toContain('beef0000');
    await table.getByRole('button', { name: 'facade00' }).click();
    await details('facade00').getByText('Silver').waitFor();
    await details('facade00').getByText('45% · Moderate load').waitFor();
    await details('facade00').getByText('Claims more points than it has').waitFor();
    await details('facade00').getByText('Qwen2.5 7B').waitFor();
    await details('facade00').getByRole('button', { name: 'Ban facade00 …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByText('facade00 is banned.').waitFor();
    await table.getByRole('button', { name: 'facade00' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Blocked', exact: true }).click();
    await page.getByRole('button', { name: 'Lift the ban of facade00' }).click();
    await page.getByText('facade00 may connect again.').waitFor();
    await page.close();
    await meeting.close();
  });

  it('shows the nodes of one owner, pairs another by a code, starts and stops one, and parts it once that was asked', async () => {
    const meeting = await startScriptedNode();
    const { page } = await open(meeting.url, { path: 'network/nodes' });
    const table = page.getByRole('table', { name: 'My nodes' });
    await page.getByText('173', { exact: true }).waitFor(); // of all three
    await table.getByRole('button', { name: 'Old laptop' }).click();
    const laptop = page.getByRole('region', { name: 'Old laptop' });
    await laptop.getByText('Not connected').waitFor();
    expect(await laptop.getByRole('button', { name: 'Stop mining' }).count(), 'of one that is away').toBe(0);
    await page.getByRole('button', { name: 'Add a node' }).click();
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('textbox', { name: 'Code' }).getByText(FLEET_CODE).waitFor();
    const { nodes, offer } = meeting.data.fleet;
    const pairedWith = nodes[1]?.id;
    meeting.data.fleet = { nodes, offer: { expiresAt: offer?.expiresAt ?? 0, ...(pairedWith && { pairedWith }) } };
    await page.getByText('Paired with Old laptop').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByRole('button', { name: 'Join with a code' }).click();
    const code = page.getByRole('textbox', { name: 'Code that the other node shows' });
    await code.fill(FLEET_CODE.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
    await page.getByText('The code has a typing mistake.').waitFor();
    await code.fill(FLEET_CODE.toLowerCase().replaceAll('-', ' '));
    await code.press('Enter');
    await page.getByText('Paired with Server in the basement').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await table.getByRole('button', { name: 'Server in the basement' }).click();
    const server = page.getByRole('region', { name: 'Server in the basement' });
    await server.getByRole('button', { name: 'Stop mining' }).click();
    await page.getByText('Server in the basement was told.').waitFor();
    await server.getByRole('button', { name: 'Unpair …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unpair', exact: true }).click();
    await table.getByRole('button', { name: 'Server in the basement' }).waitFor({ state: 'detached' });
    await page.close();
    await meeting.close();
  });

  it('says what to do while nobody is connected, and while others cannot get through', async () => {
    const alone = await startScriptedNode();
    const { data } = alone;
    data.peers = { ...data.peers, peers: [] };
    data.reachability = { ...data.reachability, online: false, nat: 'unknown', address: undefined };
    const { page } = await open(alone.url, { path: 'network' });
    await page.getByText('No computer of the network answers.').waitFor();
    await page.getByText('Allow Quarry to use UDP in the firewall').waitFor();
    expect(await page.getByText('Nobody is connected yet').count()).toBe(0); // one advice is enough
    data.reachability = { ...data.reachability, online: true, nat: 'random' };
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Switch off a VPN, if one is on.').waitFor();
    await page.getByText('Nobody is connected yet').waitFor();
    expect(await page.getByText('No computer of the network answers.').count()).toBe(0);
    await page.close();
    await alone.close();
  });

  it('says of a question to the mesh that nobody answered it, and asks anew what there is to spend', async () => {
    const asking = await startScriptedNode();
    const { data } = asking;
    const figures = { model: null, tokens: 0, firstTokenMs: null, totalMs: 10_000, tokensPerSecond: null, paid: [] };
    const error = { code: 'OVERLOADED', message: 'Every worker in reach is busy.', retryable: true, said: {} } as const;
    const answer = { ...figures, state: 'failed', target: 'mesh', worker: null, error } as const;
    const conversation = {
      id: crypto.randomUUID(),
      title: 'Why?',
      createdAt: 1,
      updatedAt: 1,
      options: { target: 'mesh' } as const,
    };
    const turns = [
      { id: 1, role: 'user', text: 'Why?', at: 1, answer: null } as const,
      { id: 2, role: 'assistant', text: '', at: 1, answer } as const,
    ];
    data.conversations.push({ conversation, turns });
    const { page } = await open(asking.url, { path: 'playground' });
    await page.getByText('Why?').first().click();
    await page.getByText('Nobody answered · 10 s').waitFor();
    expect(await page.getByRole('article', { name: 'Answer' }).getByText('This computer').count()).toBe(0);
    await page.getByText('You have214Of that, online now193').waitFor();
    data.debtors = data.debtors.slice(0, 3);
    await page.getByText('You have169Of that, online now160').waitFor();
    await page.close();
    await asking.close();
  });

  it('says below an answer of the mesh what it cost, and from what: in English and in German', async () => {
    const asking = await startScriptedNode();
    const { data } = asking;
    const [beef, face] = [nodeId('beef'), nodeId('face')];
    const figures = { tokens: 212, firstTokenMs: 340, totalMs: 7_100, tokensPerSecond: 31.2, error: null } as const;
    const mesh = { target: 'mesh', worker: beef } as const;
    const answers: Pick<NonNullable<Turn['answer']>, 'target' | 'worker' | 'paid'>[] = [
      { ...mesh, paid: [{ worker: beef, credits: 2, from: 'gift' }] },
      {
        ...mesh,
        paid: [
          { worker: face, credits: 1, from: 'claim' },
          { worker: beef, credits: 2, from: 'vouchers' },
        ],
      },
      { target: 'local', worker: null, paid: [] },
    ];
    const turns = answers.flatMap((one, place): Turn[] => [
      { id: 2 * place + 1, role: 'user', text: 'Why?', at: 1, answer: null },
      {
        id: 2 * place + 2,
        role: 'assistant',
        text: 'Because it is so.',
        at: 1,
        answer: { ...figures, ...one, state: 'done', model: 'qwen3-4b-q4_k_m' },
      },
    ]);
    const options = { target: 'mesh' } as const;
    const conversation = { id: crypto.randomUUID(), title: 'What it costs', createdAt: 1, updatedAt: 1, options };
    data.conversations.push({ conversation, turns });
    for (const [language, ends] of [
      [
        'en',
        ['2\u00a0credits on trust', '3\u00a0credits from what it owed you and by voucher', '212 tokens in 7.1\u00a0s'],
      ],
      [
        'de',
        [
          '2\u00a0Credits auf Vertrauen',
          '3\u00a0Credits aus seiner Schuld und per Gutschein',
          '212 Token in 7,1\u00a0s',
        ],
      ],
    ] as const) {
      data.settings = withSetting(data.settings, 'language', language);
      const { page } = await open(asking.url, { path: 'playground' });
      await page.getByText('What it costs').first().click();
      const lines = page.getByText('Qwen3 4B · 212').locator('..');
      await lines.nth(2).waitFor();
      const shown = await lines.allTextContents();
      expect(shown.map((line, place) => line.slice(-(ends[place] ?? '').length))).toEqual(ends);
      for (const scheme of PICTURES ? (['light', 'dark'] as const) : []) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await page.evaluate(drawnIn(scheme));
        for (const width of [1_280, 400]) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: `${PICTURES}/cost-${language}-${scheme}-${width}.png` });
        }
      }
      await page.close();
    }
    await asking.close();
  });

  it('takes a fraction only where one is wanted, and says so at the field', async () => {
    const { page } = await open(node.url, { path: 'settings/all' });
    const field = page.getByRole('textbox', { name: 'Port', exact: true });
    const group = page.getByRole('region', { name: 'Network', exact: true }).getByRole('button', { name: /^Network/ });
    await group.click();
    await field.fill('2.5');
    await page.getByText('Enter a whole number from 0 to 65,535.').waitFor();
    await field.press('Escape');
    await page.close();
  });

  it('a link to a model begins in the catalogue with its name, once', async () => {
    const { page } = await open(`${node.url}?model=qwen`, { path: 'models' });
    const search = page.getByRole('searchbox', { name: 'Find a model' });
    await search.waitFor();
    expect(await search.inputValue()).toBe('qwen');
    expect(page.url()).toBe(`${node.url}#/models/catalogue`);
    await search.fill('');
    await page.getByRole('link', { name: 'Earnings', exact: true }).click();
    await page.getByRole('link', { name: 'Models', exact: true }).first().click(); // Earnings has a tab of that name
    await page.getByRole('heading', { name: 'On this computer', exact: true }).first().waitFor();
    await page.close();
  });

  it('speaks German to a German browser, and English when the setting says so', async () => {
    node.data.settings = withSetting(node.data.settings, 'language', 'system');
    const german = await open(node.url, { language: 'de-DE' });
    await german.page.getByRole('link', { name: 'Einstellungen', exact: true }).waitFor();
    await expect.poll(() => german.page.evaluate('document.documentElement.lang')).toBe('de');
    await german.page.goto(`${node.url}#/settings/policy`);
    await german.page.getByText('Es gibt keine Ruhezeiten.').waitFor();
    await german.page.goto(`${node.url}#/settings/logs`);
    await german.page.getByRole('button', { name: 'Untersuchen' }).click();
    await german.page.getByText('Die Uhr geht 7,3 s vor, verglichen mit den Uhren von 12 Peers.').waitFor();
    if (PICTURES) await german.page.screenshot({ path: `${PICTURES}/german-doctor.png`, fullPage: true });
    await german.page.goto(`${node.url}#/network/blocked`);
    await german.page.getByText('behauptet sind 900 Punkte, das Protokoll belegt 12').waitFor();
    await german.page.goto(`${node.url}#/settings/all`);
    await german.page.getByRole('button', { name: /^Rechenwerk/ }).click();
    await german.page.getByText('das zuletzt importierte, sonst das eingebaute').waitFor();
    await german.page.getByRole('searchbox', { name: 'Suchen' }).fill('Rechenwerk Threads');
    await german.page.getByText('Prozessor-Threads des Rechenwerks.').waitFor();
    await german.page.getByText('1 Einstellung', { exact: true }).waitFor();
    node.data.settings = withSetting(node.data.settings, 'language', 'en');
    await german.page.reload();
    await german.page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
    await german.page.close();
  });

  it.each([
    ['en', 'Start mining'],
    ['en', 'Stop mining'],
    ['de', 'Schürfen starten'],
    ['de', 'Schürfen anhalten'],
  ])('keeps every button of the header within a phone in %s, with «%s»', async (language, action) => {
    const state = action.startsWith('Start') || action.endsWith('starten') ? 'stopped' : 'running';
    const phone = await startScriptedNode();
    phone.data.settings = withSetting(phone.data.settings, 'language', language);
    phone.data.status = { ...phone.data.status, mining: { state } };
    const { page } = await open(phone.url);
    await page.getByRole('button', { name: action }).first().waitFor();
    for (const width of [400, 360]) {
      await page.setViewportSize({ width, height: 800 });
      // The page itself never grows wider: what the header has too much of hangs over its edge, or is cut off inside a button.
      await expect
        .poll(() => page.evaluate(BUTTONS_CUT_OFF), { message: `${action} at ${width}` })
        .toEqual({ seen: 3, cutOff: [] });
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/header-${language}-${state}-${width}.png` });
    }
    await page.close();
    await phone.close();
  });

  it('leads from the use of this computer to each of its graphics cards, and to the choice of them', async () => {
    const [old, fast] = ['NVIDIA GeForce RTX 3060', 'NVIDIA GeForce RTX 4090'];
    const together = {
      name: `${old} + ${fast}`,
      devices: [old, fast],
      backend: 'cuda',
      vramTotal: 36e9,
      vramFree: 9e9,
    };
    const program = { name: 'llvmpipe', ...told({ reason: say('hardware.softwareGpu') }) };
    const two = await startScriptedNode({
      hardware: { ...hardware, gpus: { value: [together], source: 'llama.cpp', leftOut: [program] } },
      cards: [
        { name: old, backend: 'cuda', busy: 0.1, vramTotal: 12e9, vramUsed: 6e9 },
        { name: fast, backend: 'cuda', busy: 0.9, vramTotal: 24e9, vramUsed: 21e9, watts: 334 },
      ],
    });
    const { page, complaints } = await open(two.url);
    await page.getByRole('link', { name: 'Details' }).click();
    const cards = page.getByRole('table', { name: 'Graphics cards' });
    await cards.getByRole('row', { name: /RTX 4090.*21 GB of 24 GB.*90%.*334 W/ }).waitFor();
    await cards.getByRole('row', { name: /RTX 3060.*6 GB of 12 GB.*10%.*–/ }).waitFor();
    await page.getByText('Not readable on this computer: temperature.').waitFor();
    await page.getByText(/llvmpipe is left out/).waitFor();
    await page.getByRole('link', { name: 'Choose cards' }).click();
    await page.getByRole('checkbox', { name: old }).click(); // unchecked when the node has answered
    await expect
      .poll(() => two.data.settings.settings.find(({ path }) => path === 'engine.gpus')?.value)
      .toEqual(['1']);
    expect(complaints).toEqual([]);
    await page.close();
    await two.close();
  });

  it('says when the connection is lost, and goes on when it is back', async () => {
    const port = await freePort();
    const other = await startScriptedNode({}, undefined, port);
    const { page } = await open(other.url);
    await page.getByRole('button', { name: 'Stop mining' }).waitFor();
    await expect.poll(() => page.evaluate(SETTINGS_FETCHED), { message: 'pages are fetched early' }).toBe(true);
    await other.close();
    await page.getByText('No connection to Quarry.').waitFor();
    await page.getByText(/What you see is from/).waitFor();
    await page.getByText('Connecting', { exact: true }).first().waitFor();
    expect(await page.getByText('Mining', { exact: true }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Stop mining' }).isDisabled()).toBe(true);
    // Pages that were not open yet are there all the same, with their controls off.
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('heading', { name: 'This computer' }).waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("main fieldset").disabled')).toBe(true);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/connection-lost.png` });
    const back = await startScriptedNode({}, undefined, port);
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 1_000 })
      .catch(ignoring('it may be back by itself'));
    await page.getByText('No connection to Quarry.').waitFor({ state: 'hidden' });
    await page.getByText('Mining', { exact: true }).first().waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("main fieldset").disabled')).toBe(false);
    await page.getByRole('textbox', { name: 'Name of this computer' }).waitFor();
    await back.close();
    await page.close();
  });

  it('finds pages, models, settings and actions by their words', async () => {
    const { page, complaints } = await open(node.url);
    const search = page.getByRole('textbox', { name: 'Find anything' });
    const find = async (words: string, choose: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await search.fill(words);
      await page.getByRole('dialog').getByRole('button', { name: choose }).first().waitFor();
      await page.keyboard.press('Enter');
      await search.waitFor({ state: 'detached' });
    };
    await find('catalogue', 'Models › Catalogue');
    await expect.poll(() => page.url()).toBe(`${node.url}#/models/catalogue`);
    await find('dark', 'Appearance: Dark');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark');
    await find('what PORT is for', 'Port');
    await expect.poll(() => page.url()).toBe(`${node.url}#/settings/all`);
    await page.keyboard.press('Control+k');
    await search.fill('nothing is called like that');
    await page.getByText('For «nothing is called like that»').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await open(node.url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.getByRole('link', { name: 'Models', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
    await page.close();
  });
});
