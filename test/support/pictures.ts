import type { Page } from 'playwright-core';

/**
 * Pictures of a screen for people, light and dark, wide and as on a phone, where they are wanted: `QUARRY_TEST_PICTURES=1`. They lie in test-results/.
 * @param widths pixels; one alone for what does not outlive another width
 */
export async function takePictures(page: Page, name: string, widths: readonly number[] = [1_280, 400]): Promise<void> {
  if (!process.env.QUARRY_TEST_PICTURES) return;
  const before = page.viewportSize();
  for (const width of widths) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 720 });
      await page.waitForTimeout(500);
      await page.screenshot({ path: `test-results/${name}-${colorScheme}-${width}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}
