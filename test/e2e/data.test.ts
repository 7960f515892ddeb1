import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClipScore } from '../../src-preload/contract/data.ts';
import type { CalibrationStep } from '../../src-preload/contract/data-calibration.ts';
import { CLIP_PATH } from '../../src-preload/contract/data-limits.ts';
import { say, sentence } from '../../src-preload/contract/saying.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { noScrollingSideways, noViolations, RULES_OF_LOOKS } from '../support/page-checks.ts';
import { takePictures } from '../support/pictures.ts';
import { noData, sampleClips } from '../support/screens/sample-clips.ts';
import { type ScriptedNode, startScriptedNode } from '../support/screens/scripted-node.ts';
import { openScriptedPage } from '../support/screens/scripted-page.ts';

const chromium = findChromium();
const WIDTHS = [1_280, 400, 1_920];
const VIDEO = resolve(import.meta.dirname, '../fixtures/media/hidden-pictures.webm');
const PLACES = ['overview', 'find', 'library', 'submissions', 'set'] as const;
/** Has the clip play that is shown. @returns how wide its picture is, 0 while it is none */
const PLAYED = `(async () => {
  const video = document.querySelector('main video');
  if (video && video.readyState === 0 && !video.error) await video.play().catch(String);
  return video?.videoWidth ?? 0;
})()`;
/** What has changed on the page in a second: how often fields, which React touches whenever it draws one, and how often anything. */
const CHANGED_IN_A_SECOND = `new Promise((told) => {
  const changed = { fields: 0, all: 0 };
  const observer = new MutationObserver((list) => {
    changed.all += list.length;
    changed.fields += list.filter(({ target }) => target.matches?.('input, select')).length;
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  setTimeout(() => (observer.disconnect(), told(changed)), 1_000);
})`;
/** What comes of measuring where there is enough of everything. */
const MEASURED = {
  ...{ clips: 150, reason: null },
  thresholds: { same: 0.95, novel: 0.1, unrelated: 0.12, closest: 0.5 },
};
const ALL_MEASURED: CalibrationStep = {
  type: 'done',
  models: [
    { ...MEASURED, kind: 'pictures', name: 'siglip2-base' },
    { ...MEASURED, kind: 'sounds', name: 'clap-htsat' },
  ],
};
/** Both themes, and a phone. */
const LOOKS = [
  { colorScheme: 'light', width: 1_280, rules: undefined },
  { colorScheme: 'dark', width: 1_280, rules: RULES_OF_LOOKS },
  { colorScheme: 'dark', width: 400, rules: undefined },
] as const;
/** What a call fails with. */
const FAULT = {
  code: 'INTERNAL' as const,
  message: sentence(say('login.connectionLost')),
  retryable: false,
};

describe.skipIf(!chromium)('the page of data', () => {
  let browser: Browser;
  let node: ScriptedNode;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    if (chromium) browser = await launchChromium(chromium);
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    ({ node, page, complaints } = await openScriptedPage(browser));
  });

  afterEach(async () => {
    await page.close();
    await node.close();
    expect(complaints).toEqual([]);
  });

  const open = (place: (typeof PLACES)[number] = 'overview') =>
    page.goto(`${node.url}#/data${place === 'overview' ? '' : `/${place}`}`);
  const told = () => node.data.clips;
  const done = () => told().done;
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const noViolationsInAnyLook = async () => {
    for (const { colorScheme, width, rules } of LOOKS) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      await noViolations(page, rules);
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });

  describe('overview', () => {
    it('takes an order with what each source lacks, shows how it goes, and stops it', async () => {
      told().state = { ...told().state, mining: 'off', order: null };
      await open();
      const topic = page.getByRole('textbox', { name: 'Topic' });
      await topic.waitFor();
      expect(await page.getByRole('checkbox', { name: 'Own folders' }).isDisabled()).toBe(true);
      await page.getByText('No folder with videos is named in the settings.').waitFor();
      expect(await page.getByRole('checkbox', { name: 'Wikimedia Commons' }).isChecked()).toBe(true);
      await takePictures(page, 'data/off', WIDTHS);
      await page.getByRole('checkbox', { name: 'PeerTube' }).uncheck();
      await topic.fill('  rivers from above ');
      await page.getByRole('textbox', { name: 'How many clips' }).fill('25');
      await button('Start').click();
      await page.getByText('Looking for videos about «rivers from above»').waitFor();
      expect(await topic.count()).toBe(0);
      told().state = { ...told().state, mining: 'working' };
      await page.getByText('Making clips about «rivers from above»').waitFor();
      const progress = page.getByRole('progressbar', { name: 'How far «Birds of the city park» is' });
      await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('40');
      await button('Stop').click();
      await topic.waitFor();
      expect(await topic.inputValue()).toBe('rivers from above');
      await button('Go on with the queue').click();
      await button('Stop').waitFor();
      expect(done()).toEqual(['mine rivers from above archive+commons 25', 'stop', 'resume']);
    });

    it('draws anew only what has changed, however often it is told', async () => {
      await open();
      await button('Stop').waitFor();
      const changed = () => page.evaluate<{ fields: number; all: number }>(CHANGED_IN_A_SECOND);
      await expect.poll(changed).toEqual({ fields: 0, all: 0 });
      const growing = setInterval(() => {
        for (const clip of told().clips) clip.bytes += 100_000_000;
      }, 50);
      await expect.poll(changed).toEqual({ fields: 0, all: expect.toSatisfy((count) => count > 0) });
      clearInterval(growing);
    });

    it('says at each field what is missing, and takes nothing before it is there', async () => {
      told().state = { ...told().state, mining: 'off', order: null };
      await open();
      await page.getByRole('checkbox', { name: 'Wikimedia Commons' }).uncheck();
      await page.getByRole('checkbox', { name: 'Internet Archive' }).uncheck();
      await page.getByRole('checkbox', { name: 'PeerTube' }).uncheck();
      await page.getByRole('textbox', { name: 'Topic' }).fill('   ');
      await page.getByRole('textbox', { name: 'How many clips' }).fill('');
      await button('Start').click();
      for (const words of ['Say what to look for.', 'Choose one at least.', 'Say how many.']) {
        await page.getByText(words).waitFor();
      }
      await noViolations(page);
      await page.getByRole('textbox', { name: 'How many clips' }).fill('999999');
      await page.getByRole('textbox', { name: 'How many clips' }).blur();
      await expect.poll(() => page.getByRole('textbox', { name: 'How many clips' }).inputValue()).toMatch(/^10.000$/);
      expect(done()).toEqual([]);
    });

    it('shows at once what a source no longer lacks, and switches one on below its terms', async () => {
      told().state = { ...told().state, mining: 'off', order: null };
      await open();
      const folders = page.getByRole('checkbox', { name: 'Own folders' });
      await page.getByText('No folder with videos is named in the settings.').waitFor();
      told().sources = told().sources.map((one) => (one.kind === 'folder' ? { ...one, lacks: null } : one));
      const field = page.getByRole('textbox', { name: 'Own folders' });
      await field.fill('/home/ada/Videos');
      await field.blur();
      await expect.poll(() => folders.isEnabled()).toBe(true);
      await page.getByText('Many of them forbid in their terms of use what it does').waitFor();
      await noViolations(page);
      told().sources = told().sources.map((one) => (one.kind === 'ytdlp' ? { ...one, isOn: true } : one));
      await button('Switch on yt-dlp').click();
      await button('Switch on yt-dlp').waitFor({ state: 'detached' });
      const { settings } = node.data.settings;
      const on = ['folder', 'archive', 'commons', 'peertube', 'ytdlp'];
      expect(settings.find(({ path }) => path === 'data.sources')?.value).toEqual(on);
    });

    it('shows videos by state with why, tries failed ones again, and takes one out of the queue', async () => {
      await open();
      await page.getByText('archive.org sends next to nothing.').first().waitFor();
      await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Failed 4' });
      await expect.poll(() => page.getByRole('button', { name: /^Try «Hummingbirds/ }).count()).toBe(4);
      await page
        .getByRole('button', { name: /^Try «Hummingbirds/ })
        .first()
        .click();
      await expect.poll(() => page.getByRole('button', { name: /^Try «Hummingbirds/ }).count()).toBe(3);
      await button('Try the failed again').click();
      await page.getByText('No video is so far').waitFor();
      await page.getByRole('combobox', { name: 'State' }).selectOption('');
      await button('Try «Test picture» again').first().click();
      await page.getByRole('button', { name: 'Take «Nest box with a camera» out of the queue' }).first().click();
      await expect.poll(done).toEqual(['retry 36', 'retry all', 'retry 35', 'cancel 37']);
      await button('Show more').click();
      await expect.poll(() => page.getByRole('table', { name: 'Videos' }).getByRole('rowheader').count()).toBe(31);
    });

    it('fetches models with their licences, shows how far one is, stops that, and removes one', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      told().goOn = promise;
      await open();
      await page.getByText('Writes down what is said · about 104 MB · MIT').waitFor();
      await button('Fetch Whisper tiny').click();
      await page.getByText('0 B of about 104 MB · File 1 of 3 · 4 MB/s').waitFor();
      expect(await button('Fetch Silero VAD').isDisabled()).toBe(true);
      await takePictures(page, 'data/models', WIDTHS);
      await noViolations(page);
      await button('Stop fetching Whisper tiny').click();
      await button('Fetch Whisper tiny').click();
      resolve();
      await button('Remove Whisper tiny').click();
      await dialog().getByRole('button', { name: 'Remove it', exact: true }).click();
      await button('Fetch Whisper tiny').waitFor();
      expect(done()).toEqual(['fetch whisper-tiny', 'fetch whisper-tiny', 'remove whisper-tiny']);
    });

    it('shows how far clips are looked through anew, also while nothing is looked for', async () => {
      told().state = { ...told().state, mining: 'off', order: null, reckoning: 0.42 };
      await open();
      const anew = page.getByRole('listitem').filter({ hasText: 'Clips are made into numbers or scored anew' });
      await anew.getByText('42%').waitFor();
      const progress = page.getByRole('progressbar', { name: 'How far the clips are looked through' });
      expect(await progress.getAttribute('aria-valuenow')).toBe('42');
      await takePictures(page, 'data/reckoning', WIDTHS);
      await noViolationsInAnyLook();
      await noScrollingSideways(page);
      told().state = { ...told().state, reckoning: null };
      await anew.waitFor({ state: 'detached' });
      expect(await page.getByText('Being done now').count()).toBe(0);
    });

    it('measures when clips are alike, shows how far that is on whichever page, and what came of each model', async () => {
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      told().goOn = first.promise;
      await open();
      const table = page.getByRole('table', { name: 'When clips are alike' });
      await table.getByRole('row', { name: /siglip2-base.*112 clips.* 0\.947 0\.882 0\.062 0\.181$/ }).waitFor();
      await table.getByRole('row', { name: /clap-htsat.*not measured yet$/ }).waitFor();
      await page.getByText('A clip as close as this to one that is known is not new.').waitFor();
      await button('Measure with my clips').click();
      await page.getByText('Being measured · 0 of 150 clips read', { exact: true }).waitFor();
      told().goOn = second.promise;
      first.resolve();
      await page.getByText('48 of 150 clips read · about 4 min left').waitFor();
      const progress = page.getByRole('progressbar', { name: 'How far measuring is' });
      await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('32');
      await table.scrollIntoViewIfNeeded();
      await takePictures(page, 'data/measuring', WIDTHS);
      await page.getByRole('link', { name: 'Library', exact: true }).click();
      await page.getByText('30 of 48 clips').waitFor();
      second.resolve();
      await page.getByText('Measured with your clips: siglip2-base.').waitFor();
      await page.getByRole('link', { name: 'Overview', exact: true }).click();
      await table.getByRole('row', { name: /siglip2-base.*150 clips.* 0\.951 0\.896 0\.058 0\.176$/ }).waitFor();
      await page.getByText('clap-htsat was not measured').waitFor();
      await page.getByText('Only 31 clips have sound; it takes 50.').waitFor();
      await page.getByText('clap-htsat was not measured').scrollIntoViewIfNeeded();
      await takePictures(page, 'data/measured', WIDTHS);
      await noViolationsInAnyLook();
      await noScrollingSideways(page);
      expect(done()).toEqual(['calibrate']);
    });

    it('stops measuring, says what went wrong with it, and measures again once all models are', async () => {
      told().goOn = new Promise(() => {});
      await open();
      await button('Measure with my clips').focus();
      await page.keyboard.press('Enter');
      await page.getByText('Being measured').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Being measured').waitFor({ state: 'detached' });
      node.data.failures['data.calibrate'] = { ...FAULT, message: sentence(say('clipCalibration.running')) };
      await button('Measure with my clips').click();
      const alert = page.getByRole('alert').filter({ hasText: 'It is being measured already.' });
      await alert.waitFor();
      await noViolationsInAnyLook();
      delete node.data.failures['data.calibrate'];
      told().goOn = undefined;
      told().calibrated = [ALL_MEASURED];
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Measured with your clips: siglip2-base, clap-htsat.').waitFor();
      await alert.waitFor({ state: 'detached' });
      await button('Measure again').waitFor();
      expect(await page.getByText('was not measured').count()).toBe(0);
      expect(done()).toEqual(['calibrate', 'calibrate']);
    });

    it('says nothing of what cannot be measured where no model is in use', async () => {
      await open();
      const heading = page.getByRole('heading', { name: 'When clips are alike' });
      await heading.waitFor();
      told().thresholds = [];
      told().state = { ...told().state, space: null };
      await heading.waitFor({ state: 'detached' });
    });

    it('says what is missing, what that costs, and what to do', async () => {
      told().state = { ...told().state, mining: 'resting' };
      told().state.fault = { text: 'No ffmpeg is here.' };
      await open();
      await page.getByText('No ffmpeg is here.').waitFor();
      await page.getByText('4 of 8 ready').waitFor();
      await page.getByText('Name a server and a model that takes pictures in the settings.').waitFor();
      await noViolations(page);
      await noScrollingSideways(page);
    });
  });

  describe('finding', () => {
    const search = async (words: string) => {
      await open('find');
      await page.getByRole('textbox', { name: 'What should be seen in it' }).fill(words);
      await page.keyboard.press('Enter');
      await row('Blackbird in the rain').waitFor();
    };

    it('searches a source page by page, says why something may not be used, and makes clips of what is chosen', async () => {
      await search('garden birds');
      expect(done()).toEqual(['search archive garden birds 0']); // the first that can be asked
      await row('A film about storks').getByText('Not usable').waitFor();
      expect(await page.getByRole('checkbox', { name: 'Choose «A film about storks»' }).isDisabled()).toBe(true);
      expect(await page.getByRole('checkbox', { name: 'Choose «Blackbirds in May»' }).isDisabled()).toBe(true);
      await button('A film about storks').click();
      await page.getByText('Its licence, CC BY-ND 4.0, does not let it be cut.').waitFor();
      await takePictures(page, 'data/found', WIDTHS);
      await noScrollingSideways(page);
      await button('Show more').click();
      await page.getByText('40 videos are shown.').waitFor();
      await page.getByRole('checkbox', { name: 'Choose «Blackbird in the rain»' }).check();
      await page.getByRole('checkbox', { name: 'Choose «Garden, day 1»' }).check();
      await page.getByText('2 videos chosen').waitFor();
      await button('Make clips of 2 videos').click();
      await page.getByText('2 videos were put into the queue.').waitFor();
      await row('Blackbird in the rain').getByText('Here already').waitFor();
      expect(done().slice(2)).toEqual([
        'enqueue File:Blackbird in the rain.webm, File:Garden, day 1.webm: garden birds',
      ]);
    });

    it('chooses all that can be used, and none, with the keyboard', async () => {
      await search('garden birds');
      const all = page.getByRole('checkbox', { name: 'Choose all that can be used' });
      await all.focus();
      await page.keyboard.press('Space');
      await page.getByText('17 videos chosen').waitFor();
      await noViolations(page);
      await page.keyboard.press('Space');
      await page.getByText('17 videos chosen').waitFor({ state: 'detached' });
      await button('Great tits at the feeder').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Great tits at the feeder' }).waitFor();
      await page.getByRole('link', { name: 'CC BY', exact: true }).waitFor();
    });

    it('wants words, and asks no source that lacks something or is off', async () => {
      await open('find');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByText('Say what to look for.').waitFor();
      await page.getByRole('combobox', { name: 'Source to search' }).selectOption({ label: 'yt-dlp' });
      await page.getByText('Switched off.').waitFor();
      await page.getByText('whoever switches it on answers for that').waitFor();
      expect(await button('Search').isDisabled()).toBe(true);
      await page.getByRole('combobox', { name: 'Source to search' }).selectOption({ label: 'Own folders' });
      await page.getByText('No folder with videos is named in the settings.').waitFor();
      expect(await button('Search').isDisabled()).toBe(true);
      await page.getByRole('combobox', { name: 'Source to search' }).selectOption({ label: 'PeerTube' });
      await page.getByText('tube.example.org sends next to nothing.').waitFor();
      expect(done()).toEqual([]);
    });

    it('shows an address of a stranger that is none of the web as text', async () => {
      told().hits = told().hits.map((hit) => ({ ...hit, licenceUrl: 'javascript:alert(1)', page: 'data:text/html,x' }));
      await search('x');
      await page.getByRole('region', { name: 'Blackbird in the rain' }).waitFor();
      expect(await page.locator('main a[href^="javascript"], main a[href^="data"]').count()).toBe(0);
    });
  });

  describe('library', () => {
    it('finds clips by words, by meaning and by what is known of them, and forgets all that at once', async () => {
      await open('library');
      await page.getByText('30 of 48 clips').waitFor();
      await page.getByRole('textbox', { name: 'Find words' }).fill('wren');
      await page.getByText('6 of 6 clips').waitFor();
      await page.getByRole('combobox', { name: 'Licence' }).selectOption({ label: 'Public domain' });
      await page
        .getByText('No clip fits')
        .or(page.getByText(/of \d clips?$/))
        .first()
        .waitFor();
      await page.getByRole('textbox', { name: 'Find words' }).fill('no such thing');
      await page.getByText('No clip fits').waitFor();
      await button('Show all').click();
      await page.getByText('30 of 48 clips').waitFor();
      await page.getByText('Meaning').click();
      await page.getByRole('textbox', { name: 'What is it about' }).fill('a bird that sings');
      await page.getByRole('columnheader', { name: 'Nearness' }).waitFor();
      await row('Blackbird feeding its young').first().getByText('0.93').waitFor();
    });

    it('shows more like one, and all again', async () => {
      await open('library');
      await row('Great tits at a nest box').first().waitFor();
      await button('More like this').click();
      await page.getByText('Nearest to «Blackbird feeding its young» first').waitFor();
      await page.getByRole('columnheader', { name: 'Nearness' }).waitFor();
      await takePictures(page, 'data/like', [1_280]);
      await button('Show all again').click();
      await page.getByText('30 of 48 clips').waitFor();
    });

    it('says why there is no search by meaning where no model measures clips', async () => {
      told().state = { ...told().state, space: null };
      told().clips = told().clips.map((clip) => ({ ...clip, space: null }));
      await open('library');
      await page.getByText('Searching by meaning needs the models').waitFor();
      expect(await page.getByRole('radio', { name: 'Meaning' }).isDisabled()).toBe(true);
      await expect.poll(() => button('More like this').isDisabled()).toBe(true);
    });

    it('has a description that is edited, refused when it is empty, and taken back', async () => {
      await open('library');
      const before = told().clips[0]?.description ?? '';
      await row('Great tits at a nest box').first().click();
      await page
        .getByText('what the model qwen3-vl-4b wrote. A model can be wrong. Put right what is not so')
        .waitFor();
      await row('Blackbird feeding its young').first().click();
      await button('Edit').click();
      const field = page.getByRole('textbox', { name: 'Description' });
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
      await field.fill('  ');
      await button('Save').click();
      await page.getByText('A clip needs a description.').waitFor();
      await page.keyboard.press('Escape');
      await button('Edit').click();
      await field.fill('A blackbird carries worms to its nest.');
      await button('Save').click();
      await page.getByText('Written by you').waitFor();
      await page.getByText('Saved', { exact: true }).waitFor();
      await button('As it was before').click();
      await expect.poll(done).toEqual(['describe A blackbird carries worms to its nest.', `describe ${before}`]);
    });

    it('says in words what a clip is worth, and why it does not count', async () => {
      await open('library');
      await row('Sparrows bathe in a bowl').first().click();
      const details = page.getByRole('region', { name: 'Sparrows bathe in a bowl' });
      await details.getByText('Too near to another clip of the same submission: 4 % new.').waitFor();
      await details.getByText('How far it is from the nearest other clip.').waitFor();
      await details.getByText('61 different words and parts of words.').waitFor();
      await details.getByText('×0.65', { exact: true }).waitFor();
      await row('A robin sings at dawn').first().click();
      await page.getByText('Listen: that is the robin.').waitFor();
      await row('A wren builds in the ivy').first().click();
      await page.getByText('Not scored yet. That comes by itself').waitFor();
      await row('A wren builds in the ivy').first().getByText('not scored yet').waitFor();
      for (const clip of told().clips) clip.score ??= { ...(told().clips[0]?.score as ClipScore), worth: 0.777 };
      told().state = { ...told().state, clipsVersion: 1 };
      await row('A wren builds in the ivy').first().getByText('0.777').waitFor();
    });

    it('says how much a clip can be worth, and that nothing is measured of one that does not count', async () => {
      const [first, second] = told().clips;
      if (!first?.score || !second?.score) throw new Error('The first two clips of the sample have scores.');
      first.score = { ...first.score, novelty: null };
      const uncounted = { text: 'It lies in a folder of its owner.' };
      const nothing = { descriptionRelevance: null, topicRelevance: null, detail: null, novelty: null };
      second.score = { ...second.score, ...nothing, worth: 0, uncounted };
      await open('library');
      await page.getByText('A clip adds 0.125 at the most, 8 together 1.').waitFor();
      await page.getByText('Validators alone know what others have handed in.').waitFor();
      expect(await page.getByText('Not looked at closely').count()).toBe(0);
      await row(second.title).first().click();
      await page.getByText(uncounted.text).waitFor();
      expect(await page.getByText('Not measured: the clip does not count.').count()).toBe(3);
      expect(await page.getByText('the models for it are missing').count()).toBe(0);
      expect(await page.getByRole('definition').filter({ hasText: '@' }).count()).toBe(0);
    });

    it('is taken down with a reason, which is undone, and removed after a question', async () => {
      await open('library');
      await button('Take down …').click();
      await dialog().getByRole('button', { name: 'Take it down' }).click();
      await dialog().getByText('Say why.').waitFor();
      await noViolations(page);
      await dialog().getByRole('textbox', { name: 'Why' }).fill('Its author wrote.');
      await dialog().getByRole('button', { name: 'Take it down' }).click();
      await page.getByText('30 of 47 clips').waitFor();
      await page.getByRole('switch', { name: 'Taken down' }).click();
      await page.getByText('It goes into no data set and no submission.').waitFor();
      await takePictures(page, 'data/taken-down', [1_280]);
      await button('Undo').click();
      await page.getByText('No clip fits').waitFor();
      await button('Show all').click();
      await page.getByText('30 of 48 clips').waitFor();
      await button('Remove …').focus();
      await page.keyboard.press('Enter');
      await dialog().waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Remove …');
      await button('Remove …').click();
      await dialog().getByRole('button', { name: 'Remove it' }).click();
      await page.getByText('30 of 47 clips').waitFor();
      expect(done().map((one) => one.split(' ')[0])).toEqual(['take', 'undo', 'remove']);
    });

    it('plays a clip, by a new way once the first is over, and says so where there is none', async () => {
      const bytes = await readFile(VIDEO);
      let fails = 1;
      await page.route(new RegExp(`${CLIP_PATH}/[0-9a-f]+$`), (route) =>
        fails-- > 0
          ? route.fulfill({ status: 200, body: 'over' })
          : route.fulfill({ body: bytes, contentType: 'video/webm' }),
      );
      await open('library');
      const video = page.locator('main video');
      await video.waitFor();
      await expect.poll(() => page.evaluate(PLAYED)).toBeGreaterThan(0);
      fails = Number.POSITIVE_INFINITY;
      await row('Great tits at a nest box').first().click();
      await page.getByRole('region', { name: 'Great tits at a nest box' }).waitFor();
      const broken = page.getByText('This clip cannot be played');
      await expect.poll(async () => [await page.evaluate(PLAYED), await broken.count()]).toEqual([0, 1]);
      fails = 0;
      await button('Try again').click();
      await video.waitFor();
    });

    it('has pages of ten thousand clips', async () => {
      told().clips = sampleClips(10_000);
      await open('library');
      await page.getByText('30 of 10,000 clips').waitFor();
      await button('Show more').click();
      await page.getByText('60 of 10,000 clips').waitFor();
      expect(await page.getByRole('rowheader').count()).toBe(60);
      await noScrollingSideways(page);
    });
  });

  it('shows submissions of both directions with why for each clip, and who is best', async () => {
    await open('submissions');
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(12);
    await page.getByText('Received', { exact: true }).first().click();
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(6);
    await page.getByRole('row').filter({ hasText: '−5.000' }).first().click();
    await page.getByText('One of its clips is a lie: all of it counts against the miner.').waitFor();
    await page.getByText('The video does not show that.').first().click();
    await page.getByText('Looked at: a lie').waitFor();
    await takePictures(page, 'data/submission', WIDTHS);
    await page.getByText('Miners', { exact: true }).click();
    await page.getByRole('table', { name: 'Leader board' }).waitFor();
    expect(await page.getByRole('rowheader').first().textContent()).toContain('1. 5DAA…TXFy');
    await takePictures(page, 'data/miners', WIDTHS);
    await noViolations(page);
    await noScrollingSideways(page);
  });

  describe('the data set', () => {
    it('is exported, whatever waits where that is wanted, and says what was left out', async () => {
      const { promise, resolve: goOn } = Promise.withResolvers<void>();
      told().goOn = promise;
      await open('set');
      await button('Export all that waits').click();
      await page.getByText('Reading clips').waitFor();
      expect(await button('Export all that waits').isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'Library', exact: true }).click();
      await page.getByText('30 of 48 clips').waitFor();
      goOn();
      await page.getByRole('link', { name: 'Data set', exact: true }).click();
      await page.getByText('1 file was written.').waitFor();
      await page.getByText('videos-00003.parquet').waitFor();
      await page.getByText('They were taken down.').waitFor();
      await takePictures(page, 'data/exported', WIDTHS);
      expect(done()).toEqual(['export all']);
    });

    it('is looked at before it is uploaded, with where to, how much and who can see it', async () => {
      await open('set');
      await button('See what would be uploaded').click();
      await dialog().getByText('videos-00003.parquet').waitFor();
      await dialog().getByText('ada/garden-clips').waitFor();
      await dialog().getByText('Only those whom the repository lets in can see it.').waitFor();
      await noViolations(page);
      await takePictures(page, 'data/upload', [1_280, 400]);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
      expect(done()).toEqual(['look at upload']);
      if (told().set.destination) Object.assign(told().set.destination ?? {}, { isPrivate: false });
      await page.reload();
      await button('See what would be uploaded').click();
      await dialog().getByText('Everybody can see and copy it.').waitFor();
      await dialog().getByRole('button', { name: 'Upload 1 file, 1.2 MB' }).click();
      await page.getByText('1 file was uploaded.').waitFor();
      const link = page.getByRole('link', { name: 'Look at it there' });
      expect(await link.getAttribute('href')).toBe('https://huggingface.co/datasets/ada/garden-clips');
      expect(done()).toEqual(['look at upload', 'look at upload', 'upload']);
    });

    it('is given up while it is written, and is told of what went wrong, with another try', async () => {
      told().goOn = new Promise(() => {});
      await open('set');
      await button('Export').click();
      await page.getByText('Reading clips').waitFor();
      await button('Cancel').click();
      await page.getByText('Reading clips').waitFor({ state: 'detached' });
      told().goOn = undefined;
      node.data.failures['data.export'] = { ...FAULT, message: 'The disk is full.' };
      await button('Export').click();
      await page.getByText('The disk is full.').waitFor();
      delete node.data.failures['data.export'];
      await button('Try again').click();
      await page.getByText('1 file was written.').waitFor();
    });

    it('has its destination entered where it is uploaded from', async () => {
      node.data.clips = noData();
      await open('set');
      const repository = page.getByRole('textbox', { name: 'Repository' });
      await repository.fill('ada/birds');
      node.data.clips.set.destination = { endpoint: 'https://hub.example', repository: 'ada/birds', isPrivate: true };
      await repository.press('Enter');
      await page.getByText('ada/birds · https://hub.example').waitFor();
      expect(await button('See what would be uploaded').isDisabled()).toBe(true);
      const { settings } = node.data.settings;
      expect(settings.find(({ path }) => path === 'data.upload.repository')?.value).toBe('ada/birds');
    });

    it('leaves out what is put on its list, and takes that back', async () => {
      await open('set');
      await button('Take a video down').click();
      await dialog().getByRole('button', { name: 'Take it down' }).click();
      await dialog().getByText('Name the video.').waitFor();
      await dialog().getByText('Say why.').waitFor();
      await dialog()
        .getByRole('textbox', { name: /^The video/ })
        .fill('File:Ball.webm');
      await dialog().getByRole('textbox', { name: 'Why' }).fill('A child is seen.');
      await takePictures(page, 'data/take-down', [1_280, 400]);
      await dialog().getByRole('button', { name: 'Take it down' }).click();
      await button('Undo: File:Ball.webm').click();
      await button('Undo: File:Ball.webm').waitFor({ state: 'detached' });
      expect(done()).toEqual(['take down File:Ball.webm: A child is seen.', 'undo File:Ball.webm']);
    });
  });

  it.each(PLACES)('says at %s what will be there where nothing is, and how to begin', async (place) => {
    node.data.clips = noData();
    await open(place);
    const words = {
      overview: 'No video yet',
      find: 'Choose videos yourself',
      library: 'No clip yet',
      submissions: 'No submission yet',
      set: 'No file yet',
    }[place];
    await page.getByText(words, { exact: true }).waitFor();
    await noViolations(page);
    await takePictures(page, `data/empty-${place}`, WIDTHS);
    await noScrollingSideways(page);
  });

  it.each([
    ['overview', 'data.jobs'],
    ['overview', 'data.thresholds'],
    ['find', 'data.sources'],
    ['library', 'data.clips'],
    ['submissions', 'data.submissions'],
    ['set', 'data.dataSet'],
    ['set', 'data.takeDowns'],
  ] as const)('says at %s what went wrong with %s, and tries again', async (place, call) => {
    node.data.failures[call] = { ...FAULT, message: 'The list cannot be read.' };
    await open(place);
    const alert = page.getByRole('alert').filter({ hasText: 'The list cannot be read.' });
    await alert.waitFor();
    await noViolations(page);
    delete node.data.failures[call];
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it.each(PLACES)('speaks German at %s', async (place) => {
    const { settings } = node.data.settings;
    node.data.settings = {
      ...node.data.settings,
      settings: settings.map((one) => (one.path === 'language' ? { ...one, value: 'de' } : one)),
    };
    await open(place);
    const words = { overview: 'Arbeitet', find: 'Videos selbst wählen', library: '30 von 48 Clips' };
    const others = { submissions: 'Gesendet', set: 'Zurückgezogen' };
    await page
      .getByText({ ...words, ...others }[place])
      .first()
      .waitFor();
    await takePictures(page, `data/german-${place}`, WIDTHS);
    await noScrollingSideways(page);
  });

  it('keeps what it shows while the node is away, and goes on when it is back', async () => {
    const port = await freePort();
    const other = await startScriptedNode({}, undefined, port);
    await page.goto(`${other.url}#/data/set`);
    other.data.clips.goOn = new Promise(() => {});
    await button('Export').click();
    await page.getByText('Reading clips').waitFor();
    await other.close();
    await page.getByText('No connection to Quarry.').waitFor();
    await page.getByText('videos-00002.parquet').waitFor();
    await expect.poll(() => page.getByRole('progressbar', { name: 'Reading clips' }).count()).toBe(0);
    const back = await startScriptedNode({}, undefined, port);
    await page.getByText('No connection to Quarry.').waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('Making clips about «birds in a garden»').waitFor();
    complaints.length = 0; // the browser complains about the connection that was lost
    await page.close(); // or it would complain again
    await back.close();
  });
});
