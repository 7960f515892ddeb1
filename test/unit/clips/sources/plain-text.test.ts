import fc from 'fast-check';
import { expect, it } from 'vitest';
import { line, plainText, shortened } from '../../../../src-main/clips/sources/plain-text.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

/** Halves of characters, what steers, and what HTML is made of. */
const HOSTILE = fc.constantFrom(...['a', 'é', '😀', '\ud83d', '\ude00', '\u202e', '<', '>', '&', ';', '\0', ' ', '\n']);

it.each([
  ['<bdi><a href="//commons.wikimedia.org/wiki/User:X" title="User:X">Some &amp; One</a></bdi>', 'Some & One'],
  ['<style>.a{color:red}</style><bdi>Ada</bdi>', 'Ada'],
  ['Unknown author<span style="display: none;">Unknown author</span>', 'Unknown author'],
  ['<div class="fn value">\nJona</div>', 'Jona'],
  ['One.<br/>Two.<p>Three.', 'One. Two. Three.'],
  ['<!-- nobody <b>sees</b> this -->seen', 'seen'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['&lt;script&gt;alert(1)&lt;/script&gt;', '<script>alert(1)</script>'],
  ['a&#39;b&#x2019;c&nbsp;d&unknown;', "a'b’c d&unknown;"],
  ['&#99999999;&#x110000;ok', '&#99999999;ok'],
  ['&#x202e;ok&#7;', 'ok'],
  ['cut <a href="', 'cut <a href="'],
  ['<script>never closed', ''],
])('reads %j as %j', (html, text) => expect(plainText(html, 1_000)).toBe(text));

it('keeps to its length, and cuts no character in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: HOSTILE, maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      for (const short of [shortened(text, most), line(text, most), plainText(text, most)]) {
        expect(short.length).toBeLessThanOrEqual(most);
        expect(short.isWellFormed()).toBe(true);
      }
    }),
  );
});

it.each(['<', '<a', '<style>', '<!--', '<p style="display:none">', '&#', '&amp', '</'])(
  'is done with %j over and over in no time',
  async (piece) => {
    expect(await cpuMs(() => plainText(piece.repeat(100_000), 1_000))).toBeLessThan(500);
  },
);
