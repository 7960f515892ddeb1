import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataBlock, dataJson } from '../../../../../../src-main/subnets/omega/focus/model/data-block.ts';
import {
  completionQuestion,
  legitimacyQuestion,
} from '../../../../../../src-main/subnets/omega/focus/model/questions.ts';
import { INJECTIONS } from '../../../../../support/injections.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';

describe('a block of data', () => {
  it('is three lines, and the same again when it is read', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(fc.record({ title: text, steps: fc.array(text, { maxLength: 5 }) }), (value) => {
        const lines = dataBlock(TOKEN, 'task', value).split(/[\n\r\u2028\u2029\u0085]/);
        expect(lines.length).toBe(3);
        expect([lines[0], lines[2]]).toEqual([`<<<${TOKEN} task`, `>>>${TOKEN}`]);
        expect(JSON.parse(lines[1] ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('has nothing in it that stands for a border, or that cannot be seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(dataJson(text)).not.toMatch(/[<>[\]`＜＞\p{Cc}\p{Cf}]/u);
      }),
    );
  });

  it.each(INJECTIONS)('keeps in: $name', ({ text }) => {
    const drawn = { token: TOKEN, seal: 'feed' };
    const forged = text.replaceAll('0123456789abcdef', TOKEN); // even who knew the token
    const annotation = { applications: [forged], steps: [forged, forged], description: forged };
    for (const question of [
      legitimacyQuestion(drawn, annotation),
      completionQuestion(drawn, { title: forged, description: forged }, annotation),
    ]) {
      expect(question.system).not.toContain(forged);
      const said = question.parts.flatMap((part) => (part.type === 'text' ? part.text.split('\n') : []));
      // Lines by threes, and nothing else: borders that are ours, and JSON between them.
      for (let at = 0; at < said.length; at += 3) {
        expect(said[at]).toMatch(new RegExp(`^<<<${TOKEN} (recording|task)$`));
        expect(JSON.stringify(JSON.parse(said[at + 1] ?? ''))).toContain(JSON.stringify(forged).slice(1, -1));
        expect(said[at + 2]).toBe(`>>>${TOKEN}`);
      }
      expect(said.join('\n').match(/[<>]{3}/g)?.length).toBe((2 * said.length) / 3);
    }
  });
});
