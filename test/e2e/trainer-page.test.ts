import { expect, it } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { buildTrainerPage, launchWithSoftwareWebGpu, trainerInChromium } from '../support/learning/page-in-chromium.ts';
import { PageTraining } from '../../src-main/learning/training/page/page-training.ts';
import { checkedGradients, largestDifference } from '../../src-main/learning/training/page/self-check.ts';

it('tries', async () => {
  const browser = await launchWithSoftwareWebGpu(findChromium() ?? '');
  const folder = await buildTrainerPage('/tmp/trainer-try');
  const opened = await trainerInChromium(browser, folder);
  const page = new PageTraining(opened.port);
  try {
  console.log(await page.begin());
  let t = performance.now();
  const found = await page.check();
  console.log('page', performance.now() - t); t = performance.now();
  const own = await checkedGradients();
  console.log('own', performance.now() - t);
  console.log('difference', largestDifference(found, own));
  } finally { console.log(opened.errors, opened.strays); await browser.close(); }
  expect(1).toBe(1);
});
